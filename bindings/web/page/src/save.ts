// Pictures for download: the board with a heading, the legend, and the FEN.

import { BELOW, BOARD, LEFT, board, coordinates, definitions, legend, scale, title } from './picture.js';
import type { State } from './state.js';
import type { Facts } from './views.js';

const EDGE = 26;

function escape(text: string): string {
  return text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]!);
}

/** Returns the page's picture as a separate document, in light or dark. */
export function toSvg(facts: Facts, state: State, dark: boolean): string {
  const [ground, text, label] = dark ? ['#16181d', '#e6e4df', '#a5a199'] : ['#fff', '#2b2b2b', '#6b675f'];
  const width = LEFT + BOARD + 2 * EDGE;
  const font = 'font-family="Helvetica, Arial, sans-serif"';
  /** Returns the size of a line's letters: this one, or a smaller one with which a long line fits. */
  const fit = (line: string, size: number): string => Math.min(size, (7 * (width - 40)) / (4 * line.length)).toFixed(1);
  const turn = facts.turn === 'white' ? 'White to move' : 'Black to move';
  const parts = [
    `<text x="${width / 2}" y="34" font-size="${fit(title(state), 19)}" font-weight="bold" text-anchor="middle" fill="${text}" ${font}>${escape(title(state))}</text>`,
    `<text x="${width / 2}" y="54" font-size="13" text-anchor="middle" fill="${label}" ${font}>${turn}</text>`,
    `<g transform="translate(${EDGE} 68)">${coordinates(state.flipped, label)}<g transform="translate(${LEFT} 0)">${board(facts, state)}<rect width="${BOARD}" height="${BOARD}" fill="none" stroke="#8a857a"/></g></g>`,
  ];
  let y = 68 + BOARD + BELOW + 12;
  const colours = scale(state);
  if (colours) {
    const cell = 34;
    let x = (width - cell * colours.colours.length) / 2;
    colours.colours.forEach((fill, i) => {
      parts.push(`<rect x="${x}" y="${y}" width="${cell}" height="22" fill="${fill}"/><text x="${x + cell / 2}" y="${y + 16}" font-size="13" font-weight="bold" text-anchor="middle" fill="#1d1d1f" ${font}>${colours.texts[i]}</text>`);
      x += cell;
    });
    y += 34;
  }
  for (const { mark, text: what } of legend(state)) {
    parts.push(`<g transform="translate(${EDGE + LEFT} ${y})">${mark}<text x="30" y="17" font-size="13" fill="${text}" ${font}>${escape(what)}</text></g>`);
    y += 26;
  }
  y += 16;
  parts.push(`<text x="${width / 2}" y="${y}" font-size="${fit(facts.fen, 12)}" text-anchor="middle" fill="${label}" ${font}>${facts.fen}</text>`);
  const height = y + 18;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escape(title(state))}: ${facts.fen}</title>${definitions()}<rect width="100%" height="100%" fill="${ground}"/>${parts.join('\n')}</svg>\n`;
}

/** Converts a picture to a PNG of three times its size. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [3 * image.naturalWidth, 3 * image.naturalHeight];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('this browser writes no PNG'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Downloads a file. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
