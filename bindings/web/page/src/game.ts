// A game to step through.

import { START, readGames, type Game } from '../../package/src/index.js';
import { byId, make, problem } from './dom.js';
import { EXAMPLES } from './examples.js';

/** The number of errors to show. */
const SHOWN = 5;

/** The open game, and the current half-move. */
export class Player {
  #games: Game[] = [];
  #game: Game | undefined;
  #ply = 0;
  readonly #show: (fen: string) => void;

  /** `show` is called with each new position. */
  constructor(show: (fen: string) => void) {
    this.#show = show;
    const examples = byId<HTMLSelectElement>('examples');
    examples.append(make('option', { value: '' }, 'Examples…'));
    EXAMPLES.forEach(({ name }, i) => examples.append(make('option', { value: String(i) }, name)));
    examples.addEventListener('change', () => {
      const example = EXAMPLES[Number(examples.value)];
      if (!examples.value || !example) return;
      examples.value = '';
      if (example.pgn) this.open(example.pgn, example.ply);
      if (example.fen) {
        this.close();
        this.#show(example.fen);
      }
    });
    const file = byId<HTMLInputElement>('file');
    byId('open').addEventListener('click', () => file.click());
    file.addEventListener('change', async () => {
      const chosen = file.files?.[0];
      if (chosen) this.open(new Uint8Array(await chosen.arrayBuffer()));
      file.value = '';
    });
    byId('load').addEventListener('click', () => this.open(byId<HTMLTextAreaElement>('pgn').value));
    const games = byId<HTMLSelectElement>('games');
    games.addEventListener('change', () => this.#choose(Number(games.value), 0));
    byId('first').addEventListener('click', () => this.go(0));
    byId('previous').addEventListener('click', () => this.go(this.#ply - 1));
    byId('next').addEventListener('click', () => this.go(this.#ply + 1));
    byId('last').addEventListener('click', () => this.go(Infinity));
    this.#draw();
  }

  /** Opens the games of a text, and shows the first one. Text without tags and moves, such as a FEN, is no game. */
  open(pgn: string | Uint8Array, ply = 0): void {
    const { games, errors } = readGames(pgn);
    const isEmpty = games.every(({ tags, moves, fens }) => moves.length === 0 && fens[0] === START && Object.keys(tags).length === 0);
    const lines = errors.slice(0, SHOWN);
    // Without games, the errors are about games that were refused.
    if (isEmpty && (games.length > 0 || errors.length === 0)) lines.unshift('There is no game in this text. To show a position, paste its FEN below the board.');
    if (errors.length > SHOWN) lines.push(`and ${(errors.length - SHOWN).toLocaleString('en')} more`);
    problem('pgn-problem', lines.join('\n'));
    if (isEmpty) return;
    this.#games = games;
    const choice = byId<HTMLSelectElement>('games');
    choice.replaceChildren(...games.slice(0, 5000).map((game, i) => make('option', { value: String(i) }, `${i + 1}. ${players(game)}`)));
    byId('choose').hidden = games.length < 2;
    this.#choose(0, ply);
  }

  /** Closes the game. */
  close(): void {
    this.#games = [];
    this.#game = undefined;
    byId('choose').hidden = true;
    problem('pgn-problem', '');
    this.#draw();
  }

  /** Goes to the position after a number of half-moves. */
  go(ply: number): void {
    const game = this.#game;
    if (!game) return;
    const to = Math.max(0, Math.min(game.fens.length - 1, ply));
    this.#ply = to;
    this.#mark();
    this.#show(game.fens[to]!);
  }

  /** Handles a key that steps through the game. Returns whether it did. */
  key(key: string): boolean {
    const steps: Record<string, number> = { ArrowLeft: this.#ply - 1, ArrowRight: this.#ply + 1, Home: 0, End: Infinity };
    const to = steps[key];
    if (to === undefined || !this.#game) return false;
    this.go(to);
    return true;
  }

  #choose(game: number, ply: number): void {
    this.#game = this.#games[game];
    this.#draw();
    this.go(ply);
  }

  #draw(): void {
    const game = this.#game;
    const list = byId('moves');
    list.replaceChildren();
    byId('players').textContent = game ? players(game) : 'No game is open: choose an example, open a file, or paste moves.';
    byId('steps').hidden = !game;
    if (!game) return;
    game.moves.forEach((move, i) => {
      const fields = game.fens[i]!.split(' ');
      const item = make('li');
      if (fields[1] === 'w' || i === 0) item.append(make('span', { class: 'n' }, `${fields[5]}${fields[1] === 'w' ? '.' : '…'}`));
      const button = make('button', { type: 'button' }, move);
      button.addEventListener('click', () => this.go(i + 1));
      item.append(button);
      list.append(item);
    });
  }

  #mark(): void {
    const list = byId('moves');
    const ends = [this.#ply === 0, this.#ply === this.#game!.fens.length - 1];
    for (const [id, off] of [['first', ends[0]], ['previous', ends[0]], ['next', ends[1]], ['last', ends[1]]] as const) {
      byId<HTMLButtonElement>(id).disabled = off!;
    }
    byId('ply').textContent = `${this.#ply} of ${this.#game!.moves.length}`;
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const button = list.querySelectorAll('button')[this.#ply - 1];
    button?.setAttribute('aria-current', 'true');
    // Scroll only the list, not the page.
    if (button) list.scrollTop = button.offsetTop - list.clientHeight / 2;
    else list.scrollTop = 0;
  }
}

function players(game: Game): string {
  const { White, Black, Result, Date } = game.tags;
  const year = Date?.match(/^\d{4}/)?.[0];
  const result = Result && Result !== '*' ? Result.replaceAll('1/2', '½') : '';
  const names = White || Black ? `${White ?? '?'} – ${Black ?? '?'}` : `${game.moves.length} half-moves`;
  return [names, year, result].filter(Boolean).join(', ');
}
