// Reads the fixtures of data/: measured sequences and tables of verdicts.
import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, 'data');

/** The objects of a file with one JSON document in each line. */
export function jsonLines<T>(name: string): T[] {
  const lines = readFileSync(join(DATA, name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

/** The rows of a CSV file by column name. */
export function table(name: string): Record<string, string>[] {
  return parse(readFileSync(join(DATA, name)), { columns: true, skip_empty_lines: true });
}
