// Writes the output of a benchmark into its page, between two comments that name it.
import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces the text between `<!-- NAME -->` and `<!-- end NAME -->` in a page of results/. */
export function putIntoPage(page, name, text) {
  const file = new URL(`results/${page}.md`, import.meta.url);
  const before = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end ${name} -->`];
  const [from, to] = [before.indexOf(begin) + begin.length, before.indexOf(end)];
  if (from < begin.length || to < from)
    throw new Error(`bench/results/${page}.md has no part ${name}`);
  writeFileSync(file, `${before.slice(0, from)}\n${text.trim()}\n\n${before.slice(to)}`);
}
