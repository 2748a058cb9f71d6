// Draws the output of a command as a terminal window: ANSI styles become SVG text.
import { COLORS, escaped, svg } from './svg.mjs';

const COLUMN = 7.8;
const ROW = 19;
const MARGIN = 18;

const OPENING = { 1: { bold: true }, 2: { color: COLORS.faint } };
const FOREGROUND = { 31: COLORS.red, 32: COLORS.green, 33: COLORS.yellow, 36: COLORS.blue };
const CLOSING = { 22: { bold: false, color: COLORS.text }, 39: { color: COLORS.text } };

/** A line as runs of equal style: where each starts, its text, color and weight. */
function runsOf(line) {
  const runs = [];
  const style = { color: COLORS.text, bold: false };
  let column = 0;
  // eslint-disable-next-line no-control-regex -- ANSI escapes are control characters
  for (const [, code, text] of line.matchAll(/\u001b\[(\d+)m|([^\u001b]+)/g)) {
    if (code !== undefined) {
      const color = FOREGROUND[code];
      Object.assign(style, color ? { color } : (OPENING[code] ?? CLOSING[code]));
    } else {
      if (text.trim() !== '') runs.push({ column, text, ...style });
      column += [...text].length;
    }
  }
  return { runs, columns: column };
}

function textOf({ column, text, color, bold }, row) {
  const lead = text.length - text.trimStart().length;
  const shown = text.trim();
  const x = (MARGIN + (column + lead) * COLUMN).toFixed(1);
  const width = ([...shown].length * COLUMN).toFixed(1);
  const weight = bold ? ' font-weight="700"' : '';
  const y = MARGIN + row * ROW + 14;
  // textLength keeps columns aligned in every monospaced font.
  return `<text x="${x}" y="${y}" textLength="${width}" fill="${color}"${weight}>${escaped(shown)}</text>`;
}

export function terminalSvg(command, output) {
  const lines = [`$ ${command}`, ...output.trimEnd().split('\n')].map(runsOf);
  const columns = Math.max(...lines.map((line) => line.columns));
  const [width, height] = [columns * COLUMN + 2 * MARGIN, lines.length * ROW + 2 * MARGIN];
  const body = lines.flatMap(({ runs }, row) => runs.map((run) => textOf(run, row)));
  return svg(Math.ceil(width), height, `Output of ${command}`, body);
}
