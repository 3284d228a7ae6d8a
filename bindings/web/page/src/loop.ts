// The module's rival: sixteen attack maps by a plain loop over the pieces, with tables. Sets are two halves of 32 bits,
// because BigInt is far slower. A slider's ray is read from a table and cut at its nearest blocker, which is found by
// counting zeros.

/** The rays of each direction and the leaps of each role from every square, as halves: low, then high. */
const RAYS = new Int32Array(8 * 64 * 2);
const LEAPS = new Int32Array(4 * 64 * 2);
const STEPS = [[0, 1], [1, 0], [1, 1], [-1, 1], [0, -1], [-1, 0], [-1, -1], [1, -1]] as const;

function put(table: Int32Array, at: number, file: number, rank: number): boolean {
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return false;
  const square = 8 * rank + file;
  table[2 * at + (square >> 5)]! |= 1 << (square & 31);
  return true;
}

for (let square = 0; square < 64; square++) {
  const [file, rank] = [square & 7, square >> 3];
  STEPS.forEach(([x, y], direction) => {
    for (let n = 1; put(RAYS, 64 * direction + square, file + n * x, rank + n * y); n++);
    put(LEAPS, 64 * 3 + square, file + x, rank + y);
  });
  for (const [x, y] of [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]] as const) {
    put(LEAPS, 64 * 2 + square, file + x, rank + y);
  }
  for (const x of [-1, 1]) {
    put(LEAPS, square, file + x, rank + 1);
    put(LEAPS, 64 + square, file + x, rank - 1);
  }
}

const CODES = ' PNBRQKpnbrqk';

/** Returns the input of the loop, 64 codes per position: 0 for empty, 1 to 6 for white's roles, 7 to 12 for black's. */
export function boards(pieces: readonly (readonly string[])[]): Uint8Array {
  return Uint8Array.from(pieces.flat(), (letter) => CODES.indexOf(letter));
}

/** Rooks have the directions 0, 1, 4 and 5, bishops 2, 3, 6 and 7. Directions below 4 lead to higher squares. */
const DIRECTIONS = [[], [], [2, 3, 6, 7], [0, 1, 4, 5], [0, 1, 2, 3, 4, 5, 6, 7], []];

/**
 * Computes the sixteen maps of every position: for white, then for black, by pawns, knights, bishops, rooks, queens and
 * kings, by all pieces, and by at least two. Each map has two halves.
 */
export function attackMaps(codes: Uint8Array, maps: Int32Array): void {
  for (let first = 0; first < codes.length; first += 64) {
    let low = 0;
    let high = 0;
    for (let square = 0; square < 32; square++) {
      if (codes[first + square]! !== 0) low |= 1 << square;
      if (codes[first + square + 32]! !== 0) high |= 1 << square;
    }
    const out = first / 2;
    maps.fill(0, out, out + 32);
    for (let square = 0; square < 64; square++) {
      const code = codes[first + square]!;
      if (code === 0) continue;
      const black = code > 6 ? 1 : 0;
      const role = code - 1 - 6 * black;
      let attacksLow = 0;
      let attacksHigh = 0;
      const directions = DIRECTIONS[role]!;
      if (directions.length === 0) {
        const leap = role === 0 ? black : role === 1 ? 2 : 3;
        attacksLow = LEAPS[2 * (64 * leap + square)]!;
        attacksHigh = LEAPS[2 * (64 * leap + square) + 1]!;
      }
      for (let i = 0; i < directions.length; i++) {
        const direction = directions[i]!;
        const at = 2 * (64 * direction + square);
        let rayLow = RAYS[at]!;
        let rayHigh = RAYS[at + 1]!;
        const blockersLow = rayLow & low;
        const blockersHigh = rayHigh & high;
        if ((blockersLow | blockersHigh) !== 0) {
          let nearest: number;
          if (direction < 4) {
            nearest = blockersLow !== 0 ? 31 - Math.clz32(blockersLow & -blockersLow) : 63 - Math.clz32(blockersHigh & -blockersHigh);
          } else {
            nearest = blockersHigh !== 0 ? 63 - Math.clz32(blockersHigh) : 31 - Math.clz32(blockersLow);
          }
          const behind = 2 * (64 * direction + nearest);
          rayLow ^= RAYS[behind]!;
          rayHigh ^= RAYS[behind + 1]!;
        }
        attacksLow |= rayLow;
        attacksHigh |= rayHigh;
      }
      const side = out + 16 * black;
      maps[side + 2 * role]! |= attacksLow;
      maps[side + 2 * role + 1]! |= attacksHigh;
      maps[side + 14]! |= maps[side + 12]! & attacksLow;
      maps[side + 15]! |= maps[side + 13]! & attacksHigh;
      maps[side + 12]! |= attacksLow;
      maps[side + 13]! |= attacksHigh;
    }
  }
}
