// The numbered rules of docs/reference/semantics.md, which is part of this package.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The page in the package, and the one of the repository, where that is not built. */
const PLACES = [
  '../../../lib/reference/semantics.md',
  '../../../../../docs/reference/semantics.md',
];

/** What a numbered rule such as `M07` says; `undefined` for a number that no rule has. */
export function semanticRule(number: string): string | undefined {
  const path = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((each) =>
    existsSync(each),
  );
  if (path === undefined) return undefined;
  const row = `| ${number.toUpperCase()} | `;
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(row));
  return line
    ?.slice(row.length)
    .replace(/\|\s*$/, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .trim();
}
