// --cases FILE.csv: one set of parameters for each row.
import { resolve } from 'node:path';
import type { CsvError } from 'csv-parse/sync';
import { InputError } from '@poundlock/core/internal/base';
import { messageOf, readText } from '@poundlock/core/internal/host';

/** One row: its cells by column, and the line on which it ends. */
export interface CaseRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Cases {
  readonly file: string;
  readonly header: readonly string[];
  readonly rows: readonly CaseRow[];
}

interface InfoRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** An InputError at the start of a line of the CSV file. */
export function caseError(file: string, line: number, message: string): InputError {
  return new InputError(message, { file, line, column: 1 });
}

function csvMessage(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and never closed';
  const message = messageOf(error);
  return message.slice(0, 1).toLowerCase() + message.slice(1);
}

/** The parser is loaded only here: most commands read no CSV. */
async function parseRows(text: string, file: string): Promise<InfoRecord[]> {
  const csv = await import('csv-parse/sync');
  const options = { bom: true, info: true, trim: true, relax_column_count: true } as const;
  try {
    return csv.parse(text, { ...options, skip_empty_lines: true }) as unknown as InfoRecord[];
  } catch (error) {
    if (!(error instanceof csv.CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    throw caseError(file, line, csvMessage(error));
  }
}

/** Reads the file; throws an InputError with the line of the first row unlike the header. */
export async function readCases(file: string, cwd: string): Promise<Cases> {
  const [first, ...rest] = await parseRows(readText(resolve(cwd, file), `--cases ${file}`), file);
  if (first === undefined)
    throw caseError(file, 1, 'the file is empty: its header names parameters');
  const header = first.record;
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) throw caseError(file, 1, `the column ${twice} is there twice`);
  if (rest.length === 0) throw caseError(file, 1, 'there is no row below the header');
  const rows = rest.map(({ record, info }) => ({ line: info.lines, cells: record }));
  for (const { line, cells } of rows) {
    if (cells.length === header.length) continue;
    const found = `this row has ${cells.length} cells, the header has ${header.length}`;
    throw caseError(file, line, found);
  }
  return { file, header, rows };
}

/** `tile_bytes` → `tileBytes`. */
export function camelCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
