// What is on a square, in words: for the line below the board and for screen readers.

import { squareName, type Side } from '../../package/src/index.js';
import { key, type State } from './state.js';
import { LAYERS, SIDES, roleOf, sideOf, type Facts } from './views.js';

/** A piece by its letter, as in `white knight`. */
export function pieceName(letter: string): string {
  return `${sideOf(letter)} ${roleOf(letter)}`;
}

/** The pieces of a side that attack a square, as in `Nf3, e4`. */
export function attackerNames(facts: Facts, side: Side, square: number): string {
  const names = facts.attackers(side, square).map((from) => {
    const letter = facts.pieces[from]!.toUpperCase();
    return (letter === 'P' ? '' : letter) + squareName(from);
  });
  return names.join(', ');
}

/** A square in words: its name, its piece, how many attack it, and what the chosen views say of it. */
export function squareInWords(facts: Facts, state: State, square: number): string {
  const letter = facts.pieces[square];
  const words = [squareName(square), letter ? pieceName(letter) : 'empty'];
  const { white, black } = facts.counts;
  words.push(`attacked by ${white[square]} white, ${black[square]} black`);
  for (const layer of LAYERS) {
    for (const side of SIDES) {
      if (!state.layers.has(key(side, layer.id))) continue;
      if (layer.id === 'threats' || layer.id === 'defences') {
        const kinds = layer.id === 'threats' ? ['attack', 'mutual'] : ['defence'];
        for (const { from, to, kind, side: by } of facts.arrows) {
          if (!kinds.includes(kind)) continue;
          if (from === square && by === side) words.push(`${kind === 'defence' ? 'defends' : 'attacks'} ${squareName(to)}`);
          if (to === square && kind === 'mutual' && side === 'black') words.push(`attacks ${squareName(from)}`);
        }
      } else if (facts.sets[side][layer.id]?.has(square)) {
        words.push(layer.says!(side));
      }
    }
  }
  return words.join(', ');
}
