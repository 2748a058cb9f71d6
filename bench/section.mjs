// Puts what a benchmark measured into its place in a page: between two comments with its name.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Replaces a section of a page of docs/, which must have it already. */
export function writeSection(page, name, text) {
  const path = fileURLToPath(new URL(`../docs/${page}`, import.meta.url));
  const before = readFileSync(path, 'utf8');
  const [first, last] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->\n`];
  const [from, to] = [before.indexOf(first), before.indexOf(last)];
  if (from < 0 || to < from) throw new Error(`docs/${page} has no section ${name}`);
  const head = before.slice(0, from + first.length);
  writeFileSync(path, `${head}\n${text.trim()}\n\n${before.slice(to)}`);
}
