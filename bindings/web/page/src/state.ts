// The state of the page, and its encoding in links.

import { START, type Side } from '../../package/src/index.js';
import { GROUNDS, LAYERS, SIDES, type Ground } from './views.js';

export interface State {
  fen: string;
  ground: Ground;
  /** The layers to show, such as `white:pins`. */
  layers: Set<string>;
  /** True if coloured squares have numbers. */
  numbers: boolean;
  /** True if legal destinations are shown for the piece under the pointer. */
  legal: boolean;
  /** True if black is at the bottom. */
  flipped: boolean;
}

/** Returns the name of a layer of a side. */
export function key(side: Side, layer: string): string {
  return `${side}:${layer}`;
}

/** Encodes the state as the fragment of a link (after `#`). */
export function toLink(state: State): string {
  const parts = [`fen=${state.fen.replaceAll(' ', '_')}`, `show=${state.ground}`];
  if (state.layers.size > 0) parts.push(`layers=${[...state.layers].join(',')}`);
  if (!state.numbers) parts.push('numbers=no');
  if (!state.legal) parts.push('legal=no');
  if (state.flipped) parts.push('below=black');
  return '#' + parts.join('&');
}

/** Decodes the state of a link. Missing and invalid values are replaced by defaults. */
export function fromLink(link: string): State {
  const state: State = { fen: START, ground: 'net', layers: new Set(), numbers: true, legal: true, flipped: false };
  for (const part of link.replace(/^#/, '').split('&')) {
    const [name = '', raw = ''] = part.split(/=(.*)/s);
    let value = raw;
    try {
      value = decodeURIComponent(raw);
    } catch {
      // An invalid escape sequence is taken literally.
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
