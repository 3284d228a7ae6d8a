// Describes squares in words, for the line below the board and for screen readers.

import { squareName, type Side } from '../../package/src/index.js';
import { key, type State } from './state.js';
import { LAYERS, SIDES, roleOf, sideOf, type Facts } from './views.js';

/** Returns the name of a piece by its letter, such as `white knight`. */
export function pieceName(letter: string): string {
  return `${sideOf(letter)} ${roleOf(letter)}`;
}

/** Returns the pieces of a side that attack a square, such as `Nf3, e4`. */
export function attackerNames(facts: Facts, side: Side, square: number): string {
  const names = facts.attackers(side, square).map((from) => {
    const letter = facts.pieces[from]!.toUpperCase();
    return (letter === 'P' ? '' : letter) + squareName(from);
  });
  return names.join(', ');
}

/** Describes a square: its name, its piece, the number of attackers, and the facts of the selected views. */
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
