// The interactive board: a table of squares over the picture, for pointers, keys and screen readers.

import { squareName } from '../../package/src/index.js';
import { byId, make } from './dom.js';
import { piece } from './picture.js';

export interface GridActions {
  /** Returns the piece on a square: a letter as in FEN, or empty. */
  pieceAt(square: number): string;
  /** Moves a piece from one square to another, or off the board. */
  move(from: number, to: number | undefined): void;
  /** Puts a piece on a square; an empty string clears it. */
  put(square: number, letter: string): void;
  /** The pointer or the focus has moved to a square, or to none. */
  point(square: number | undefined): void;
  /** A piece has been picked up, or put down. */
  hold(square: number | undefined): void;
}

const LETTERS = 'PNBRQKpnbrqk';

export class Grid {
  readonly #table = byId<HTMLTableElement>('board');
  readonly #cells: HTMLTableCellElement[] = [];
  readonly #actions: GridActions;
  #flipped = false;
  #focus = 0;
  /** The piece that clicks put on squares: a letter, empty to clear the square, or none. */
  #brush: string | undefined;
  /** The square of the piece that was picked up by key or tap. */
  #picked: number | undefined;
  #drag: { pointer: number; from: number | undefined; letter: string; ghost: HTMLElement | undefined; x: number; y: number } | undefined;

