// The board as SVG: coloured squares, pieces and layers. It only builds strings, so that saved pictures are the same as
// the page's.

import { look, squareName, type Look, type Side } from '../../package/src/index.js';
import { key, type State } from './state.js';
import { GROUNDS, LAYERS, ROLES, SIDES, other, roleOf, sideOf, type Facts } from './views.js';

/** The width of a square in the picture. */
export const SQUARE = 56;
export const BOARD = 8 * SQUARE;
/** The space for the names of ranks on the left, and of files below. */
export const LEFT = 20;
export const BELOW = 22;

/** The colours of marks of each side. The hues are those of net control: orange for white, blue for black. */
export const INK: Readonly<Record<Side, string>> = { white: '#b4560a', black: '#1f5fa8' };
const TINT: Readonly<Record<Side, string>> = { white: '#fbcd8b', black: '#9cc6e8' };
const PIN = '#7b2d9e';
const CHECK = '#c2185b';
const HANGING = '#c62828';
const LESSER = '#a85b00';
const MUTUAL = '#7b2d9e';
const LEGAL = '#1b7f3b';

let looks: Look | undefined;
const style = (): Look => (looks ??= look());

/** Returns the definitions for all pictures: outlines, hatches, and the style of pieces. */
export function definitions(): string {
  const outlines = ROLES.map((role, i) => `<g id="piece-${role}">${style().outlines[i]}</g>`);
  const hatch = (side: Side, path: string): string =>
    `<pattern id="hatch-${side}" width="8" height="8" patternUnits="userSpaceOnUse"><path d="${path}" stroke="${INK[side]}" stroke-width="1.6" stroke-opacity=".75" fill="none"/></pattern>`;
  return `<style>
.piece { stroke: #1d1d1f; stroke-width: 1.4; stroke-linejoin: round; stroke-linecap: round }
.piece.white { fill: #fff } .piece.white .line { fill: none; stroke: #1d1d1f }
.piece.black { fill: #3a3a3c } .piece.black .line { fill: none; stroke: #f4f4f4 }
.number { fill: #1d1d1f; font: bold 13px Helvetica, Arial, sans-serif; text-anchor: end; stroke: #fff; stroke-opacity: .5; stroke-width: 2.4; paint-order: stroke; stroke-linejoin: round }
.number.even { font-weight: normal; fill: #4a473f }
.coordinate { font: 13px Helvetica, Arial, sans-serif; text-anchor: middle }
</style><defs>${outlines.join('')}${hatch('white', 'M-2 2l4-4M0 8l8-8M6 10l4-4')}${hatch('black', 'M-2 6l4 4M0 0l8 8M6-2l4 4')}</defs>`;
}

/** Returns the upper left corner of a square. */
export function corner(square: number, flipped: boolean): [number, number] {
  const [file, rank] = [square & 7, square >> 3];
  return flipped ? [(7 - file) * SQUARE, rank * SQUARE] : [file * SQUARE, (7 - rank) * SQUARE];
}

function middle(square: number, flipped: boolean): [number, number] {
  const [x, y] = corner(square, flipped);
  return [x + SQUARE / 2, y + SQUARE / 2];
}

/** Draws a piece by its letter, with its corner at a point. */
export function piece(letter: string, x: number, y: number, size: number): string {
  const scale = (size / 45).toFixed(4);
  return `<g class="piece ${sideOf(letter)}" transform="translate(${x} ${y}) scale(${scale})"><use href="#piece-${roleOf(letter)}"/></g>`;
}

/** Returns white's attackers of a square minus black's. */
export function net(facts: Facts, square: number): number {
  return facts.counts.white[square]! - facts.counts.black[square]!;
}

/** Returns the number to show on a square; undefined if nothing attacks it. */
function numberOn(facts: Facts, { ground }: State, square: number): number | undefined {
  if (ground !== 'net') return ground === 'none' ? undefined : facts.counts[ground][square] || undefined;
  return SIDES.some((side) => facts.counts[side][square]) ? net(facts, square) : undefined;
}

function signed(number: number): string {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : '0';
}

/** Returns the colour of a square. */
function groundOf(facts: Facts, { ground }: State, square: number): string {
  const { scale, net: diverging } = style();
  if (ground === 'net') return diverging[4 + Math.max(-4, Math.min(4, net(facts, square)))]!;
  return scale[ground === 'none' ? 0 : Math.min(6, facts.counts[ground][square]!)]!;
}

