// Tests the page in Chromium, opened from its file, offline: every view against the library's results, dragging, keys,
// links, games, phone size, themes, pictures and accessibility. At the end, checks that no page has logged an error.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test as unlimited } from 'node:test';

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import { launch, root } from './browser.mjs';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const ROWS = 200;
const ROLES = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];
const SIDES = ['white', 'black'];
const NAMES = Array.from({ length: 64 }, (_, square) => 'abcdefgh'[square & 7] + ((square >> 3) + 1));
const link = (fen, rest = '') => `#fen=${fen.replaceAll(' ', '_')}${rest}`;
const setOf = (bits) => NAMES.filter((_, square) => (BigInt(bits) >> BigInt(square)) & 1n).sort();
const sample = readFileSync(join(root, '../../data/sample.epd'), 'utf8').trim().split('\n');

/** A test with a timeout, in case a page hangs. */
const test = (name, run) => unlimited(name, { timeout: 1_200_000 }, run);

let browser, open, complaints;
before(async () => {
  ({ browser, open, complaints } = await launch());
});
after(async () => {
  await browser.close();
});

test(`every view of ${ROWS} positions shows the library's answers`, async () => {
  // The results of the native library, one board at a time.
  const { RUSTC: _, RUSTDOC: __, CARGO_BUILD_TARGET: ___, ...env } = process.env;
  const run = ['run', '--locked', '--quiet', '--package', 'answers', '--', join(root, '../../data/sample.epd'), String(ROWS)];
  const answers = JSON.parse(execFileSync('cargo', run, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 }));
  assert.equal(answers.length, ROWS);
  const both = (layers) => layers.flatMap((layer) => SIDES.map((side) => `${side}:${layer}`)).join(',');
  const views = [
    ['white', both(['threats', 'defences', 'hanging', 'lesser', 'pins', 'checks', 'danger', 'twice', 'xray'])],
    ['black', ''],
    ['net', ''],
    ...ROLES.map((role) => ['none', both([role])]),
    ['none', 'white:rook,white:queen'],
  ];
  const page = await open();
  page.setDefaultTimeout(0);
  // Hide the page, because laying it out 15,000 times takes minutes.
  await page.evaluate(() => (document.querySelector('main').hidden = true));
  const shown = await page.evaluate(
    async ([fens, views]) => {
      const all = (selector) => [...document.querySelectorAll(`#picture ${selector}`)].map(({ dataset, attributes }) => ({ ...dataset, fill: attributes.fill?.value }));
      const results = [];
      for (const fen of fens) {
        const result = { views: [] };
        for (const [ground, layers] of views) {
          const change = new Promise((done) => addEventListener('hashchange', () => setTimeout(done), { once: true }));
          location.hash = `fen=${fen.replaceAll(' ', '_')}&show=${ground}&layers=${layers}`;
          await change;
          result.views.push({ layers: all('[data-layer]'), counts: all('[data-count]'), arrows: all('[data-arrow]'), pins: all('[data-pin]'), grounds: all('[data-ground]') });
        }
        result.fen = document.getElementById('fen').value;
        result.status = document.getElementById('status').textContent;
        result.mobility = [...document.querySelectorAll('[data-mobility]')].map(({ dataset }) => ({ ...dataset }));
        result.pointed = [...document.querySelectorAll('#board td')].map((cell) => {
          cell.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
          return { square: cell.dataset.square, attackers: all('[data-attacker]'), destinations: all('[data-destination]').map(({ square }) => square) };
        });
        results.push(result);
      }
      return results;
    },
    [answers.map(({ fen }) => fen), views],
  );
  const scale = ['#f6f4ef', '#fdeb9c', '#b9e29b', '#76cdb6', '#67b1e3', '#9a98e6', '#d884c8'];
  answers.forEach((answer, row) => {
    const { views, mobility, pointed, fen, status } = shown[row];
    const say = (what) => `${what} of ${answer.fen}`;
    assert.equal(fen, answer.fen);
    const squares = (view, layer) => views[view].layers.filter((mark) => mark.layer === layer).map(({ square }) => square).sort();
    const counts = (side) => NAMES.map((_, square) => [0, 1, 2, 3, 4].reduce((sum, bit) => sum + (Number((BigInt(answer[`${side}_count_${bit}`]) >> BigInt(square)) & 1n) << bit), 0));
    const [white, black] = SIDES.map(counts);
    const layers = { hanging: 'hanging', lesser: 'lesser', pins: 'pinned', checks: 'checkers', danger: 'king_danger', twice: 'twice', xray: 'xray' };
    for (const side of SIDES) {
      for (const [layer, column] of Object.entries(layers)) {
        assert.deepEqual(squares(0, `${side}:${layer}`), setOf(answer[`${side}_${column}`]), say(`${side} ${layer}`));
      }
      ROLES.forEach((role, i) => {
        assert.deepEqual(squares(3 + i, `${side}:roles`), setOf(answer[`${side}_${role}`]), say(`${side} ${role}`));
        const bar = mobility.find((cell) => cell.mobility === `${side}:${role}`);
        assert.deepEqual([bar.all, bar.safe].map(Number), [answer[`${side}_mobility_${role}`], answer[`${side}_safe_mobility_${role}`]], say(`${side} mobility ${role}`));
      });
      const pinners = [...new Set(views[0].pins.filter(({ pin }) => answer.fen && isSide(answer.fen, pin.slice(0, 2)) !== side).map(({ pin }) => pin.slice(0, 2)))];
      assert.deepEqual(pinners.sort(), setOf(answer[`${side}_pinners`]), say(`${side} pinners`));
    }
    assert.deepEqual(squares(9, 'white:roles'), setOf(BigInt(answer.white_rook) | BigInt(answer.white_queen)), say('rooks and queens'));
    const numbers = (view) => Object.fromEntries(views[view].counts.map(({ square, count }) => [square, Number(count)]));
    const expected = (number) => Object.fromEntries(NAMES.map((name, square) => [name, number(square)]).filter(([, n]) => n !== undefined));
    assert.deepEqual(numbers(0), expected((square) => white[square] || undefined), say('white attackers'));
    assert.deepEqual(numbers(1), expected((square) => black[square] || undefined), say('black attackers'));
    assert.deepEqual(numbers(2), expected((square) => (white[square] + black[square] ? white[square] - black[square] : undefined)), say('control'));
    for (const { square, fill } of views[0].grounds) assert.equal(fill, scale[Math.min(6, white[NAMES.indexOf(square)])]);
    for (const { square, fill } of views[1].grounds) assert.equal(fill, scale[Math.min(6, black[NAMES.indexOf(square)])]);
    const pairs = views[0].arrows.flatMap(({ from, to, arrow }) => (arrow === 'mutual' ? [from + to, to + from] : [from + to]));
    const threats = answer.threats.map((pair) => NAMES[pair & 255] + NAMES[pair >> 8]);
    assert.deepEqual(pairs.sort(), threats.sort(), say('threats'));
    for (const { from, to, arrow, by } of views[0].arrows) {
      assert.equal(isSide(answer.fen, from), by);
      assert.equal(isSide(answer.fen, to) === by, arrow === 'defence');
      if (arrow !== 'defence') assert.equal(threats.includes(to + from), arrow === 'mutual');
    }
    for (const { square, attackers, destinations } of pointed) {
      const at = NAMES.indexOf(square);
      assert.deepEqual(SIDES.map((side) => attackers.filter(({ attacker }) => attacker === side).length), [white[at], black[at]], say(square));
      const here = attackers.map((mark) => mark.square + square);
      if (isSide(answer.fen, square)) assert.deepEqual(here.sort(), threats.filter((pair) => pair.endsWith(square)).sort(), say(square));
      assert.deepEqual(destinations.sort(), answer.legal_targets ? setOf(answer.legal_targets[at]) : [], say(`moves from ${square}`));
    }
    const words = ['', ', check', ', checkmate', ', stalemate'];
    const moves = answer.legal_count ? `, ${answer.legal_count} legal move${answer.legal_count === 1 ? '' : 's'}` : '';
    const turn = answer.fen.split(' ')[1] === 'w' ? 'White' : 'Black';
    assert.equal(status, `${turn} to move${words[answer.status ?? 0]}${moves}`, say('status'));
  });
  await page.context().close();
});

