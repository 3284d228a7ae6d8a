// The interface of the package: positions in bulk, one position, games. It wraps the bare calls of the module
// (`setwise_web.js`, written by wasm-bindgen) and looks at columns in the module's memory.

import start, * as wasm from './setwise_web.js';

let memory: WebAssembly.Memory | undefined;
let starting: Promise<void> | undefined;

/** What a module can be made of: its bytes, its address, a response, or a compiled module. */
export type Source = BufferSource | URL | string | Response | WebAssembly.Module;

/**
 * Loads the module. Wait for it before anything else; calling it again does nothing.
 *
 * @param source where the module comes from; unless given, from `setwise.wasm` beside this file.
 */
export default function init(source?: Source | Promise<Source>): Promise<void> {
  starting ??= start({ module_or_path: source ?? new URL('./setwise.wasm', import.meta.url) }).then(
    (module) => {
      memory = module.memory;
    },
    (error: unknown) => {
      starting = undefined;
      throw error;
    },
  );
  return starting;
}

function buffer(): ArrayBufferLike {
  if (!memory) throw new Error('setwise is not loaded yet: `await init()` first');
  return memory.buffer;
}

/** A side of the game. */
export type Side = 'white' | 'black';

/** A square: 0 (a1) to 63 (h8), or its name, as in `e4`. */
export type Square = number | string;

/** A column of the catalogue. */
export interface Column {
  /** Its name, as in `white_pinned`. */
  readonly name: string;
  /** The type of its values. A `u64` is a set of squares: a1 is bit 0, h8 is bit 63. */
  readonly type: 'u8' | 'u16' | 'u32' | 'u64';
  /** How many values it has for each position, or `list` if that differs. */
  readonly count: number | 'list';
  /** Whether some positions have no answer. */
  readonly nullable: boolean;
  /** What it says. */
  readonly meaning: string;
}

/** The values of a column for many positions. */
export interface Values<T = BigUint64Array | Uint32Array | Uint16Array | Uint8Array> {
  /** The column. */
  readonly column: Column;
  /** A value for each position; of fixed-size lists and lists, all values of the first position, then of the second. */
  readonly values: T;
  /** Of lists: position `i` has the values from `offsets[i]` to `offsets[i + 1]`. */
  readonly offsets?: Uint32Array;
  /** Of nullable columns: 0 where a position has no answer, else 1. */
  readonly valid?: Uint8Array;
}

/** How columns are filled. */
export interface FillOptions {
  /** Gives views of the module's memory in place of copies. They are valid until the next call of anything here. */
  view?: boolean;
}

let known: readonly Column[] | undefined;

/** All columns. */
export function columns(): readonly Column[] {
  buffer();
  known ??= wasm
    .catalogue()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', type = '', count = '', meaning = ''] = line.split('\t');
      return Object.freeze({
        name,
        type: type.replace('?', '') as Column['type'],
        count: count === '*' ? ('list' as const) : Number(count),
        nullable: type.endsWith('?'),
        meaning,
      });
    });
  return known;
}

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array };

/** What is said of a position in a word. */
export type Status = 'normal' | 'check' | 'checkmate' | 'stalemate';

const STATUS: readonly Status[] = ['normal', 'check', 'checkmate', 'stalemate'];

/** Positions, for questions about all of them at once. */
export class Positions {
  readonly #positions: wasm.Positions;

  /**
   * Reads FEN or EPD, a position a line, as text or as bytes.
   *
   * @throws if a line is not a position. The message names line and column.
   */
  constructor(fens: string | Uint8Array) {
    buffer();
    this.#positions = new wasm.Positions(typeof fens === 'string' ? new TextEncoder().encode(fens) : fens);
  }

  /** The number of positions. */
  get length(): number {
    return this.#positions.length;
  }

  /** A position as FEN with six fields. */
  fen(row: number): string {
    return this.#positions.fen(this.#row(row));
  }