  constructor(actions: GridActions) {
    this.#actions = actions;
    for (let row = 0; row < 8; row++) {
      const line = make('tr', { role: 'row' });
      for (let column = 0; column < 8; column++) {
        const cell = make('td', { role: 'gridcell', tabindex: '-1' });
        line.append(cell);
        this.#cells.push(cell);
      }
      this.#table.append(line);
    }
    this.#table.addEventListener('keydown', (event) => this.#key(event));
    this.#table.addEventListener('focusin', (event) => {
      const square = this.#squareOf(event.target);
      if (square !== undefined) this.#moveFocus(square, false);
    });
    this.#table.addEventListener('focusout', () => this.#actions.point(undefined));
    this.#table.addEventListener('pointerover', (event) => {
      if (!this.#drag) this.#actions.point(this.#squareOf(event.target));
    });
    this.#table.addEventListener('pointerleave', (event) => {
      if (!this.#drag && event.pointerType === 'mouse') this.#actions.point(undefined);
    });
    this.#table.addEventListener('pointerdown', (event) => this.#down(event));
    document.addEventListener('pointermove', (event) => this.#moveDrag(event));
    document.addEventListener('pointerup', (event) => this.#up(event));
    document.addEventListener('pointercancel', (event) => {
      if (this.#drag?.pointer === event.pointerId) this.#drop();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.brush(undefined);
    });
    this.#palette();
  }

  /** Shows a position: the labels of the squares, and the orientation. */
  show(flipped: boolean, names: readonly string[], pieces: readonly string[]): void {
    this.#flipped = flipped;
    this.#cells.forEach((cell, place) => {
      const square = this.#at(place);
      cell.dataset['square'] = squareName(square);
      cell.setAttribute('aria-label', names[square]! + (square === this.#picked ? ', picked up' : ''));
      cell.classList.toggle('piece', pieces[square] !== '');
      cell.tabIndex = square === this.#focus ? 0 : -1;
    });
  }

  /** Puts down a piece that was picked up, or dragged from a square: another position may have another one there. */
  release(): void {
    if (this.#drag?.from !== undefined) this.#drop();
    if (this.#picked !== undefined) this.#unpick();
  }

  /** Selects the piece that clicks put on squares, or none. */
  brush(letter: string | undefined): void {
    this.#brush = letter;
    this.#table.classList.toggle('brush', letter !== undefined);
    for (const button of byId('palette').querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset['piece'] === letter));
    }
  }

  #at(place: number): number {
    const [row, column] = [place >> 3, place & 7];
    return this.#flipped ? 8 * row + 7 - column : 8 * (7 - row) + column;
  }

  #cellOf(square: number): HTMLTableCellElement {
    return this.#cells.find((_, place) => this.#at(place) === square)!;
  }

  #squareOf(target: EventTarget | null): number | undefined {
    const place = this.#cells.indexOf((target as Element | null)?.closest?.('td') as HTMLTableCellElement);
    return place < 0 ? undefined : this.#at(place);
  }

  #squareAt(x: number, y: number): number | undefined {
    const box = this.#table.getBoundingClientRect();
    const [column, row] = [Math.floor((8 * (x - box.left)) / box.width), Math.floor((8 * (y - box.top)) / box.height)];
    return column < 0 || column > 7 || row < 0 || row > 7 ? undefined : this.#at(8 * row + column);
  }

  #moveFocus(square: number, focus: boolean): void {
    this.#cellOf(this.#focus).tabIndex = -1;
    this.#focus = square;
    const cell = this.#cellOf(square);
    cell.tabIndex = 0;
    if (focus) cell.focus();
    this.#actions.point(square);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = this.#flipped ? -1 : 1;
    const [file, rank] = [this.#focus & 7, this.#focus >> 3];
    const go = (files: number, ranks: number): void => {
      const [x, y] = [file + files * turn, rank + ranks * turn];
      if (x >= 0 && x < 8 && y >= 0 && y < 8) this.#moveFocus(8 * y + x, true);
    };
    const keys: Record<string, () => void> = {
      ArrowUp: () => go(0, 1),
      ArrowDown: () => go(0, -1),
      ArrowLeft: () => go(-1, 0),
      ArrowRight: () => go(1, 0),
      Home: () => go(this.#flipped ? file - 7 : -file, 0),
      End: () => go(this.#flipped ? file : 7 - file, 0),
      Enter: () => this.#pick(this.#focus),
      ' ': () => this.#pick(this.#focus),
      Delete: () => this.#actions.put(this.#focus, ''),
      Backspace: () => this.#actions.put(this.#focus, ''),
      Escape: () => this.#unpick(),
    };
    const action = keys[event.key] ?? (LETTERS.includes(event.key) ? () => this.#actions.put(this.#focus, event.key) : undefined);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
    if (event.key === 'Escape') this.brush(undefined);
  }

  /** Picks a piece up, or puts the held piece down. */
  #pick(square: number): void {
    if (this.#brush !== undefined) {
      this.#actions.put(square, this.#brush);
    } else if (this.#picked === undefined) {
      if (!this.#actions.pieceAt(square)) return;
      this.#picked = square;
      this.#actions.hold(square);
    } else {
      const from = this.#picked;
      this.#unpick();
      if (from !== square) this.#actions.move(from, square);
    }
    this.#actions.point(square);
  }

  #unpick(): void {
    this.#picked = undefined;
    this.#actions.hold(undefined);
  }

  #down(event: PointerEvent): void {
    if (!this.#starts(event)) return;
    const square = this.#squareOf(event.target);
    if (square === undefined) return;
    // The focus does not move, so that arrow keys still step through the game.
    event.preventDefault();
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    this.#actions.point(square);
    if (this.#brush !== undefined) {
      this.#actions.put(square, this.#brush);
      this.#grab(event, undefined, '');
      return;
    }
    const letter = this.#actions.pieceAt(square);
    if (letter) this.#grab(event, square, letter);
  }

  /** Returns whether a pointer may start a drag: no other one, such as a second finger, is dragging. */
  #starts({ button, pointerId }: PointerEvent): boolean {
    return button === 0 && (this.#drag === undefined || this.#drag.pointer === pointerId);
  }

  #grab({ pointerId, clientX, clientY }: PointerEvent, from: number | undefined, letter: string): void {
    this.#drop(); // if the page has missed the end of a drag
    this.#drag = { pointer: pointerId, from, letter, ghost: undefined, x: clientX, y: clientY };
  }

  #moveDrag(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.letter) {
      const square = this.#squareAt(event.clientX, event.clientY);
      if (square !== undefined && this.#brush !== undefined && this.#actions.pieceAt(square) !== this.#brush) {
        this.#actions.put(square, this.#brush);
      }
      return;
    }
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return;
      drag.ghost = this.#ghost(drag.letter);
      if (drag.from !== undefined) this.#actions.hold(drag.from);
    }
    const size = drag.ghost.clientWidth;
    drag.ghost.style.left = `${event.clientX - size / 2}px`;
    drag.ghost.style.top = `${event.clientY - size / 2}px`;
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    this.#drop();
    const square = this.#squareAt(event.clientX, event.clientY);
    if (!drag.ghost || !drag.letter) return;
    if (drag.from === undefined) {
      if (square !== undefined) this.#actions.put(square, drag.letter);
    } else if (square !== drag.from) {
      this.#actions.move(drag.from, square);
    }
    this.#actions.point(event.pointerType === 'mouse' ? square : undefined);
  }

  /** Ends a drag without a move. */
  #drop(): void {
    this.#drag?.ghost?.remove();
    if (this.#drag?.ghost) this.#actions.hold(undefined);
    this.#drag = undefined;
  }

  #ghost(letter: string): HTMLElement {
    const size = this.#table.clientWidth / 8;
    const ghost = make('div', { id: 'ghost', 'aria-hidden': 'true', style: `width:${size}px;height:${size}px` });
    ghost.innerHTML = `<svg viewBox="0 0 56 56" width="100%" height="100%">${piece(letter, 3, 3, 50)}</svg>`;
    document.body.append(ghost);
    return ghost;
  }

  #palette(): void {
    const palette = byId('palette');
    const names = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];
    for (const letter of [...LETTERS.slice(0, 6), '', ...LETTERS.slice(6)]) {
      const name = letter ? `${letter < 'a' ? 'White' : 'Black'} ${names['PNBRQK'.indexOf(letter.toUpperCase())]}` : 'Clear squares';
      const button = make('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': name, title: name, 'data-piece': letter });
      const cross = '<path d="M17 17l22 22m0-22L17 39" stroke="#6b675f" stroke-width="4" stroke-linecap="round"/>';
      button.innerHTML = `<svg viewBox="0 0 56 56" aria-hidden="true">${letter ? piece(letter, 3, 3, 50) : cross}</svg>`;
      button.addEventListener('click', () => this.brush(this.#brush === letter ? undefined : letter));
      button.addEventListener('pointerdown', (event) => {
        if (!letter || !this.#starts(event)) return;
        button.releasePointerCapture?.(event.pointerId);
        this.#grab(event, undefined, letter);
      });
      palette.append(button);
    }
  }
}
