// Tables of measurements, read from their Markdown.
import { textOf } from './repository.ts';

export interface MeasuredTable {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The table of a file whose heading begins with these columns. */
export function tableIn(file: string, ...columns: string[]): MeasuredTable {
  const lines = textOf(file).split('\n');
  const at = lines.findIndex((line) => {
    const cells = cellsOf(line);
    return columns.every((column, index) => cells[index] === column);
  });
  if (at < 0) throw new Error(`${file}: no table with the columns ${columns.join(', ')}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  const rows = lines.slice(at + 2, end < 0 ? undefined : end).map(cellsOf);
  return { heading: cellsOf(lines[at]!), rows };
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('|')) return [];
  const cells = line.trim().replace(/^\||\|$/g, '');
  return cells.split('|').map((cell) => cell.trim().replaceAll('**', ''));
}

/** The number of a cell, its unit `k` or `M` resolved; `undefined` for a cell without one. */
export function numberOf(cell: string | undefined): number | undefined {
  const match = /^[><≥≤~ ]*([\d,]+(?:\.\d+)?)\s*([kM])?\b/.exec(cell ?? '');
  if (match === null) return undefined;
  const factor = match[2] === 'M' ? 1e6 : match[2] === 'k' ? 1e3 : 1;
  return Number(match[1]!.replaceAll(',', '')) * factor;
}
