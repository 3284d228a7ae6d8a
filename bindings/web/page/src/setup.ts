// Sets up positions: splits and joins FENs, puts and moves pieces.

import { sideOf } from './views.js';

/** Returns the first field of a FEN, the placement of pieces. */
function placement(pieces: readonly string[]): string {
  const ranks = [56, 48, 40, 32, 24, 16, 8, 0].map((first) => pieces.slice(first, first + 8).map((piece) => piece || '1').join(''));
  return ranks.join('/').replace(/1+/g, (empty) => String(empty.length));
}

/** Returns a position with other pieces, and without castling rights or an en passant square that these rule out. */
export function withPieces(fen: string, pieces: readonly string[]): string {
  const [, turn = 'w', castling = '-', enPassant = '-', halfmoves = '0', moves = '1'] = fen.split(' ');
  const rights = [...castling].filter((right) => isInPlace(right, pieces)).join('') || '-';
  return [placement(pieces), turn, rights, passed(enPassant, pieces), halfmoves, moves].join(' ');
}

/** Returns a position with the given side to move. */
export function withTurn(fen: string, turn: 'w' | 'b'): string {
  const fields = fen.split(' ');
  fields[1] = turn;
  fields[3] = '-';
  return fields.join(' ');
}

/** Returns whether the rook and the king of a castling right are in place. */
function isInPlace(right: string, pieces: readonly string[]): boolean {
  const [rank, k, r] = sideOf(right) === 'white' ? [0, 'K', 'R'] : [56, 'k', 'r'];
  const row = pieces.slice(rank, rank + 8);
  const king = row.indexOf(k);
  const name = right.toLowerCase();
  const file = name === 'k' ? row.lastIndexOf(r) : name === 'q' ? row.indexOf(r) : 'abcdefgh'.indexOf(name);
  return king >= 0 && row[file] === r && (name === 'k' ? file > king : name !== 'q' || file < king);
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
