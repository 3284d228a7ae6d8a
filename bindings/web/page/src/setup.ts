// Setting up a position: FEN taken apart and put together, pieces put and moved.

import type { Facts } from './views.js';
import { roleOf, sideOf } from './views.js';

/** The placement of pieces as FEN has it. */
export function placement(pieces: readonly string[]): string {
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let text = '';
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = pieces[8 * rank + file];
      if (!piece) {
        empty++;
        continue;
      }
      text += (empty ? String(empty) : '') + piece;
      empty = 0;
    }
    ranks.push(text + (empty ? String(empty) : ''));
  }
  return ranks.join('/');
}

/** A position with other pieces. What they no longer allow, castling rights and en passant, goes. */
export function withPieces(fen: string, pieces: readonly string[]): string {
  const [, turn = 'w', castling = '-', enPassant = '-', halfmoves = '0', moves = '1'] = fen.split(' ');
  return [placement(pieces), turn, rights(castling, pieces), passed(enPassant, pieces), halfmoves, moves].join(' ');
}

/** A position with the other side to move. */
export function withTurn(fen: string, turn: 'w' | 'b'): string {
  const fields = fen.split(' ');
  fields[1] = turn;
  fields[3] = '-';
  return fields.join(' ');
}

/** The castling rights for which king and rook are in place. */
function rights(castling: string, pieces: readonly string[]): string {
  const kept = [...castling].filter((right) => {
    const white = right === right.toUpperCase();
    const rank = white ? 0 : 56;
    const on = (piece: string, from = 0, to = 7): boolean =>
      pieces.slice(rank + from, rank + to + 1).includes(white ? piece.toUpperCase() : piece);
    const king = pieces.slice(rank, rank + 8).indexOf(white ? 'K' : 'k');
    if (king < 0) return false;
    const file = 'abcdefgh'.indexOf(right.toLowerCase());
    if (file >= 0) return on('r', file, file);
    return right.toLowerCase() === 'k' ? on('r', king + 1, 7) : right.toLowerCase() === 'q' && on('r', 0, king - 1);
  });
  return kept.join('') || '-';
}

/** The en passant square, if the pawn that passed it is there. */
function passed(square: string, pieces: readonly string[]): string {
  const file = 'abcdefgh'.indexOf(square[0] ?? '');
  if (file < 0) return '-';
  const [pawn, at] = square[1] === '3' ? ['P', 24 + file] : ['p', 32 + file];
  return pieces[at] === pawn ? square : '-';
}

/** The pieces with another one on a square; none clears it. */
export function put(pieces: readonly string[], square: number, piece: string): string[] {
  const after = [...pieces];
  after[square] = piece;
  return after;
}

/** The pieces after one was moved by hand. */
export function moved(pieces: readonly string[], from: number, to: number): string[] {
  return put(put(pieces, from, ''), to, pieces[from]!);
}

/** The position after a legal move of the piece on a square, with a queen for a pawn that reaches the last rank. */
export function played(facts: Facts, from: number, to: number): string {
  const piece = facts.pieces[from]!;
  const [side, role] = [sideOf(piece), roleOf(piece)];
  const fields = facts.fen.split(' ');
  const captures = facts.pieces[to] !== '';
  let pieces = moved(facts.pieces, from, to);
  let enPassant = '-';
  if (role === 'pawn') {
    if ((from & 7) !== (to & 7) && !captures) pieces = put(pieces, (from & 56) | (to & 7), '');
    if (to >> 3 === 0 || to >> 3 === 7) pieces = put(pieces, to, side === 'white' ? 'Q' : 'q');
    if (Math.abs(from - to) === 16) enPassant = 'abcdefgh'[from & 7]! + (side === 'white' ? '3' : '6');
  }
  let castling = fields[2]!;
  if (role === 'king') {
    castling = [...castling].filter((right) => sideOf(right) !== side).join('') || '-';
    const own = facts.pieces[to] !== '' && sideOf(facts.pieces[to]!) === side;
    if (own || Math.abs((from & 7) - (to & 7)) > 1) {
      const kingsSide = to > from;
      const rank = from & 56;
      const rook = own ? to : findRook(facts.pieces, from, kingsSide);
      const letter = facts.pieces[rook]!;
      pieces = put(put(facts.pieces, from, ''), rook, '');
      pieces = put(put(pieces, rank + (kingsSide ? 6 : 2), piece), rank + (kingsSide ? 5 : 3), letter);
    }
  } else {
    castling = withoutRook(castling, facts.pieces, from);
  }
  castling = withoutRook(castling, facts.pieces, to);
  const halfmoves = role === 'pawn' || captures ? 0 : Number(fields[4]) + 1;
  const number = Number(fields[5]) + (side === 'black' ? 1 : 0);
  return [placement(pieces), side === 'white' ? 'b' : 'w', castling, enPassant, halfmoves, number].join(' ');
}

/** The castling rights without that of the rook on a square. */
function withoutRook(castling: string, pieces: readonly string[], square: number): string {
  const rook = pieces[square]!;
  if (rook.toLowerCase() !== 'r' || (square & 56) !== (rook === 'R' ? 0 : 56)) return castling;
  const king = pieces.indexOf(rook === 'R' ? 'K' : 'k');
  const kingsSide = square > king;
  const outermost = kingsSide ? !pieces.slice(square + 1, (square & 56) + 8).includes(rook) : !pieces.slice(square & 56, square).includes(rook);
  const gone = new Set(['abcdefgh'[square & 7]!, ...(outermost ? [kingsSide ? 'k' : 'q'] : [])]);
  const kept = [...castling].filter((right) => sideOf(right) !== sideOf(rook) || !gone.has(right.toLowerCase()));
  return kept.join('') || '-';
}

/** The outermost rook on a side of the king. */
function findRook(pieces: readonly string[], king: number, kingsSide: boolean): number {
  const rook = pieces[king] === 'K' ? 'R' : 'r';
  const rank = king & 56;
  return kingsSide ? pieces.lastIndexOf(rook, rank + 7) : pieces.indexOf(rook, rank);
}