/** Yields the sides and layers to show, in the order of the list. */
function* shown(state: State): Generator<[Side, (typeof LAYERS)[number]]> {
  for (const layer of LAYERS) {
    for (const side of SIDES) if (state.layers.has(key(side, layer.id))) yield [side, layer];
  }
}

const isRole = (layer: string): boolean => (ROLES as readonly string[]).includes(layer);

/** Returns the squares attacked by the selected roles of a side, or undefined if none is selected. */
function attackedByRoles(facts: Facts, state: State, side: Side): Set<number> | undefined {
  const roles = ROLES.filter((role) => state.layers.has(key(side, role)));
  if (roles.length === 0) return undefined;
  return new Set(roles.flatMap((role) => [...facts.sets[side][role]!]));
}

/** Draws the board without the marks that follow the pointer. `held` is the square of a piece that is being moved. */
export function board(facts: Facts, state: State, held?: number): string {
  const { flipped } = state;
  const parts: string[] = [];
  const all = Array.from({ length: 64 }, (_, square) => square);
  const at = (square: number): string => `data-square="${squareName(square)}"`;

  for (const square of all) {
    const [x, y] = corner(square, flipped);
    const dark = ((square & 7) + (square >> 3)) % 2 === 0;
    parts.push(`<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="${groundOf(facts, state, square)}" data-ground="" ${at(square)}/>`);
    if (dark) parts.push(`<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="#000" fill-opacity=".07"/>`);
  }

  // Attacks by role: in the colour of maps if nothing else colours the squares, else a half or a corner per side.
  const byRole = SIDES.map((side) => [side, attackedByRoles(facts, state, side)] as const).filter(([, set]) => set);
  for (const [side, set] of byRole) {
    for (const square of set!) {
      const [x, y] = corner(square, flipped);
      const data = `data-layer="${side}:roles" ${at(square)}`;
      if (state.ground !== 'none') {
        const d = side === 'white' ? `M${x} ${y + 36}v20h20z` : `M${x + SQUARE} ${y + 36}v20h-20z`;
        parts.push(`<path d="${d}" fill="${INK[side]}" fill-opacity=".85" ${data}/>`);
      } else if (byRole.length === 1) {
        parts.push(`<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="${style().map}" fill-opacity=".88" ${data}/>`);
      } else {
        const d = side === 'white' ? `M${x} ${y}v56h56z` : `M${x} ${y}h56v56z`;
        parts.push(`<path d="${d}" fill="${TINT[side]}" ${data}/>`);
      }
    }
  }
  const mark = (marks: Readonly<Record<string, Mark>>): void => {
    for (const [side, { id }] of shown(state)) {
      if (!marks[id]) continue;
      for (const square of facts.sets[side][id]!) {
        const [x, y] = corner(square, flipped);
        parts.push(marks[id](x, y, side, `data-layer="${side}:${id}" ${at(square)}`));
      }
    }
  };
  mark(BELOW_PIECES);

  const numbered = state.numbers && state.ground !== 'none';
  for (const square of all) {
    const letter = facts.pieces[square];
    if (!letter || square === held) continue;
    const [x, y] = corner(square, flipped);
    // Offset to the lower left, to leave the corner for the number.
    parts.push(numbered ? piece(letter, x + 1, y + 9, 47) : piece(letter, x + 3, y + 3, 50));
  }

  for (const [side, layer] of shown(state)) {
    if (layer.id === 'pins') {
      for (const pin of facts.pins[side]) {
        parts.push(line(pin.pinner, pin.king, flipped, PIN, `data-pin="${squareName(pin.pinner)}-${squareName(pin.king)}"`));
      }
    } else if (layer.id === 'checks') {
      const king = facts.pieces.indexOf(side === 'white' ? 'K' : 'k');
      for (const square of facts.sets[side]['checks']!) {
        if (facts.attackers(other(side), king).includes(square)) parts.push(arrow(square, king, flipped, CHECK, 6, false, ''));
      }
    } else if (layer.id === 'threats' || layer.id === 'defences') {
      for (const { from, to, kind, side: by } of facts.arrows) {
        const fits = layer.id === 'defences' ? kind === 'defence' && by === side : kind === 'mutual' || (kind === 'attack' && by === side);
        // An arrow with two heads belongs to both sides, but is drawn once.
        if (!fits || (kind === 'mutual' && side === 'black' && state.layers.has(key('white', 'threats')))) continue;
        const fill = kind === 'defence' ? style().defended : kind === 'mutual' ? MUTUAL : style().attacked;
        const data = `data-arrow="${kind}" data-by="${by}" data-from="${squareName(from)}" data-to="${squareName(to)}"`;
        parts.push(arrow(from, to, flipped, fill, kind === 'defence' ? 3 : 5, kind === 'mutual', data));
      }
    }
  }
  mark(BADGES);
  if (numbered) {
    for (const square of all) {
      const number = numberOn(facts, state, square);
      if (number === undefined) continue;
      const [x, y] = corner(square, flipped);
      const text = state.ground === 'net' ? signed(number) : String(number);
      parts.push(`<text class="number${number === 0 ? ' even' : ''}" x="${x + SQUARE - 4}" y="${y + 14}" data-count="${number}" ${at(square)}>${text}</text>`);
    }
  }
  return parts.join('\n');
}

