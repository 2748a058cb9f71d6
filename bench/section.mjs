// Writes a measurement into its section of a page: between two comments with its name.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Replaces a section of a page of bench/results, which must already exist. */
export function writeSection(page, name, text) {
  const path = fileURLToPath(new URL(`results/${page}`, import.meta.url));
  const before = readFileSync(path, 'utf8');
  const [first, last] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->\n`];
  const [from, to] = [before.indexOf(first), before.indexOf(last)];
  if (from < 0 || to < from) throw new Error(`bench/results/${page} has no section ${name}`);
  const head = before.slice(0, from + first.length);
  writeFileSync(path, `${head}\n${text.trim()}\n\n${before.slice(to)}`);
}
