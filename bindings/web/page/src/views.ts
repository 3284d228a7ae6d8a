// The views: their names, the columns that they need, and the facts about a position that they show. No drawing.

import { Position, squares, type Side } from '../../package/src/index.js';

export const SIDES: readonly Side[] = ['white', 'black'];
export const ROLES = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'] as const;
export type Role = (typeof ROLES)[number];

/** The meanings of the colours of the squares. */
export const GROUNDS = [
  { id: 'none', label: 'Plain', hint: 'The board without colours' },
  { id: 'white', label: 'White', hint: 'The number of white pieces that attack each square' },
  { id: 'black', label: 'Black', hint: 'The number of black pieces that attack each square' },
  { id: 'net', label: 'Control', hint: 'White’s attackers minus black’s: orange for white, blue for black' },
] as const;
export type Ground = (typeof GROUNDS)[number]['id'];

export interface Layer {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** For sets of squares: the column of each side that the layer shows, and its meaning for a square in words. */
  readonly column?: string;
  readonly says?: (side: Side) => string;
}

/** The marks on the squares, for each side separately. */
export const LAYERS: readonly Layer[] = [
  { id: 'threats', label: 'Threats', hint: 'Arrows to enemies that are attacked; where both attack each other, one arrow with two heads' },
  { id: 'defences', label: 'Defences', hint: 'Arrows to own pieces that are defended' },
  { id: 'hanging', label: 'Hanging', hint: 'Pieces that are attacked and not defended', column: 'hanging', says: () => 'hanging' },
  { id: 'lesser', label: 'Attacked by lesser', hint: 'Pieces that a piece of lesser value attacks', column: 'lesser', says: () => 'attacked by a lesser piece' },
  { id: 'pins', label: 'Pins', hint: 'Pieces that are pinned to their king, and what pins them', column: 'pinned', says: () => 'pinned' },
  { id: 'checks', label: 'Checks', hint: 'Pieces that give check to the king', column: 'checkers', says: (side) => `gives check to ${side}` },
  { id: 'danger', label: 'King must not enter', hint: 'Squares where the king would be in check', column: 'king_danger', says: (side) => `the ${side} king must not enter` },
  { id: 'twice', label: 'Attacked twice', hint: 'Squares that at least two pieces attack', column: 'twice', says: (side) => `attacked twice by ${side}` },
  { id: 'xray', label: 'X-rays', hint: 'Squares that sliders attack through exactly one piece', column: 'xray', says: (side) => `in a ${side} x-ray` },
  ...ROLES.map((role) => {
    const pieces = role === 'king' ? 'the king' : `${role}s`;
    const says = (side: Side): string => `attacked by ${pieces} of ${side}`;
    return { id: role, label: `By ${pieces}`, hint: `Squares that ${pieces} attack${role === 'king' ? 's' : ''}`, column: role, says };
  }),
];

/** An arrow between two pieces. */
export interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly kind: 'attack' | 'mutual' | 'defence';
  /** The side of the attacker; white for mutual attacks. */
  readonly side: Side;
}

/** A slider that pins a piece to a king. */
export interface Pin {
  readonly pinner: number;
  readonly king: number;
}

/** All facts that the page shows about a position. */
export interface Facts {
  readonly fen: string;
  readonly pieces: readonly string[];
  readonly turn: Side;
  readonly counts: Readonly<Record<Side, Uint8Array>>;
  /** The squares of the layers that are sets, by side and layer. */
  readonly sets: Readonly<Record<Side, Readonly<Record<string, ReadonlySet<number>>>>>;
  readonly pins: Readonly<Record<Side, readonly Pin[]>>;
  readonly arrows: readonly Arrow[];
  readonly mobility: Readonly<Record<Side, Readonly<Record<Role, { all: number; safe: number }>>>>;
  /** Check, checkmate or stalemate, if the position is valid for play. */
  readonly status?: 'check' | 'checkmate' | 'stalemate';
  /** The number of legal moves, if the position is valid for play. */
  readonly moves?: number;
  /** Returns the pieces of a side that attack a square. */
  attackers(side: Side, square: number): number[];
  /** Returns the destinations of the legal moves of the piece on a square. */
  destinations(square: number): number[];
  /** Returns the position after the legal move between two squares; undefined if there is none. Pawns promote to a queen. */
  played(from: number, to: number): string | undefined;
}

/** Returns the side of a piece, by its letter in FEN. */
export function sideOf(letter: string): Side {
  return letter === letter.toUpperCase() ? 'white' : 'black';
}