/** Returns the side of the piece on a square, if any. */
function isSide(fen, square) {
  const rank = fen.split('/')[8 - square[1]].split(' ')[0].replace(/\d/g, (digit) => '.'.repeat(digit));
  const letter = rank['abcdefgh'.indexOf(square[0])];
  return letter === '.' ? undefined : letter < 'a' ? 'white' : 'black';
}

/** Returns the location of a square on the screen. */
async function middle(page, square) {
  const box = await page.locator(`#board td[data-square="${square}"]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Follows a link on an open page. */
function follow(page, link) {
  return page.evaluate((link) => {
    location.hash = link;
    return new Promise((done) => addEventListener('hashchange', () => setTimeout(done), { once: true }));
  }, link);
}

async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
}

test('pieces are dragged on the board, off it, and from the palette', async () => {
  const page = await open(link('4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1'));
  const fen = page.locator('#fen');
  await page.mouse.move(...(await middle(page, 'e2')));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, 'd5')), { steps: 4 });
  assert.equal(await page.locator('#ghost').count(), 1);
  await page.mouse.up();
  assert.equal(await page.locator('#ghost').count(), 0);
  assert.equal(await fen.inputValue(), '4k3/8/8/3P4/8/8/8/R3K2R w KQ - 0 1');
  await drag(page, await middle(page, 'h1'), [5, 5]);
  assert.equal(await fen.inputValue(), '4k3/8/8/3P4/8/8/8/R3K3 w Q - 0 1');
  const queen = await page.getByRole('button', { name: 'Black queen' }).boundingBox();
  await drag(page, [queen.x + 10, queen.y + 10], await middle(page, 'c6'));
  assert.equal(await fen.inputValue(), '4k3/8/2q5/3P4/8/8/8/R3K3 w Q - 0 1');
  await page.getByRole('button', { name: 'White knight' }).click();
  for (const square of ['a8', 'h8']) await page.mouse.click(...(await middle(page, square)));
  assert.equal(await fen.inputValue(), 'N3k2N/8/2q5/3P4/8/8/8/R3K3 w Q - 0 1');
  await page.getByRole('button', { name: 'Clear squares' }).click();
  await page.mouse.click(...(await middle(page, 'c6')));
  await page.keyboard.press('Escape');
  await page.mouse.click(...(await middle(page, 'd5')));
  assert.equal(await fen.inputValue(), 'N3k2N/8/8/3P4/8/8/8/R3K3 w Q - 0 1');
  await page.locator('#flip').click();
  await drag(page, await middle(page, 'e1'), await middle(page, 'd2'));
  assert.match(await fen.inputValue(), /^N3k2N\/8\/8\/3P4\/8\/8\/3K4\/R7 [wb] - - \d+ \d+$/);
  await page.locator('#clear').click();
  assert.equal(await fen.inputValue(), '8/8/8/8/8/8/8/8 w - - 0 1');
  await page.locator('#start').click();
  await page.locator('#turn').click();
  assert.equal(await fen.inputValue(), START.replace(' w ', ' b '));
  await page.context().close();
});

test('a legal move that is dragged is played', async () => {
  const page = await open(link(START));
  const fen = page.locator('#fen');
  await drag(page, await middle(page, 'e2'), await middle(page, 'e4'));
  assert.equal(await fen.inputValue(), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1');
  await drag(page, await middle(page, 'd2'), await middle(page, 'd4'));
  assert.equal(await fen.inputValue(), 'rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 1');
  for (const [before, from, to, after] of [
    ['1r2k3/P7/8/8/8/8/8/4K3 w - - 3 9', 'a7', 'b8', '1Q2k3/8/8/8/8/8/8/4K3 b - - 0 9'],
    ['r3k2r/8/8/8/8/8/8/4K3 b kq - 3 9', 'e8', 'g8', 'r4rk1/8/8/8/8/8/8/4K3 w - - 4 10'],
    ['4k3/8/8/8/8/8/8/4KR2 w F - 3 9', 'e1', 'f1', '4k3/8/8/8/8/8/8/5RK1 b - - 4 9'],
    ['4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 5', 'd5', 'c6', '4k3/8/2P5/8/8/8/8/4K3 b - - 0 5'],
  ]) {
    await fen.fill(before);
    await fen.blur();
    await drag(page, await middle(page, from), await middle(page, to));
    assert.equal(await fen.inputValue(), after);
  }
  await page.context().close();
});

test('the board works by keys, and says what is on it', async () => {
  const page = await open(link('4k3/8/8/3q4/8/8/8/4K3 w - - 0 1', '&layers=black:threats'));
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.locator('#board td[tabindex="0"]').focus();
  assert.match(await focused(), /^a1, empty, attacked by 0 white, 0 black/);
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.match(await focused(), /^d5, black queen, attacked by 0 white, 0 black/);
  assert.match(await page.locator('#pointed').textContent(), /^d5, black queen: attacked by nobody/);
  await page.keyboard.press('Enter');
  assert.match(await focused(), /picked up$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#fen').inputValue(), /^4k3\/8\/8\/8\/3q4/);
  await page.keyboard.press('Delete');
  await page.keyboard.press('N');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('p');
  assert.match(await page.locator('#fen').inputValue(), /^4k3\/8\/8\/8\/3Np3\/8\/8\/4K3 /);
  await page.keyboard.press('Home');
  assert.match(await focused(), /^a4/);
  await page.keyboard.press('End');
  assert.match(await focused(), /^h4/);
  await page.keyboard.press('f');
  const grid = page.getByRole('grid');
  assert.equal(await grid.getByRole('row').count(), 8);
  assert.equal(await grid.getByRole('gridcell').count(), 64);
  assert.equal(await page.locator('#board td[tabindex="0"]').count(), 1);
  await page.context().close();
});

test('a picked-up piece is put down when the position changes', async () => {
  const page = await open(link(START));
  const [fen, held] = [page.locator('#fen'), page.locator('#board td[aria-label$="picked up"]')];
  const e2 = async (...keys) => {
    await page.locator('#start').click();
    await page.locator('#board td[data-square="e2"]').focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  await e2('Enter', 'Delete', ...Array(5).fill('ArrowUp'), 'Enter');
  assert.equal(await held.count(), 1);
  assert.equal(await fen.inputValue(), START.replace('PPPPPPPP', 'PPPP1PPP'));
  await e2('Enter');
  await page.locator('#clear').click();
  await e2(...Array(5).fill('ArrowUp'), 'Enter');
  assert.equal(await fen.inputValue(), START);
  await e2('Enter');
  await follow(page, link('4k3/4p3/8/8/8/8/8/4K3 w - - 0 1'));
  assert.equal(await held.count(), 0);
  // A piece that the pointer drags from its square, too.
  await e2();
  await page.mouse.move(...(await middle(page, 'e2')));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, 'e7')), { steps: 4 });
  await page.keyboard.press('Delete');
  assert.equal(await page.locator('#ghost').count(), 0);
  await page.mouse.up();
  assert.equal(await fen.inputValue(), START.replace('PPPPPPPP', 'PPPP1PPP'));
  await page.context().close();
});

test('other fingers are ignored while one drags', async () => {
  const page = await open(link(START), PHONE);
  const devtools = await page.context().newCDPSession(page);
  const finger = async ([id, square]) => middle(page, square).then(([x, y]) => ({ id, x, y }));
  const touch = async (type, ...fingers) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: await Promise.all(fingers.map(finger)) });
  await touch('touchStart', [1, 'e2']);
  await touch('touchMove', [1, 'e4']);
  await touch('touchStart', [1, 'e4'], [2, 'b2']);
  await touch('touchMove', [1, 'e4'], [2, 'b4']);
  assert.equal(await page.locator('#ghost').count(), 1);
  await touch('touchEnd', [2, 'b4']);
  assert.equal(await page.locator('#fen').inputValue(), START);
  await touch('touchStart', [1, 'e4'], [2, 'b2']);
  await touch('touchEnd', [1, 'e4']);
  await touch('touchEnd', [2, 'b2']);
  assert.equal(await page.locator('#ghost').count(), 0);
  assert.equal(await page.locator('#fen').inputValue(), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1');
  await page.context().close();
});

test('the link holds position and views', async () => {
  const page = await open(link('4k3/8/8/3q4/8/8/8/4K3 b - - 3 7', '&show=black&layers=white:xray,black:pins&numbers=no&below=black'));
  const state = () => page.evaluate(() => [document.getElementById('fen').value, ...[...document.querySelectorAll('input:checked')].map((input) => input.dataset.view ?? input.value ?? input.id), document.querySelector('#board td').dataset.square]);
  const first = await state();
  assert.deepEqual(first.filter((value) => value !== 'on'), ['4k3/8/8/3q4/8/8/8/4K3 b - - 3 7', 'black', 'black:pins', 'white:xray', 'h1']);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.deepEqual(await state(), first);
  await page.getByLabel('Threats, white').check();
  await page.locator('#grounds label', { hasText: 'Control' }).click();
  await page.locator('#flip').click();
  const address = page.url();
  assert.match(address, /show=net&layers=white:xray,black:pins,white:threats&numbers=no$/);
  const other = await open(address.slice(address.indexOf('#')));
  assert.deepEqual(await other.evaluate(() => document.querySelectorAll('#picture [data-arrow]').length), await page.evaluate(() => document.querySelectorAll('#picture [data-arrow]').length));
  const wrong = await open('#fen=xyz&show=everything&layers=white:nothing,%');
  assert.equal(await wrong.locator('#fen').inputValue(), START);
  assert.match(await wrong.locator('#fen-problem').textContent(), /column 1/);
  await follow(wrong, link('4k3/8/8/8/8/8/8/4K3 b - - 0 1'));
  assert.equal(await wrong.locator('#fen-problem').isHidden(), true);
  await wrong.locator('#fen').fill('8/8/8/8/8/8/8/9');
  assert.match(await wrong.locator('#fen-problem').textContent(), /column 15/);
  await wrong.locator('#fen').fill('8/8/8/8/8/8/8/7K');
  assert.equal(await wrong.locator('#fen-problem').isHidden(), true);
  for (const one of [page, other, wrong]) await one.context().close();
});

test('a game is stepped through by keys, buttons and moves', async () => {
  const page = await open();
  const fen = () => page.locator('#fen').inputValue();
  assert.match(await fen(), / w KQkq b6 0 10$/); // without a link, an example is open
  await page.locator('#examples').selectOption({ index: 1 });
  assert.match(await page.locator('#players').textContent(), /Morphy.*1858, 1-0/);
  await page.locator('h1').click();
  await page.keyboard.press('Home');
  assert.equal(await fen(), START);
  await page.keyboard.press('ArrowRight');
  assert.equal(await fen(), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1');
  await page.keyboard.press('End');
  assert.match(await fen(), /^1n1Rkb1r\//);
  assert.equal(await page.locator('#moves [aria-current]').textContent(), 'Rd8#');
  assert.equal(await page.locator('#next').isDisabled(), true);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#moves [aria-current]').textContent(), 'Nxb8');
  await page.locator('#moves button', { hasText: 'O-O-O' }).click();
  assert.match(await fen(), / b kq - 2 12$/);
  await page.locator('#first').click();
  assert.equal(await fen(), START);
  await page.locator('#paste summary').click();
  await page.locator('#pgn').fill('[White "A"]\n[Black "B"]\n\n1. d4 d5 2. c4 *\n\n[White "C"]\n[Black "D"]\n\n1. e4 (1. f4) e5 2. Ke3 *');
  await page.locator('#load').click();
  assert.match(await page.locator('#pgn-problem').textContent(), /^game 2, line 9, column 21: expected a legal move of white/);
  assert.equal(await page.locator('#games option').count(), 2);
  await page.locator('#games').selectOption({ index: 1 });
  await page.locator('#last').click();
  assert.match(await fen(), /4p3\/4P3/);
  // A text without a game leaves the open one. Of many errors, the page shows a few.
  await page.locator('#pgn').fill(START);
  await page.locator('#load').click();
  assert.match(await page.locator('#pgn-problem').textContent(), /^There is no game in this text\..*below the board\.\ngame 1, line 1, column 1: /);
  assert.equal(await page.locator('#games option').count(), 2);
  // A game that is refused is a game.
  await page.locator('#pgn').fill('[White "A"]\n[Variant "Atomic"]\n\n1. e4 e5 *');
  await page.locator('#load').click();
  assert.match(await page.locator('#pgn-problem').textContent(), /^game 1, .*Atomic.*$/);
  assert.equal(await page.locator('#games option').count(), 2);
  await page.locator('#pgn').fill('1. e4 Ke5 *\n\n'.repeat(30));
  await page.locator('#load').click();
  assert.match(await page.locator('#pgn-problem').textContent(), /^game 1, [^]*\ngame 5, .*\nand 25 more$/);
  await page.setInputFiles('#file', { name: 'games.pgn', mimeType: 'text/plain', buffer: readFileSync(join(root, 'tests/games.pgn')) });
  await page.waitForFunction(() => document.querySelectorAll('#games option').length === 4);
  await page.context().close();
});

test('it fits a phone, and a tap shows who attacks', async () => {
  const page = await open(link(START), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} wide on a screen of 390`);
  const board = await page.locator('#board').boundingBox();
  assert.ok(board.width > 320);
  await page.touchscreen.tap(...(await middle(page, 'f3')));
  assert.match(await page.locator('#pointed').textContent(), /^f3, empty: attacked by white Ng1, e2, g2/);
  await page.locator('#examples').selectOption({ index: 1 });
  for (const width of [320, 360, 768, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} wide on a screen of ${width}`);
  }
  await page.context().close();
});

test('light and dark: as the system has it, or as the button says', async () => {
  const page = await open('', { colorScheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), 'rgb(20, 22, 26)');
  await page.locator('#theme').click();
  assert.equal(await ground(), 'rgb(250, 249, 246)');
  await page.locator('#theme').click();
  assert.equal(await ground(), 'rgb(20, 22, 26)');
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await ground(), 'rgb(20, 22, 26)');
  await page.locator('#theme').click();
  assert.equal(await ground(), 'rgb(250, 249, 246)');
  await page.context().close();
});

test('a picture is saved as SVG and as PNG', async () => {
  const page = await open(STATES.pins.link);
  const save = async (id) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#${id}`).click()]);
    return readFileSync(await download.path());
  };
  const svg = (await save('svg')).toString();
  const root = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [parsed.documentElement.localName, parsed.querySelectorAll('.piece').length, parsed.querySelectorAll('[data-layer]').length];
  }, svg);
  assert.equal(root[0], 'svg');
  assert.equal(root[1], 23);
  assert.ok(root[2] > 10);
  assert.ok(!/href="(?!#)/.test(svg));
  const png = PNG.sync.read(await save('png'));
  assert.equal(png.width, 3 * 520);
  // All texts are within the picture, and none overlaps another.
  const layers = await page.locator('[data-view]').evaluateAll((inputs) => inputs.map((input) => input.dataset.view));
  for (const shown of ['white:threats,white:hanging,black:lesser,black:pins', 'white:danger,white:lesser', layers.join()]) {
    await follow(page, link(MORPHY, `&show=net&layers=${shown}`));
    const found = await page.evaluate((text) => {
      document.querySelector('main').insertAdjacentHTML('beforebegin', text);
      const picture = document.querySelector('body > svg');
      const [[, whole], ...boxes] = [picture, ...picture.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
      picture.remove();
      const cut = boxes.filter(([, box]) => box.left < whole.left || box.right > whole.right || box.bottom > whole.bottom);
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return [...cut, ...boxes.filter(([, box], i) => boxes.slice(i + 1).some(([, other]) => meet(box, other)))].map(([text]) => text);
    }, (await save('svg')).toString());
    assert.deepEqual(found, [], shown);
  }
  await page.context().close();
});

