// The same for Node, which reads the module from the file beside this one.

import { readFile } from 'node:fs/promises';

import load, { type Source } from './index.js';

export * from './index.js';

/** Loads the module. Wait for it before anything else; calling it again does nothing. */
export default function init(source?: Source | Promise<Source>): Promise<void> {
  return load(source ?? readFile(new URL('./setwise.wasm', import.meta.url)));
}
