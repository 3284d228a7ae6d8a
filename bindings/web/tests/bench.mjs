// Compares the computation of sixteen attack maps by the module in bulk, by a plain TypeScript loop with tables, and by
// chess.js's `attackers`, in one run in Node, which has Chromium's engine. Prints ratios of medians.
//
//     npm run build && npm run bench

import { Chess, SQUARES } from 'chess.js';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import init, { Positions } from '../dist/package/dist/node.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { outputFiles } = await build({ entryPoints: [at('../page/src/loop.ts')], bundle: true, format: 'esm', write: false, logLevel: 'warning' });
const { attackMaps, boards } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

await init();
const fens = readFileSync(at('../../../data/sample.epd'), 'utf8').trim().split('\n');
const ROWS = 8000;
const positions = new Positions(Array.from({ length: ROWS }, (_, i) => fens[i % fens.length]).join('\n'));
const plain = boards(Array.from({ length: ROWS }, (_, row) => positions.pieces(row)));
const maps = new Int32Array(32 * ROWS);

// Check the rivals against the module: all sixteen maps of the loop, and both sides' attacked squares of chess.js.
const columns = Object.values(positions.fill('default'));
attackMaps(plain, maps);
columns.forEach(({ values }, column) => {
  for (let row = 0; row < ROWS; row++) {
    const i = 32 * row + 2 * column;
    const value = (BigInt(maps[i + 1] >>> 0) << 32n) | BigInt(maps[i] >>> 0);
    if (value !== values[row]) throw new Error(`the loop's map ${column} of ${positions.fen(row)} differs`);
  }
});
const OTHERS = 100;
const others = fens.slice(0, OTHERS).map((fen) => {
  const chess = new Chess();
  chess.load(fen, { skipValidation: true });
  return chess;
});
/** Finds the attackers of each square, for both sides. Computing the maps from these would take more time. */
const ask = (chess) => SQUARES.map((square) => [chess.attackers(square, 'w'), chess.attackers(square, 'b')]);
others.forEach((chess, row) => {
  ask(chess).forEach(([white, black], i) => {
    const bit = BigInt('abcdefgh'.indexOf(SQUARES[i][0]) + 8 * (SQUARES[i][1] - 1));
    const [w, b] = [columns[6], columns[14]].map(({ values }) => (values[row] >> bit) & 1n);
    if ((white.length > 0) !== (w === 1n) || (black.length > 0) !== (b === 1n)) {
      throw new Error(`chess.js differs on ${SQUARES[i]} of ${fens[row]}`);
    }
  });
});

const runs = {
  module: { rows: 10 * ROWS, run: () => { for (let i = 0; i < 10; i++) positions.fill('default', { view: true }); } },
  'module, with copies': { rows: 10 * ROWS, run: () => { for (let i = 0; i < 10; i++) positions.fill('default'); } },
  loop: { rows: ROWS, run: () => attackMaps(plain, maps) },
  'chess.js': { rows: OTHERS, run: () => others.forEach(ask) },
};
const rates = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
for (let round = 0; round < 15; round++) {
  for (const [name, { rows, run }] of Object.entries(runs)) {
    const start = performance.now();
    run();
    if (round >= 4) rates[name].push(rows / (performance.now() - start) / 1000);
  }
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
for (const [name, list] of Object.entries(rates)) {
  const times = median(rates.module) / median(list);
  console.log(`${name.padEnd(20)} ${median(list).toFixed(4).padStart(9)} million positions a second   ${times.toFixed(1)}`);
}