/** Draws a layer on a square with its corner at a point. */
type Mark = (x: number, y: number, side: Side, data: string) => string;

const ring = (x: number, y: number, colour: string, opacity: number, data: string): string =>
  `<circle cx="${x + SQUARE / 2}" cy="${y + SQUARE / 2}" r="25" fill="${colour}" fill-opacity="${opacity}" stroke="${colour}" stroke-width="3" ${data}/>`;

const BELOW_PIECES: Readonly<Record<string, Mark>> = {
  xray: (x, y, side, data) => `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="url(#hatch-${side})" ${data}/>`,
  twice: (x, y, side, data) => {
    const inset = side === 'white' ? 2.5 : 6;
    const size = SQUARE - 2 * inset;
    return `<rect x="${x + inset}" y="${y + inset}" width="${size}" height="${size}" rx="5" fill="none" stroke="${INK[side]}" stroke-width="2.2" ${data}/>`;
  },
  danger: (x, y, side, data) => {
    const d = `M${x + (side === 'white' ? 5 : SQUARE - 15)} ${y + 41}l10 10m0-10l-10 10`;
    return `<path d="${d}" stroke="#fff" stroke-opacity=".8" stroke-width="5" stroke-linecap="round"/><path d="${d}" stroke="${INK[side]}" stroke-width="2.6" stroke-linecap="round" ${data}/>`;
  },
  checks: (x, y, _, data) => ring(x, y, CHECK, 0.3, data),
  pins: (x, y, _, data) => ring(x, y, PIN, 0.18, data),
};

const BADGES: Readonly<Record<string, Mark>> = {
  hanging: (x, y, _, data) => badge(x + 10, y + 11, 'hanging', data),
  lesser: (x, y, _, data) => badge(x + 10, y + 31, 'lesser', data),
};

function badge(x: number, y: number, layer: 'hanging' | 'lesser', data: string): string {
  const [fill, sign] = {
    hanging: [HANGING, `<path d="M${x} ${y - 5}v5.5M${x} ${y + 4.2}v.2" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>`],
    lesser: [LESSER, `<path d="M${x - 4} ${y - 2}l4 4 4-4" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`],
  }[layer];
  return `<g ${data}><circle cx="${x}" cy="${y}" r="8.5" fill="${fill}" stroke="#fff" stroke-width="1.5"/>${sign}</g>`;
}

/** Draws a dashed line between two squares. */
function line(from: number, to: number, flipped: boolean, stroke: string, data: string): string {
  const [[x1, y1], [x2, y2]] = [middle(from, flipped), middle(to, flipped)];
  return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${stroke}" stroke-width="4" stroke-opacity=".85" stroke-dasharray="2 8" stroke-linecap="round" fill="none" ${data}/>`;
}