test('the speed of the module and of the plain loop is measured', async () => {
  const page = await open();
  await page.locator('#measure').click();
  await page.waitForSelector('#speed[data-module]', { timeout: 60_000 });
  const { module, loop } = await page.evaluate(() => ({ ...document.getElementById('speed').dataset }));
  assert.ok(Number(module) > Number(loop) && Number(loop) > 0, `${module} ${loop}`);
  await page.context().close();
});

const MORPHY = '4kb1r/p2rqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2K4R w k - 0 14';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 };
const DARK = { colorScheme: 'dark' };
const STATES = {
  control: { link: link(MORPHY) },
  'control-dark': { link: link(MORPHY), options: DARK },
  attackers: { link: link(MORPHY, '&show=white&below=black') },
  pins: { link: link(MORPHY, '&show=none&layers=white:pins,black:pins,white:checks,black:checks,black:danger,white:hanging,black:hanging,black:lesser') },
  threats: { link: link(MORPHY, '&show=none&layers=white:threats,black:threats,white:defences'), options: DARK },
  rays: { link: link(MORPHY, '&show=none&layers=white:xray,black:xray,white:twice,black:rook,black:queen'), point: 'd7' },
  phone: { link: link(MORPHY), options: PHONE },
  'phone-dark': { link: link(MORPHY, '&show=black&layers=white:threats'), options: { ...PHONE, ...DARK } },
};

