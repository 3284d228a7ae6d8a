// Sets up positions: splits and joins FENs, puts and moves pieces.

import type { Facts } from './views.js';
import { roleOf, sideOf } from './views.js';

/** Returns the first field of a FEN, the placement of pieces. */
export function placement(pieces: readonly string[]): string {
  const ranks = [56, 48, 40, 32, 24, 16, 8, 0].map((first) => pieces.slice(first, first + 8).map((piece) => piece || '1').join(''));
  return ranks.join('/').replace(/1+/g, (empty) => String(empty.length));
}

/** Returns a position with other pieces, and without castling rights or an en passant square that these rule out. */
export function withPieces(fen: string, pieces: readonly string[]): string {
  const [, turn = 'w', castling = '-', enPassant = '-', halfmoves = '0', moves = '1'] = fen.split(' ');
  const rights = filtered(castling, (right) => rookOf(right, pieces) !== undefined);
  return [placement(pieces), turn, rights, passed(enPassant, pieces), halfmoves, moves].join(' ');
}

/** Returns a position with the given side to move. */
export function withTurn(fen: string, turn: 'w' | 'b'): string {
  const fields = fen.split(' ');
  fields[1] = turn;
  fields[3] = '-';
  return fields.join(' ');
}

/** Returns the square of the rook of a castling right; undefined if the rook or the king is not in place. */
function rookOf(right: string, pieces: readonly string[]): number | undefined {
  const [rank, k, r] = sideOf(right) === 'white' ? [0, 'K', 'R'] : [56, 'k', 'r'];
  const row = pieces.slice(rank, rank + 8);
  const king = row.indexOf(k);
  const name = right.toLowerCase();
  const file = name === 'k' ? row.lastIndexOf(r) : name === 'q' ? row.indexOf(r) : 'abcdefgh'.indexOf(name);
  const inPlace = king >= 0 && row[file] === r && (name === 'k' ? file > king : name !== 'q' || file < king);
  return inPlace ? rank + file : undefined;
}

/** Returns the castling rights that meet a condition. */
function filtered(castling: string, holds: (right: string) => boolean): string {
  return [...castling].filter(holds).join('') || '-';
}

/** Returns the en passant square if the pawn that passed it is in place. */
function passed(square: string, pieces: readonly string[]): string {
  const file = 'abcdefgh'.indexOf(square[0] ?? '');
  if (file < 0) return '-';
  const [pawn, at] = square[1] === '3' ? ['P', 24 + file] : ['p', 32 + file];
  return pieces[at] === pawn ? square : '-';
}

/** Returns the pieces with another piece on a square; an empty string clears it. */
export function put(pieces: readonly string[], square: number, piece: string): string[] {
  const after = [...pieces];
  after[square] = piece;
  return after;
}

/** Returns the pieces after one has been moved, regardless of the rules. */
export function moved(pieces: readonly string[], from: number, to: number): string[] {
  return put(put(pieces, from, ''), to, pieces[from]!);
}

/** Returns the position after a legal move of the piece on a square. Pawns promote to a queen. */
export function played(facts: Facts, from: number, to: number): string {
  const piece = facts.pieces[from]!;
  const [side, role] = [sideOf(piece), roleOf(piece)];
  const fields = facts.fen.split(' ');
  const target = facts.pieces[to]!;
  const own = target !== '' && sideOf(target) === side;
  const captures = target !== '' && !own;
  let pieces = moved(facts.pieces, from, to);
  let enPassant = '-';
  if (role === 'pawn') {
    if ((from & 7) !== (to & 7) && !captures) pieces = put(pieces, (from & 56) | (to & 7), '');
    if (to >> 3 === 0 || to >> 3 === 7) pieces = put(pieces, to, side === 'white' ? 'Q' : 'q');
    if (Math.abs(from - to) === 16) enPassant = 'abcdefgh'[from & 7]! + (side === 'white' ? '3' : '6');
  }
  if (role === 'king' && (own || Math.abs((from & 7) - (to & 7)) > 1)) {
    const [right, kings, rooks] = to > from ? ['K', 6, 5] : ['Q', 2, 3];
    const rook = own ? to : rookOf(side === 'white' ? right : right.toLowerCase(), facts.pieces)!;
    pieces = put(put(facts.pieces, from, ''), rook, '');
    pieces = put(put(pieces, (from & 56) + kings, piece), (from & 56) + rooks, facts.pieces[rook]!);
  }
  // A move or capture of a rook ends its right, and a move of the king ends both.
  const castling = filtered(fields[2]!, (right) => {
    const rook = rookOf(right, facts.pieces);
    return rook !== from && rook !== to && !(role === 'king' && sideOf(right) === side);
  });
  const halfmoves = role === 'pawn' || captures ? 0 : Number(fields[4]) + 1;
  const number = Number(fields[5]) + (side === 'black' ? 1 : 0);
  return [placement(pieces), side === 'white' ? 'b' : 'w', castling, enPassant, halfmoves, number].join(' ');
}
