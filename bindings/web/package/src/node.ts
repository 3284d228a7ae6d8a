// The entry point for Node, which reads the module from the file next to this one.

import { readFile } from 'node:fs/promises';

import load, { type Source } from './index.js';

export * from './index.js';

/** Loads the module. Await it before any other call. Calling it again does nothing. */
export default function init(source?: Source | Promise<Source>): Promise<void> {
  return load(source ?? readFile(new URL('./setwise.wasm', import.meta.url)));
}
