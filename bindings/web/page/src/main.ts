// The page: one central state, which everything else reads or changes.

import init, { START } from '../../package/src/index.js';
import bytes from 'wasm:setwise';

import { byId, make, problem } from './dom.js';
import { EXAMPLES } from './examples.js';
import { Player } from './game.js';
import { Grid } from './grid.js';
import { LEFT, board, coordinates, definitions, legend, pointed, scale, title } from './picture.js';
import { download, toPng, toSvg } from './save.js';
import { moved, put, withPieces, withTurn } from './setup.js';
import { measure } from './speed.js';
import { fromLink, key, toLink, type State } from './state.js';
import { GROUNDS, LAYERS, ROLES, SIDES, factsOf, type Facts } from './views.js';
import { attackerNames, pieceName, squareInWords } from './words.js';
import { squareName } from '../../package/src/index.js';

async function start(): Promise<void> {
  await init(unpacked(bytes));

  const state = fromLink(location.hash);
  let facts: Facts;
  try {
    facts = factsOf(state.fen);
  } catch (error) {
    problem('fen-problem', `The link’s position: ${(error as Error).message}`);
    state.fen = START;
    facts = factsOf(START);
  }
  let held: number | undefined;
  let under: number | undefined;

  const picture = byId('picture') as unknown as SVGSVGElement;
  picture.innerHTML = `${definitions()}<g id="coordinates"></g><g transform="translate(${LEFT} 0)"><g id="squares"></g><rect width="448" height="448" fill="none" stroke="#8a857a"/><g id="under"></g></g>`;
  const [coordinatesLayer, squaresLayer, underLayer] = ['#coordinates', '#squares', '#under'].map((id) => picture.querySelector(id)!);

  const show = (fen: string, link?: State): void => {
    facts = factsOf(fen);
    Object.assign(state, link, { fen: facts.fen });
    problem('fen-problem', '');
    grid.release();
    draw();
  };
  const grid = new Grid({
    pieceAt: (square) => facts.pieces[square]!,
    move: (from, to) => {
      // A legal move is played, which changes the turn. Any other move only places the piece.
      if (to === undefined) show(withPieces(facts.fen, put(facts.pieces, from, '')));
      else show(facts.played(from, to) ?? withPieces(facts.fen, moved(facts.pieces, from, to)));
    },
    put: (square, letter) => show(withPieces(facts.fen, put(facts.pieces, square, letter))),
    point: (square) => {
      under = square;
      drawPointed();
    },
    hold: (square) => {
      held = square;
      draw();
    },
  });
  const player = new Player(show);

  function draw(): void {
    coordinatesLayer!.innerHTML = coordinates(state.flipped, '#6b675f');
    squaresLayer!.innerHTML = board(facts, state, held);
    const names = facts.pieces.map((_, square) => squareInWords(facts, state, square));
    grid.show(state.flipped, names, facts.pieces);
    byId('title').textContent = title(state);
    const moves = facts.moves === undefined ? '' : `, ${facts.moves} legal move${facts.moves === 1 ? '' : 's'}`;
    const check = facts.status ? `, ${facts.status}` : '';
    byId('status').textContent = `${facts.turn === 'white' ? 'White' : 'Black'} to move${check}${facts.moves === 0 ? '' : moves}`;
    byId('turn').textContent = facts.turn === 'white' ? 'White to move' : 'Black to move';
    const fen = byId<HTMLInputElement>('fen');
    if (document.activeElement !== fen) fen.value = facts.fen;
    drawPointed();
    drawLegend();
    drawMobility();
    history.replaceState(null, '', toLink(state));
  }

  function drawPointed(): void {
    underLayer!.innerHTML = under === undefined ? '' : pointed(facts, state, under);
    const line = byId('pointed');
    if (under === undefined) {
      line.textContent = 'Point at a square to see who attacks it. Drag pieces to set up a position.';
      return;
    }
    const letter = facts.pieces[under];
    const by = SIDES.map((side) => {
      const names = attackerNames(facts, side, under!);
      return names && `attacked by ${side} ${names}`;
    }).filter(Boolean);
    line.replaceChildren(make('b', {}, squareName(under)), `, ${letter ? pieceName(letter) : 'empty'}: ${by.join('; ') || 'attacked by nobody'}`);
    const to = state.legal && letter ? facts.destinations(under) : [];
    if (to.length > 0) line.append(`. Can go to ${to.map(squareName).join(', ')}.`);
  }

  function drawLegend(): void {
    const items: HTMLElement[] = [];
    const colours = scale(state);
    if (colours) {
      const cells = colours.colours.map((fill, i) => `<span style="background:${fill}">${colours.texts[i]}</span>`);
      const item = make('li', {}, colours.title);
      item.insertAdjacentHTML('beforeend', `<span class="scale">${cells.join('')}</span>`);
      items.push(item);
    }
    for (const { mark, text } of legend(state)) {
      const item = make('li', {}, text);
      item.insertAdjacentHTML('afterbegin', `<svg viewBox="0 0 24 24" aria-hidden="true">${mark}</svg>`);
      items.push(item);
    }
    byId('legend').replaceChildren(...items);
  }

  function drawMobility(): void {
    const all = SIDES.flatMap((side) => ROLES.map((role) => facts.mobility[side][role].all));
    const longest = Math.max(14, ...all);
    const rows = ROLES.map((role) => {
      const row = make('tr');
      const cells = SIDES.map((side) => {
        const { all, safe } = facts.mobility[side][role];
        const cell = make('td', { 'data-mobility': `${side}:${role}`, 'data-all': String(all), 'data-safe': String(safe) });
        const part = (name: string, value: number): string => `<span class="${name}" style="width:${((100 * value) / longest).toFixed(1)}%"></span>`;
        cell.innerHTML = `<span class="bar"><span class="number">${all}</span><span class="track">${part('safe', safe)}${part('unsafe', all - safe)}</span></span>`;
        cell.append(make('span', { class: 'hidden' }, `, ${safe} of them safe from pawns`));
        return cell;
      });
      row.append(cells[0]!, make('th', { scope: 'row' }, role[0]!.toUpperCase() + role.slice(1)), cells[1]!);
      return row;
    });
    byId('mobility').querySelector('tbody')!.replaceChildren(...rows);
  }

  // Views: controls that change the state, and are updated when a link or a button changes it.
  const followers: (() => void)[] = [];
  const follow = (): void => followers.forEach((follower) => follower());
  const control = (input: HTMLInputElement, get: () => boolean, set: (on: boolean) => void): HTMLInputElement => {
    followers.push(() => (input.checked = get()));
    input.addEventListener('change', () => {
      set(input.checked);
      draw();
    });
    return input;
  };
  for (const { id, label, hint } of GROUNDS) {
    const input = make('input', { type: 'radio', name: 'ground', value: id });
    byId('grounds').append(make('label', { title: hint }, control(input, () => state.ground === id, () => (state.ground = id)), label));
  }
  for (const layer of LAYERS) {
    const row = make('tr', {}, make('th', { scope: 'row', title: layer.hint }, layer.label));
    for (const side of SIDES) {
      const name = key(side, layer.id);
      const input = make('input', { type: 'checkbox', 'aria-label': `${layer.label}, ${side}`, 'data-view': name });
      control(input, () => state.layers.has(name), (on) => void (on ? state.layers.add(name) : state.layers.delete(name)));
      row.append(make('td', {}, make('label', {}, input)));
    }
    byId('layers').querySelector('tbody')!.append(row);
  }
  for (const flag of ['numbers', 'legal'] as const) control(byId(flag), () => state[flag], (on) => (state[flag] = on));
  follow();
  byId('none').addEventListener('click', () => {
    state.layers.clear();
    follow();
    draw();
  });

  // The position.
  const fen = byId<HTMLInputElement>('fen');
  fen.addEventListener('input', () => {
    try {
      show(fen.value.trim());
    } catch (error) {
      problem('fen-problem', (error as Error).message.replace(/^line 1, /, ''));
    }
  });
  fen.addEventListener('blur', () => {
    fen.value = facts.fen;
    problem('fen-problem', '');
  });
  byId('turn').addEventListener('click', () => show(withTurn(facts.fen, facts.turn === 'white' ? 'b' : 'w')));
  byId('start').addEventListener('click', () => show(START));
  byId('clear').addEventListener('click', () => show('8/8/8/8/8/8/8/8 w - - 0 1'));
  const flip = (): void => {
    state.flipped = !state.flipped;
    draw();
  };
  byId('flip').addEventListener('click', flip);

  // Keys that work wherever no other element handles them.
  document.addEventListener('keydown', (event) => {
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, [role="grid"]')) return;
    if (event.key === 'f') flip();
    else if (!player.key(event.key)) return;
    event.preventDefault();
  });
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) player.open(new Uint8Array(await file.arrayBuffer()));
  });
  addEventListener('hashchange', () => {
    const link = fromLink(location.hash);
    try {
      show(link.fen, link);
      follow();
    } catch (error) {
      problem('fen-problem', `The link’s position: ${(error as Error).message}`);
    }
  });

  // Export.
  byId('link').addEventListener('click', async () => {
    const button = byId('link');
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'It is in the address bar';
    }
    setTimeout(() => (button.textContent = 'Copy link'), 1500);
  });
  byId('svg').addEventListener('click', () => download('setwise.svg', new Blob([toSvg(facts, state, isDark())], { type: 'image/svg+xml' })));
  byId('png').addEventListener('click', async () => download('setwise.png', await toPng(toSvg(facts, state, isDark()))));

  // Speed.
  byId('measure').addEventListener('click', async () => {
    const [button, line] = [byId<HTMLButtonElement>('measure'), byId('speed')];
    button.disabled = true;
    line.textContent = 'Measuring for a second or two…';
    await new Promise((done) => setTimeout(done, 50));
    try {
      const speed = await measure();
      const [module, loop] = [speed.module, speed.loop].map((rate) => (rate / 1e6).toPrecision(3));
      line.replaceChildren(
        make('b', {}, `${module} million positions a second`),
        ` with sixteen attack maps each, on one thread. A plain loop over the pieces with tables, in the same page: ${loop} million, so ${(speed.module / speed.loop).toFixed(1)} times fewer.`,
      );
      line.dataset['module'] = String(speed.module);
      line.dataset['loop'] = String(speed.loop);
    } catch (error) {
      line.textContent = (error as Error).message;
    }
    button.disabled = false;
  });

  const [first] = EXAMPLES;
  if (location.hash.length < 2 && first?.pgn) player.open(first.pgn, first.ply);
  else draw();
  document.documentElement.dataset['ready'] = '';
}

/** Decodes the module, which the build has compressed and written as text. */
function unpacked(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

// The theme is that of the system until the button changes it.
const THEMES = ['', 'light', 'dark'];
const dark = matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  const theme = document.documentElement.dataset['theme'];
  return theme ? theme === 'dark' : dark.matches;
}

function theme(name: string): void {
  if (name) document.documentElement.dataset['theme'] = name;
  else delete document.documentElement.dataset['theme'];
  byId('theme').textContent = `Theme: ${name || 'system'}`;
}

/** Stores a theme, if given, and returns the stored one. */
function remembered(name?: string): string {
  try {
    if (name !== undefined) localStorage.setItem('setwise-theme', name);
    return localStorage.getItem('setwise-theme') ?? '';
  } catch {
    return ''; // Pages opened from a file may have no storage. Then the theme is not stored.
  }
}

theme(THEMES.includes(remembered()) ? remembered() : '');
byId('theme').addEventListener('click', () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset['theme'] ?? '') + 1) % THEMES.length]!;
  theme(next);
  remembered(next);
});

start().catch((error: unknown) => {
  problem('problem', `The page could not start: ${(error as Error).message}. It needs WebAssembly with SIMD, which browsers have since 2023.`);
});
