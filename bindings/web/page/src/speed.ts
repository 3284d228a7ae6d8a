// Measures positions per second: the module and a plain loop, in this browser, on the positions of the examples.

import { Positions, readGames } from '../../package/src/index.js';
import { EXAMPLES } from './examples.js';
import { attackMaps, boards } from './loop.js';

const ROWS = 8192;

export interface Speed {
  /** Positions per second, with sixteen attack maps each. */
  readonly module: number;
  readonly loop: number;
}

/** Returns the median of some runs, in rows per second. */
function median(seconds: number[], rows: number): number {
  seconds.sort((a, b) => a - b);
  return rows / seconds[seconds.length >> 1]!;
}

/** Measures both in alternating runs. Throws if their maps differ. */
export async function measure(): Promise<Speed> {
  const games = EXAMPLES.flatMap(({ pgn }) => (pgn ? readGames(pgn).games : []));
  const fens = games.flatMap((game) => game.fens);
  const lines = Array.from({ length: ROWS }, (_, i) => fens[i % fens.length]!);
  const positions = new Positions(lines.join('\n'));
  const plain = boards(Array.from({ length: ROWS }, (_, row) => positions.pieces(row)));
  const maps = new Int32Array(32 * ROWS);
  const [seconds, plainSeconds]: [number[], number[]] = [[], []];
  const timed = (run: () => void, times: number): number => {
    const start = performance.now();
    for (let i = 0; i < times; i++) run();
    return (performance.now() - start) / 1000 / times;
  };
  for (let round = 0; round < 9; round++) {
    seconds.push(timed(() => positions.fill('default', { view: true }), 8));
    plainSeconds.push(timed(() => attackMaps(plain, maps), 1));
    await new Promise((done) => setTimeout(done));
  }
  const columns = Object.values(positions.fill('default', { view: true }));
  const differ = columns.some(({ values }, column) =>
    Array.from({ length: ROWS }, (_, row) => row).some((row) => {
      const at = 32 * row + 2 * column;
      const value = (BigInt(maps[at + 1]! >>> 0) << 32n) | BigInt(maps[at]! >>> 0);
      return value !== values[row];
    }),
  );
  positions.free();
  if (differ) throw new Error('the maps of the module and of the loop differ');
  // During the first rounds, the browser is still compiling.
  return { module: median(seconds.slice(2), ROWS), loop: median(plainSeconds.slice(2), ROWS) };
}
