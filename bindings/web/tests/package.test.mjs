// Tests the npm package in Node: its contents, its three examples, bulk calls and errors, and compares it with
// chess.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';

import { Chess, SQUARES } from 'chess.js';

import init, { Position, Positions, START, columns, look, readGames, squareName, squareNumber, squares } from '../dist/package/dist/node.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const sample = readFileSync(at('../../../data/sample.epd'), 'utf8').trim().split('\n');

test('a page in place of the module is an error that says what to do', async () => {
  const { default: fetching } = await import('../dist/package/dist/index.js?again');
  const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  for (const source of ['data:text/html,<p>', new URL('data:text/html,<p>'), page(), Promise.resolve(page())]) {
    await assert.rejects(fetching(source), /expected WebAssembly, found text\/html.* optimizeDeps: \{ exclude: \['setwise'\] \}/);
  }
  await assert.rejects(fetching(new Response('', { status: 404, headers: { 'content-type': 'text/html' } })), /404/);
  // The default address, as a server for development answers it.
  const { fetch } = globalThis;
  globalThis.fetch = async (address) => (assert.equal(address.pathname, new URL('../dist/package/dist/setwise.wasm', import.meta.url).pathname), page());
  await assert.rejects(fetching(), /found text\/html/).finally(() => (globalThis.fetch = fetch));
  // A module of the wrong type.
  const bytes = readFileSync(at('../dist/package/dist/setwise.wasm'));
  await fetching(new Response(bytes, { headers: { 'content-type': 'text/html' } }));
});

test('nothing works before the module is loaded, and the message says why', async () => {
  assert.throws(() => new Position(START), /await init\(\)/);
  await Promise.all([init(), init()]);
  await init();
});