/** Draws an arrow between the pieces on two squares, with two heads if both attack each other. */
function arrow(from: number, to: number, flipped: boolean, fill: string, width: number, both: boolean, data: string): string {
  const [[x1, y1], [x2, y2]] = [middle(from, flipped), middle(to, flipped)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const half = width / 2;
  const head = 2.7 * width + 2;
  const wide = 1.35 * width + 1.5;
  // Coordinates along and across the arrow. Two pieces that defend each other have parallel arrows.
  const aside = width < 4 ? 3 : 0;
  const at = (along: number, across: number): string => {
    const side = across + aside;
    return `${(x1 + ux * along - uy * side).toFixed(1)} ${(y1 + uy * along + ux * side).toFixed(1)}`;
  };
  const start = both ? 10 : 12;
  const end = length - 10;
  const tail = both
    ? [at(start + head, -half), at(start + head, -wide), at(start, 0), at(start + head, wide), at(start + head, half)]
    : [at(start, -half), at(start, half)];
  const points = [...tail, at(end - head, half), at(end - head, wide), at(end, 0), at(end - head, -wide), at(end - head, -half)];
  return `<path d="M${points.join('L')}z" fill="${fill}" fill-opacity=".82" stroke="#fff" stroke-opacity=".55" stroke-width=".8" stroke-linejoin="round" ${data}/>`;
}

/** Draws the marks that follow the pointer: the attackers of the square, and the legal destinations of its piece. */
export function pointed(facts: Facts, state: State, square: number): string {
  const { flipped } = state;
  const parts: string[] = [];
  const letter = facts.pieces[square];
  if (state.legal && letter) {
    for (const to of facts.destinations(square)) {
      const [x, y] = middle(to, flipped);
      const data = `data-destination="" data-square="${squareName(to)}"`;
      parts.push(
        facts.pieces[to]
          ? `<circle cx="${x}" cy="${y}" r="24" fill="none" stroke="${LEGAL}" stroke-width="5" stroke-opacity=".8" ${data}/>`
          : `<circle cx="${x}" cy="${y}" r="8" fill="${LEGAL}" fill-opacity=".8" stroke="#fff" stroke-opacity=".6" ${data}/>`,
      );
    }
  }
  const [x2, y2] = middle(square, flipped);
  for (const side of SIDES) {
    for (const from of facts.attackers(side, square)) {
      const [x1, y1] = middle(from, flipped);
      const data = `data-attacker="${side}" data-square="${squareName(from)}"`;
      parts.push(`<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#fff" stroke-opacity=".7" stroke-width="6" stroke-linecap="round"/>`);
      parts.push(`<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${INK[side]}" stroke-width="3.2" stroke-linecap="round"/>`);
      parts.push(`<circle cx="${x1}" cy="${y1}" r="7" fill="${INK[side]}" stroke="#fff" stroke-width="2" ${data}/>`);
    }
  }
  const [x, y] = corner(square, flipped);
  parts.push(`<rect x="${x + 1.5}" y="${y + 1.5}" width="53" height="53" fill="none" stroke="#fff" stroke-width="5"/><rect x="${x + 1.5}" y="${y + 1.5}" width="53" height="53" fill="none" stroke="#1d1d1f" stroke-width="2.5"/>`);
  return parts.join('');
}

/** Draws the names of files and ranks, around a board with its corner at (LEFT, 0). */
export function coordinates(flipped: boolean, fill: string): string {
  let text = '';
  for (let i = 0; i < 8; i++) {
    const [file, rank] = flipped ? ['hgfedcba'[i], i + 1] : ['abcdefgh'[i], 8 - i];
    text += `<text class="coordinate" fill="${fill}" x="${LEFT + i * SQUARE + SQUARE / 2}" y="${BOARD + 16}">${file}</text>`;
    text += `<text class="coordinate" fill="${fill}" x="${LEFT / 2 - 1}" y="${i * SQUARE + SQUARE / 2 + 5}">${rank}</text>`;
  }
  return text;
}

/** An entry of the legend: a mark, in a square of 24, and its meaning. */
export interface Entry {
  readonly mark: string;
  readonly text: string;
}

/** Lists the meanings of the marks on the board. The colours of the squares have a separate scale. */
export function legend(state: State): Entry[] {
  const entries: Entry[] = [];
  const add = (mark: string, text: string): void => void entries.push({ mark, text });
  const roles = SIDES.filter((side) => ROLES.some((role) => state.layers.has(key(side, role))));
  for (const side of roles) {
    const names = ROLES.filter((role) => state.layers.has(key(side, role)));
    const text = `attacked by ${side} ${names.map((role) => (role === 'king' ? role : `${role}s`)).join(', ')}`;
    const fill = state.ground !== 'none' ? INK[side] : roles.length === 1 ? style().map : TINT[side];
    add(state.ground === 'none' && roles.length === 1 ? `<rect x="2" y="2" width="20" height="20" fill="${fill}"/>` : side === 'white' ? `<path d="M2 2v20h20z" fill="${fill}"/>` : state.ground === 'none' ? `<path d="M2 2h20v20z" fill="${fill}"/>` : `<path d="M22 2v20H2z" fill="${fill}"/>`, text);
  }
  const both = (id: string): boolean => SIDES.every((side) => state.layers.has(key(side, id)));
  for (const [side, { id }] of shown(state)) {
    const ink = INK[side];
    const name = side === 'white' ? 'White' : 'Black';
    // Marks that look the same for both sides share one entry.
    const joined = both(id);
    const ofSide = joined ? '' : `${side} piece `;
    if (joined && side === 'black' && !['danger', 'twice', 'xray'].includes(id)) continue;
    if (id === 'threats') {
      add(small(style().attacked, false), joined ? 'attacks' : `${name} attacks`);
      add(small(MUTUAL, true), 'attack each other');
    } else if (id === 'defences') add(small(style().defended, false), joined ? 'defends' : `${name} defends`);
    else if (id === 'hanging') add(badge(12, 12, 'hanging', ''), `${ofSide}attacked and not defended`);
    else if (id === 'lesser') add(badge(12, 12, 'lesser', ''), `${ofSide}attacked by a lesser piece`);
    else if (id === 'pins') add(`<circle cx="12" cy="12" r="9.5" fill="${PIN}" fill-opacity=".18" stroke="${PIN}" stroke-width="2.5"/>`, `${ofSide}pinned to the king`);
    else if (id === 'checks') add(`<circle cx="12" cy="12" r="9.5" fill="${CHECK}" fill-opacity=".3" stroke="${CHECK}" stroke-width="2.5"/>`, joined ? 'gives check' : `gives check to ${name}`);
    else if (id === 'danger') add(`<path d="M7 7l10 10m0-10l-10 10" stroke="${ink}" stroke-width="2.6" stroke-linecap="round"/>`, `the ${side} king must not enter`);
    else if (id === 'twice') add(`<rect x="3" y="3" width="18" height="18" rx="4" fill="none" stroke="${ink}" stroke-width="2.2"/>`, `${name} attacks twice or more`);
    else if (id === 'xray') add(`<rect x="2" y="2" width="20" height="20" fill="#f6f4ef"/><rect x="2" y="2" width="20" height="20" fill="url(#hatch-${side})"/>`, `${side} x-rays`);
    else if (!isRole(id)) throw new Error(`no legend for ${id}`);
  }
  return entries;
}

/** Draws an arrow for the legend. */
function small(fill: string, both: boolean): string {
  return `<path d="${both ? 'M8 5.5L1.5 12 8 18.5v-4h8v4l6.5-6.5L16 5.5v4H8z' : 'M2 9.5h11v-4l9.5 6.5L13 18.5v-4H2z'}" fill="${fill}"/>`;
}

/** Returns the colours of the squares and the numbers that they represent. */
export function scale(state: State): { colours: readonly string[]; texts: readonly string[]; title: string } | undefined {
  const { scale: colours, net: diverging } = style();
  if (state.ground === 'none') return undefined;
  if (state.ground === 'net') {
    return { colours: diverging, texts: ['−4', '−3', '−2', '−1', '0', '+1', '+2', '+3', '+4'], title: 'White’s attackers less black’s' };
  }
  const name = state.ground === 'white' ? 'White' : 'Black';
  return { colours, texts: ['0', '1', '2', '3', '4', '5', '6+'], title: `${name}’s attackers` };
}

/** Describes the views in words. */
export function title(state: State): string {
  const ground = GROUNDS.find(({ id }) => id === state.ground)!;
  const grounds = { none: '', white: 'White’s attackers', black: 'Black’s attackers', net: 'Control of every square' };
  const layers = [...new Set([...shown(state)].map(([, layer]) => layer.label))];
  const names = [...(ground.id === 'none' ? [] : [grounds[ground.id]]), ...layers];
  if (names.length === 0) return 'Position';
  const lower = names.map((name, i) => (i > 0 && !name.startsWith('X-') ? name[0]!.toLowerCase() + name.slice(1) : name));
  return names.length > 3 ? `${lower.slice(0, 2).join(', ')} and ${names.length - 2} more` : lower.join(', ');
}