  /**
   * Computes columns, which are chosen by name (`white_all`), pattern (`*_mobility_*`) or preset (`default`: the
   * sixteen attack maps).
   *
   * @throws if a name stands for nothing.
   */
  fill(names: string | readonly string[], options: FillOptions = {}): Record<string, Values> {
    const list = typeof names === 'string' ? names.split(',') : [...names];
    const numbers = this.#positions.fill(list);
    const filled: Record<string, Values> = {};
    const view = <T>(type: new (memory: ArrayBufferLike, address: number, length: number) => T, [address, length]: Uint32Array): T =>
      new type(buffer(), address!, length!);
    const copy = <T extends { slice(): T }>(values: T): T => (options.view ? values : values.slice());
    numbers.forEach((number, i) => {
      const column = columns()[number]!;
      const array = ARRAYS[column.type] as new (memory: ArrayBufferLike, address: number, length: number) => Uint8Array;
      const values = copy(view(array, this.#positions.values(i)));
      const offsets = this.#positions.offsets(i);
      const valid = this.#positions.valid(i);
      filled[column.name] = {
        column,
        values,
        ...(offsets && { offsets: copy(view(Uint32Array, offsets)) }),
        ...(valid && { valid: copy(view(Uint8Array, valid)) }),
      };
    });
    return filled;
  }

  /** The pieces of a side that attack a square of a position, as a set of squares. */
  attackers(row: number, side: Side, square: Square): bigint {
    return BigInt.asUintN(64, this.#positions.attackers(this.#row(row), side === 'white', squareNumber(square)));
  }

  /** The number of legal moves of a position; undefined if it is not one that can be played on. */
  moveCount(row: number): number | undefined {
    return this.#positions.moveCount(this.#row(row));
  }

  /** Whether the side to move is in check, checkmated or stalemated; undefined if nobody can play on from here. */
  status(row: number): Status | undefined {
    const status = this.#positions.status(this.#row(row));
    return status === undefined ? undefined : STATUS[status];
  }

  /** How many pieces of a side attack each square of a position, from a1 to h8. */
  counts(row: number, side: Side): Uint8Array {
    return this.#positions.counts(this.#row(row), side === 'white');
  }

  /** The pieces of a position from a1 to h8: letters as in FEN, or empty. */
  pieces(row: number): string[] {
    return Array.from(this.#positions.letters(this.#row(row)), (letter) => (letter ? String.fromCharCode(letter) : ''));
  }

  /** Gives the memory back at once. Otherwise it is given back some time after the last use. */
  free(): void {
    this.#positions.free();
  }

  #row(row: number): number {
    if (!(Number.isInteger(row) && row >= 0 && row < this.length)) {
      throw new RangeError(`there is no position ${row}: there are ${this.length}, from 0`);
    }
    return row;
  }
}

/** A piece that attacks an occupied square. */
export interface Threat {
  /** Where the attacker stands. */
  readonly from: number;
  /** What it attacks: an enemy, or a piece of its own side, which it defends. */
  readonly to: number;
}

/** One position. */
export class Position {
  readonly #position: Positions;

  /**
   * Reads a line of FEN or EPD.
   *
   * @throws if it is not a position. The message names the column.
   */
  constructor(fen: string) {
    this.#position = new Positions(fen.replace(/[\r\n]+$/, ''));
    if (this.#position.length !== 1) throw new Error('a position is one line');
  }

  /** The position as FEN with six fields. */
  get fen(): string {
    return this.#position.fen(0);
  }

  /** The pieces from a1 to h8: letters as in FEN, or empty. */
  get pieces(): string[] {
    return this.#position.pieces(0);
  }

  /**
   * The value of a column: a set of squares, a number, or the values of a list; undefined if there is no answer.
   *
   * @throws if there is no such column.
   */
  column(name: string): bigint | number | bigint[] | number[] | undefined {
    return this.columns([name])[name];
  }

  /** The values of several columns, as {@link column} gives them. */
  columns(names: string | readonly string[]): Record<string, ReturnType<Position['column']>> {
    const filled = this.#position.fill(names, { view: true });
    const answers: Record<string, ReturnType<Position['column']>> = {};
    for (const [name, { column, values, valid }] of Object.entries(filled)) {
      const list: bigint[] | number[] = column.type === 'u64' ? Array.from(values as BigUint64Array) : Array.from(values as Uint8Array);
      answers[name] = valid?.[0] === 0 ? undefined : column.count === 1 ? list[0] : list;
    }
    return answers;
  }

  /** The pieces of a side that attack a square, as a set of squares. */
  attackers(side: Side, square: Square): bigint {
    return this.#position.attackers(0, side, square);
  }

  /** How many pieces of a side attack each square, from a1 to h8. */
  counts(side: Side): Uint8Array {
    return this.#position.counts(0, side);
  }

  /** The number of legal moves; undefined if the position is not one that can be played on. */
  get moveCount(): number | undefined {
    return this.#position.moveCount(0);
  }

  /** Whether the side to move is in check, checkmated or stalemated; undefined if nobody can play on from here. */
  get status(): Status | undefined {
    return this.#position.status(0);
  }

  /** Who attacks and who defends whom. */
  threats(): Threat[] {
    return (this.column('threats') as number[]).map((pair) => ({ from: pair & 255, to: pair >> 8 }));
  }

  /** Gives the memory back at once. Otherwise it is given back some time after the last use. */
  free(): void {
    this.#position.free();
  }
}

/** A game, replayed. */
export interface Game {
  /** The tags White, Black, Event, Date and Result, if the game has them. */
  readonly tags: Readonly<Record<string, string>>;
  /** The moves as the text has them. */
  readonly moves: readonly string[];
  /** The squares of each move. Castling is the king going to its rook; a null move has -1. */
  readonly squares: readonly { readonly from: number; readonly to: number }[];
  /** The positions, one more than moves. */
  readonly fens: readonly string[];
}

/**
 * Reads games in PGN. Movetext alone is a game. Of a game that cannot be replayed to its end the positions up to the
 * error are there, and `errors` says what is wrong.
 */
export function readGames(pgn: string | Uint8Array): { games: Game[]; errors: string[] } {
  buffer();
  const read = new wasm.Games(typeof pgn === 'string' ? new TextEncoder().encode(pgn) : pgn);
  const lines = (text: string): string[] => (text ? text.split('\n') : []);
  const games = Array.from({ length: read.length }, (_, game) => {
    const tags: Record<string, string> = {};
    for (const name of ['White', 'Black', 'Event', 'Date', 'Result']) {
      const value = read.tag(game, name);
      if (value !== undefined) tags[name] = value;
    }
    const bytes = read.squares(game);
    const squares = Array.from({ length: bytes.length / 2 }, (_, i) => ({ from: bytes[2 * i]!, to: bytes[2 * i + 1]! }));
    const moves = squares.map(({ from, to }) => (from === 64 ? { from: -1, to: -1 } : { from, to }));
    return { tags, moves: lines(read.san(game)), squares: moves, fens: lines(read.fens(game)) };
  });
  const errors = lines(read.errors());
  read.free();
  return { games, errors };
}

/** The start of a usual game. */
export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** The squares of a set, from 0 (a1) to 63 (h8). */
export function squares(set: bigint): number[] {
  const found: number[] = [];
  for (let half = 0; half < 2; half++) {
    let bits = Number(BigInt.asUintN(32, set >> BigInt(32 * half)));
    while (bits !== 0) {
      const low = bits & -bits;
      found.push(32 * half + 31 - Math.clz32(low));
      bits ^= low;
    }
  }
  return found;
}

/** The name of a square, as in `e4`. */
export function squareName(square: number): string {
  return 'abcdefgh'[square & 7]! + String((square >> 3) + 1);
}

/** The number of a square, 0 (a1) to 63 (h8). */
export function squareNumber(square: Square): number {
  const number =
    typeof square === 'number'
      ? square
      : /^[a-h][1-8]$/.test(square)
        ? 'abcdefgh'.indexOf(square[0]!) + 8 * (Number(square[1]) - 1)
        : -1;
  if (!(Number.isInteger(number) && number >= 0 && number < 64)) {
    throw new RangeError(`${JSON.stringify(square)} is not a square: a1 to h8, or 0 to 63`);
  }
  return number;
}

/** The look of the program's pictures. */
export interface Look {
  /** The outlines of pawn, knight, bishop, rook, queen and king: elements of SVG in a square of 45 by 45. */
  readonly outlines: readonly string[];
  /** Colours of squares by the number of attackers, 0 to 6 and more. */
  readonly scale: readonly string[];
  /** Colours of squares by white's attackers less black's, -4 to 4. */
  readonly net: readonly string[];
  /** Of the squares of a map, of arrows to enemies, of arrows to pieces of one's own. */
  readonly map: string;
  readonly attacked: string;
  readonly defended: string;
}

/** The look of the program's pictures: outlines of pieces, and colours. */
export function look(): Look {
  buffer();
  const colours = wasm.colours();
  const [map = '', attacked = '', defended = ''] = colours.slice(16);
  return { outlines: wasm.outlines(), scale: colours.slice(0, 7), net: colours.slice(7, 16), map, attacked, defended };
}