test('the package holds what it should, and works where it is unpacked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setwise-'));
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: at('../dist/package'), stdio: 'pipe' });
  const [file] = readdirSync(folder);
  assert.match(file, /^setwise-\d+\.\d+\.\d+\.tgz$/);
  assert.ok(gunzipSync(readFileSync(join(folder, file))).length > 0);
  const list = execFileSync('tar', ['-tzf', file], { cwd: folder, encoding: 'utf8' }).trim().split('\n').sort();
  assert.deepEqual(list, [
    'package/LICENSE-APACHE',
    'package/LICENSE-MIT',
    'package/README.md',
    'package/dist/index.d.ts',
    'package/dist/index.js',
    'package/dist/node.d.ts',
    'package/dist/node.js',
    'package/dist/setwise.wasm',
    'package/dist/setwise_web.d.ts',
    'package/dist/setwise_web.js',
    'package/package.json',
  ]);
  const module = readFileSync(at('../dist/package/dist/setwise.wasm'), 'latin1');
  assert.ok(module.includes('setwise/src/bulk/fill.rs'));
  for (const place of [at('../../..'), process.env.CARGO_HOME ?? '/.cargo/']) assert.ok(!module.includes(place), place);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', './' + file], { cwd: folder, stdio: 'pipe' });
  const script = "import init, { Position } from 'setwise'; await init(); console.log(new Position('4k3/8/8/8/8/8/8/R3K3 w - - 0 1').column('white_rook'));";
  const out = execFileSync('node', ['--input-type=module', '--eval', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(out, '72340172838076702n\n'); // a2 to a8 and b1 to e1
  // Its types need none of the browser's or Node's.
  writeFileSync(join(folder, 'use.mts'), "import init, { Positions, START, type Values } from 'setwise';\nawait init(new Uint8Array());\nexport const values: Values = new Positions(START).fill('white_all')['white_all']!;\n");
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022', '--types', '', 'use.mts'];
  execFileSync(at('../node_modules/.bin/tsc'), options, { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
});

test('the examples of the README run, with the answers that it shows', () => {
  const readme = readFileSync(at('../package/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  assert.equal(examples.length, 3);
  const { engines } = JSON.parse(readFileSync(at('../package/package.json'), 'utf8'));
  assert.ok(readme.includes(`in Node since ${engines.node.replace('>=', '')}.`));
  for (const code of examples) {
    const folder = dirname(at('../dist/package/dist/node.js'));
    const file = join(mkdtempSync(join(tmpdir(), 'setwise-')), 'example.mjs');
    writeFileSync(file, code.replaceAll("from 'setwise'", `from ${JSON.stringify(join(folder, 'node.js'))}`));
    const printed = execFileSync('node', [file], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } }).trim().split('\n');
    const shown = [...code.matchAll(/^console\.log.*\/\/ (.*)$/gm)].map(([, line]) => line);
    assert.ok(shown.length > 0);
    assert.deepEqual(printed, shown);
  }
});

test('bulk: 100,000 positions, each as it is alone', () => {
  const rows = 100_000;
  const bytes = new TextEncoder().encode(Array.from({ length: rows }, (_, i) => sample[i % sample.length] + '\n').join(''));
  const positions = new Positions(bytes);
  assert.equal(positions.length, rows);
  const names = ['default', 'white_count_*', 'black_xray', 'checkers', 'white_mobility_queen', 'threats'];
  const filled = positions.fill(names);
  const viewed = positions.fill(names, { view: true });
  assert.equal(Object.keys(filled).length, 16 + 5 + 4);
  assert.deepEqual(Object.keys(filled), Object.keys(viewed));
  for (const [name, { column, values, offsets }] of Object.entries(filled)) {
    assert.equal(column.name, name);
    assert.equal((offsets ?? values).length, offsets ? rows + 1 : rows);
    assert.deepEqual(viewed[name].values, values);
  }
  for (let row = 0; row < sample.length; row++) {
    const position = new Position(sample[row]);
    const alone = position.columns(names);
    for (const again of [row, rows - sample.length + row]) {
      for (const [name, { values, offsets }] of Object.entries(filled)) {
        const value = offsets ? Array.from(values.subarray(offsets[again], offsets[again + 1])) : values[again];
        assert.deepEqual(value, alone[name], `${name} of ${sample[row]}`);
      }
    }
    position.free();
  }
  positions.free();
});

test('views outlive their positions until they are dropped themselves', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const viewed = new Positions(`${START}\n`.repeat(50)).fill(['white_all', 'white_pinned', 'legal_moves'], { view: true });
  const arrays = Object.values(viewed).flatMap(({ values, offsets, valid }) => [values, offsets, valid]).filter(Boolean);
  assert.ok(arrays.length > 4);
  const before = arrays.map((array) => array.slice());
  for (let i = 0; i < 10; i++) {
    collect();
    await new Promise((next) => setTimeout(next, 10));
  }
  assert.deepEqual(arrays, before);
});

test('positions remain usable after a call that found no memory', () => {
  const code = `
    import init, { Positions } from ${JSON.stringify(at('../dist/package/dist/node.js'))};
    await init();
    const positions = new Positions('${START}\\n'.repeat(100_000));
    let message;
    try { positions.fill('*'); } catch (error) { message = error.message; }
    const { white_all } = positions.fill('white_all');
    console.log(JSON.stringify([message, white_all.values[99_999] === 0xffff7en, positions.fen(99_999)]));
    positions.free();`;
  const child = ['--wasm-max-mem-pages=800', '--input-type=module', '--eval', code];
  const [message, isRight, fen] = JSON.parse(execFileSync('node', child, { encoding: 'utf8' }));
  assert.equal(message, `no memory for ${columns().length} columns of 100000 positions: free others, or fill fewer at once`);
  assert.deepEqual([isRight, fen], [true, START]);
});

test('attackers, counts and attacked squares are those of chess.js', () => {
  for (const fen of sample.slice(0, 100)) {
    const chess = new Chess();
    chess.load(fen, { skipValidation: true });
    const position = new Position(fen);
    for (const [side, letter] of [['white', 'w'], ['black', 'b']]) {
      const counts = position.counts(side);
      const all = new Set(squares(position.column(`${side}_all`)));
      for (const square of SQUARES) {
        const theirs = chess.attackers(square, letter).sort();
        assert.deepEqual(squares(position.attackers(side, square)).map(squareName).sort(), theirs, `${square} of ${fen}`);
        assert.equal(counts[squareNumber(square)], theirs.length);
        assert.equal(all.has(squareNumber(square)), theirs.length > 0);
      }
    }
    position.free();
  }
});

test('threats are the occupied squares that chess.js finds attacked', () => {
  for (const fen of sample.slice(0, 100)) {
    const chess = new Chess();
    chess.load(fen, { skipValidation: true });
    const position = new Position(fen);
    const ours = position.threats().map(({ from, to }) => squareName(from) + squareName(to)).sort();
    const theirs = SQUARES.filter((to) => chess.get(to)).flatMap((to) => [...chess.attackers(to, 'w'), ...chess.attackers(to, 'b')].map((from) => from + to));
    assert.deepEqual(ours, theirs.sort());
  }
});

test('legal moves are those of chess.js, and so are checks and mates', () => {
  const mates = ['7k/6Q1/5K2/8/8/8/8/8 b - - 0 1', '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', '4k3/8/8/8/8/8/8/4K2R w K - 0 1', '8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1'];
  for (const fen of [...sample.slice(0, 200), ...mates]) {
    const chess = new Chess();
    chess.load(fen, { skipValidation: true });
    const position = new Position(fen);
    if (position.status === undefined) continue; // a king is missing, or the side to move could capture it
    // chess.js does not support Chess960: a side with castling rights must have its king on e1 or e8.
    const [, , rights] = fen.split(' ');
    const usual = [['KQ', 'K', 4], ['kq', 'k', 60]].every(([letters, king, at]) => !RegExp(`[${letters}]`).test(rights) || position.pieces[at] === king);
    if (!/^[KQkq-]+$/.test(rights) || !usual) continue;
    const theirs = chess.moves({ verbose: true });
    const pairs = [...new Set(theirs.map(({ from, to }) => from + to))].sort();
    const ours = position.column('legal_targets').flatMap((set, from) => squares(set).map((to) => squareName(from) + squareName(to)));
    assert.deepEqual(ours.sort(), pairs, fen);
    assert.equal(position.moveCount, theirs.length, fen);
    assert.equal(position.column('legal_moves').length, theirs.length, fen);
    const status = chess.isCheckmate() ? 'checkmate' : chess.isStalemate() ? 'stalemate' : chess.isCheck() ? 'check' : 'normal';
    assert.equal(position.status, status, fen);
    position.free();
  }
});

test('moves are played as chess.js plays them', () => {
  const special = ['r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9', 'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9', '4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 5', '1r2k3/P7/8/8/8/8/p7/1R2K3 w - - 0 1', '4k3/8/8/8/2Pp4/8/8/4K3 b - c3 0 5', 'r3k2r/7P/8/8/8/8/8/R3K2R w KQkq - 0 1'];
  let moves = 0;
  for (const line of [...sample.slice(0, 60), ...special]) {
    const chess = new Chess();
    chess.load(line, { skipValidation: true });
    const position = new Position(chess.fen());
    const list = position.column('legal_moves');
    for (const { from, to, after, promotion } of chess.moves({ verbose: true })) {
      const squares = squareNumber(to) + 64 * squareNumber(from);
      const move = list.find((move) => (move & 4095) === squares && (!promotion || 'nbrq'[(move >> 12) & 3] === promotion));
      const [ours, theirs] = [position.played(move), after].map((text) => text.split(' '));
      // chess.js sets the en passant square only if a pawn can capture there.
      if (theirs[3] === '-') ours[3] = '-';
      assert.deepEqual(ours, theirs, `${from}${to} in ${line}`);
      moves++;
    }
    position.free();
  }
  assert.ok(moves > 1000);
  // chess.js does not support Chess960: castling by a move to the own rook is not a capture, so the clock continues.
  const position = new Position('4k3/8/8/8/8/8/8/4KR2 w F - 3 9');
  const castling = position.column('legal_moves').find((move) => move >> 14 === 3);
  assert.equal(position.played(castling), '4k3/8/8/8/8/8/8/5RK1 b - - 4 9');
  assert.equal(position.played((3 << 14) | (2 << 12)), undefined);
  const last = new Position('4k3/8/8/8/8/8/8/4K3 b - - 4294967295 4294967295');
  assert.match(last.played(last.column('legal_moves')[0]), / 4294967295 4294967295$/);
});

test('games are replayed as chess.js replays them', () => {
  const pgn = readFileSync(at('games.pgn'), 'utf8');
  const { games, errors } = readGames(pgn);
  assert.deepEqual(errors, []);
  assert.equal(games.length, 4);
  const texts = pgn.split(/\n(?=\[Event )/);
  games.forEach((game, i) => {
    const chess = new Chess();
    chess.loadPgn(texts[i]);
    const history = chess.history({ verbose: true });
    assert.equal(game.fens.length, history.length + 1);
    const placement = (fen) => fen.split(' ').slice(0, 3).join(' ');
    assert.deepEqual(game.fens.map(placement), [history[0].before, ...history.map(({ after }) => after)].map(placement));
    game.squares.forEach(({ from, to }, ply) => {
      assert.equal(squareName(from), history[ply].from);
      if (!/[kq]/.test(history[ply].flags)) assert.equal(squareName(to), history[ply].to);
    });
    assert.equal(game.tags.White, chess.getHeaders().White);
  });
  const bare = readGames('1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {a comment} Nc6 $1');
  assert.deepEqual(bare.games[0].moves, ['e4', 'e5', 'Nf3', 'Nc6']);
  const broken = readGames('1. e4 e5 2. Nd4 Nc6');
  assert.equal(broken.games[0].fens.length, 3);
  assert.match(broken.errors[0], /line 1, column 13: expected a legal move of white/);
});

test('mistakes are refused with a message that helps', () => {
  assert.throws(() => new Position('8/8/8/8/8/8/8/9'), /line 1, column 15/);
  assert.throws(() => new Positions('8/8/8/8/8/8/8/8\nxyz'), /line 2, column 1/);
  const position = new Position(START);
  assert.throws(() => position.column('white_al'), /did you mean `white_all`/);
  assert.throws(() => position.column('white_features'), /is left out of this package/);
  assert.throws(() => position.columns('*_features'), /is left out of this package/);
  assert.throws(() => position.columns('white_all, status ,legal_*'), /`status` is left out of this package: use `status` of `Position`/);
  assert.throws(() => position.column('legal_count'), /is left out of this package: use `moveCount` of `Position`/);
  assert.throws(() => position.column('lists'), /no column is called `lists`; `columns\(\)` lists them/);
  for (const names of [undefined, 3, [undefined]]) assert.throws(() => position.columns(names), /expected the name of a column, or an array of names/);
  assert.throws(() => position.column(), TypeError);
  assert.throws(() => squares(3), { name: 'TypeError', message: 'expected a set of squares, a bigint; found number' });
  assert.deepEqual(Object.keys(position.columns('*')), columns().map(({ name }) => name));
  assert.equal(position.columns('legal_*').legal_moves.length, 20);
  assert.throws(() => position.column('white_ro*'), /"white_ro\*" is not the name of one column: pass patterns and presets to `columns`/);
  assert.throws(() => position.column('default'), /"default" is not/);
  assert.throws(() => position.attackers('White', 'e4'), /"White" is not a side/);
  assert.throws(() => position.counts('w'), /"w" is not a side/);
  assert.equal(new Positions('').length, 0);
  assert.equal(new Positions(`\ufeff${START}\n`).fen(0), START);
  assert.throws(() => new Positions(`${START}\n\n`), /line 2, column 1/);
  assert.throws(() => position.attackers('white', 'i9'), RangeError);
  assert.throws(() => position.attackers('white', 64), RangeError);
  for (const number of [-1, 64, 1.5]) assert.throws(() => squareName(number), /is not a square: a1 to h8, or 0 to 63/);
  for (const row of [1, -1, '0']) assert.throws(() => new Positions(START).fen(row), RangeError(`${JSON.stringify(row)} is not a position: an integer from 0, below 1`));
  assert.throws(() => new Position(''), /expected one position, found 0/);
  for (const move of ['e2e4', '796', undefined, NaN, 1.5, -1, 65_536, 66_332]) {
    assert.throws(() => position.played(move), { name: 'RangeError', message: `${move} is not a move: a value of the column legal_moves, 0 to 65535` });
  }
  position.free();
  position.free();
  assert.throws(() => position.fen, /these positions were freed by `free\(\)`; create new ones/);
  assert.throws(() => new Position(`${START}\n${START}`), /expected one position, found 2/);
});

test('text is a string or its bytes, and nothing else', () => {
  const [fens, pgn] = [`${START}\n${START}\n`, '1. e4 e5'];
  const forms = (text) => [text, Buffer.from(text), new TextEncoder().encode(text), new TextEncoder().encode(text).buffer];
  const foreign = runInNewContext('[new ArrayBuffer(1), new Uint8Array(1)]');
  for (const bytes of foreign) assert.throws(() => new Positions(bytes), /line 1, column 1/);
  for (const text of forms(fens)) assert.equal(new Positions(text).length, 2);
  for (const text of forms(START)) assert.equal(new Position(text).fen, START);
  for (const text of forms(pgn)) assert.deepEqual(readGames(text).games[0].moves, ['e4', 'e5']);
  const wrong = { Number: 5, Undefined: undefined, Null: null, Array: [START, START], Promise: Promise.resolve(START), Object: {}, Uint16Array: new Uint16Array(3), DataView: new DataView(new ArrayBuffer(3)) };
  for (const [type, value] of Object.entries(wrong)) {
    const refused = (expected) => ({ name: 'TypeError', message: `expected ${expected}, as a string, Uint8Array or ArrayBuffer; found ${type}` });
    assert.throws(() => new Positions(value), refused('one position per line'));
    assert.throws(() => new Position(value), refused('one position per line'));
    assert.throws(() => readGames(value), refused('games in PGN'));
  }
});

test('the catalogue says what there is', () => {
  const all = columns();
  assert.ok(all.length > 80);
  const positions = new Positions(`${START}\n8/8/8/8/8/8/8/8 w - - 0 1`);
  for (const { name, type, count, nullable } of all) {
    const { values, offsets, valid } = positions.fill(name)[name];
    const arrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array };
    assert.ok(values instanceof arrays[type], name);
    if (count === 'list') assert.equal(offsets.length, 3);
    else assert.equal(values.length, 2 * count);
    assert.equal(valid !== undefined, nullable);
  }
  assert.deepEqual(squares(0x8000000000000001n), [0, 63]);
  assert.deepEqual(squares(0xffn << 28n), [28, 29, 30, 31, 32, 33, 34, 35]);
  assert.equal(look().outlines.length, 6);
  assert.equal(look().scale.length + look().net.length, 16);
});
