// What the page shows now, and how the link says it.

import { START, type Side } from '../../package/src/index.js';
import { GROUNDS, LAYERS, SIDES, type Ground } from './views.js';

export interface State {
  fen: string;
  ground: Ground;
  /** The layers that are shown, as in `white:pins`. */
  layers: Set<string>;
  /** Whether numbers stand on coloured squares. */
  numbers: boolean;
  /** Whether the piece under the pointer shows where it can go. */
  legal: boolean;
  /** Whether black is below. */
  flipped: boolean;
}

/** The name of a layer of a side. */
export function key(side: Side, layer: string): string {
  return `${side}:${layer}`;
}

/** The state as what stands behind `#`. */
export function toLink(state: State): string {
  const parts = [`fen=${state.fen.replaceAll(' ', '_')}`, `show=${state.ground}`];
  if (state.layers.size > 0) parts.push(`layers=${[...state.layers].join(',')}`);
  if (!state.numbers) parts.push('numbers=no');
  if (!state.legal) parts.push('legal=no');
  if (state.flipped) parts.push('below=black');
  return '#' + parts.join('&');
}

/** The state that a link says. What it does not say, or says wrongly, is as it is at first. */
export function fromLink(link: string): State {
  const state: State = { fen: START, ground: 'net', layers: new Set(), numbers: true, legal: true, flipped: false };
  for (const part of link.replace(/^#/, '').split('&')) {
    const [name = '', raw = ''] = part.split(/=(.*)/s);
    let value = raw;
    try {
      value = decodeURIComponent(raw);
    } catch {
      // A lone per cent sign: it stands for itself.
    }
    if (name === 'fen' && value) state.fen = value.replaceAll('_', ' ');
    if (name === 'show') state.ground = GROUNDS.find(({ id }) => id === value)?.id ?? state.ground;
    if (name === 'layers') state.layers = new Set(value.split(',').filter(isLayer));
    if (name === 'numbers') state.numbers = value !== 'no';
    if (name === 'legal') state.legal = value !== 'no';
    if (name === 'below') state.flipped = value === 'black';
  }
  return state;
}

function isLayer(name: string): boolean {
  return SIDES.some((side) => LAYERS.some((layer) => key(side, layer.id) === name));
}