/** Returns the role of a piece, by its letter in FEN. */
export function roleOf(letter: string): Role {
  return ROLES['pnbrqk'.indexOf(letter.toLowerCase())]!;
}

export function other(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

/** The columns to compute. */
const WANTED = [
  'threats',
  'legal_moves',
  ...SIDES.flatMap((side) => [
    ...LAYERS.flatMap(({ column }) => (column ? [`${side}_${column}`] : [])),
    `${side}_pinners`,
    ...ROLES.flatMap((role) => [`${side}_mobility_${role}`, `${side}_safe_mobility_${role}`]),
  ]),
];

/** Computes all facts of a position. */
export function factsOf(fen: string): Facts {
  const position = new Position(fen);
  const answers = position.columns(WANTED);
  const pieces = position.pieces;
  const setOf = (name: string): ReadonlySet<number> => new Set(squares(answers[name] as bigint));
  const perSide = <T>(of: (side: Side) => T): Record<Side, T> => ({ white: of('white'), black: of('black') });
  const sets = perSide((side) => {
    const layers = LAYERS.filter((layer) => layer.column);
    return Object.fromEntries(layers.map((layer) => [layer.id, setOf(`${side}_${layer.column}`)]));
  });
  const mobility = perSide(
    (side) =>
      Object.fromEntries(
        ROLES.map((role) => {
          const all = answers[`${side}_mobility_${role}`] as number;
          return [role, { all, safe: answers[`${side}_safe_mobility_${role}`] as number }];
        }),
      ) as Record<Role, { all: number; safe: number }>,
  );
  const pins = perSide((side) => pinsOf(pieces, side, sets[side]['pins']!, setOf(`${side}_pinners`)));
  const moves = (answers['legal_moves'] ?? []) as number[]; // destination + 64 * origin, and bits of promotions
  const { status, moveCount } = position;
  const text = position.fen;
  return {
    fen: text,
    pieces,
    turn: text.split(' ')[1] === 'b' ? 'black' : 'white',
    counts: perSide((side) => position.counts(side)),
    sets,
    pins,
    arrows: arrowsOf(pieces, answers['threats'] as number[]),
    mobility,
    ...(status && status !== 'normal' && { status }),
    ...(moveCount !== undefined && { moves: moveCount }),
    attackers: (side, square) => squares(position.attackers(side, square)),
    destinations: (square) => [...new Set(moves.filter((move) => ((move >> 6) & 63) === square).map((move) => move & 63))],
    played: (from, to) => {
      const move = moves.filter((move) => (move & 4095) === to + 64 * from).at(-1); // a promotion to a queen is the last one
      return move === undefined ? undefined : position.played(move);
    },
  };
}

/** Converts pairs to arrows. Two pieces that attack each other share one arrow. */
function arrowsOf(pieces: readonly string[], threats: readonly number[]): Arrow[] {
  const pairs = new Set(threats);
  const arrows: Arrow[] = [];
  for (const pair of threats) {
    const [from, to] = [pair & 255, pair >> 8];
    const side = sideOf(pieces[from]!);
    if (side === sideOf(pieces[to]!)) {
      arrows.push({ from, to, kind: 'defence', side });
    } else if (!pairs.has(to | (from << 8))) {
      arrows.push({ from, to, kind: 'attack', side });
    } else if (side === 'white') {
      arrows.push({ from, to, kind: 'mutual', side });
    }
  }
  return arrows;
}

/** Finds pins: a slider, a pinned piece and a king on a line, with nothing else in between. */
function pinsOf(pieces: readonly string[], side: Side, pinned: ReadonlySet<number>, pinners: ReadonlySet<number>): Pin[] {
  const kings = [...pieces.keys()].filter((square) => pieces[square] === (side === 'white' ? 'K' : 'k'));
  const isPin = ({ pinner, king }: Pin): boolean => {
    const [files, ranks] = [(king & 7) - (pinner & 7), (king >> 3) - (pinner >> 3)];
    const isOrthogonal = files === 0 || ranks === 0;
    const slides = (isOrthogonal ? 'rq' : 'bq').includes(pieces[pinner]!.toLowerCase());
    if (!slides || (!isOrthogonal && Math.abs(files) !== Math.abs(ranks))) return false;
    const steps = Math.max(Math.abs(files), Math.abs(ranks));
    const line = Array.from({ length: steps - 1 }, (_, i) => pinner + ((i + 1) * (king - pinner)) / steps);
    const [first, second] = line.filter((square) => pieces[square]);
    return first !== undefined && second === undefined && pinned.has(first);
  };
  return [...pinners].flatMap((pinner) => kings.map((king) => ({ pinner, king }))).filter(isPin);
}