test('pictures of eight states are those that are checked in', async () => {
  const folder = join(root, 'tests/pictures');
  const differences = join(root, 'tests/differences');
  const problems = [];
  for (const [name, { link, options, point }] of Object.entries(STATES)) {
    const page = await open(link, options);
    if (point) await page.locator(`#board td[data-square="${point}"]`).hover();
    const bytes = await page.screenshot();
    await page.context().close();
    const file = join(folder, `${name}.png`);
    if (process.env.SETWISE_WRITE) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, bytes);
      continue;
    }
    assert.ok(existsSync(file), `${file} is missing: SETWISE_WRITE=1 npm test writes it`);
    const [expected, actual] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(bytes)];
    assert.deepEqual([actual.width, actual.height], [expected.width, expected.height], name);
    const difference = new PNG({ width: actual.width, height: actual.height });
    const pixels = pixelmatch(expected.data, actual.data, difference.data, actual.width, actual.height, { threshold: 0.2 });
    // Fonts differ slightly between machines.
    if (pixels > 0.02 * actual.width * actual.height) {
      mkdirSync(differences, { recursive: true });
      writeFileSync(join(differences, `${name}.png`), PNG.sync.write(difference));
      problems.push(`${name}: ${pixels} pixels differ`);
    }
  }
  assert.deepEqual(problems, []);
});

test('axe finds nothing serious', async () => {
  const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
  for (const name of ['control', 'control-dark', 'phone', 'phone-dark']) {
    const { link, options } = STATES[name];
    const page = await open(link, options);
    await page.locator('#examples').selectOption({ index: 1 });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    const found = violations.map(({ id, impact, nodes }) => `${name}: ${impact} ${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).slice(0, 3).join(' | ')}`);
    assert.deepEqual(found.filter((line) => /: (serious|critical|moderate) /.test(line)), []);
    await page.context().close();
  }
});

test('no page complained, and none asked for anything', () => {
  assert.deepEqual(complaints, []);
});
