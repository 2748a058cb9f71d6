// The tier of a file of tests: `// tier: deep` as its first line, else main.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What runs when: main after each change, deep and release before a change is final. */
export const TIERS = ['main', 'deep', 'release'];

const HEADER = /^\/\/ tier: (\w+)(, alone)?(?: — .*)?\n/;

/**
 * The tier of a file, and whether it needs a process of its own; files of `tools/` have to say it.
 * Throws where the tier is missing, or is none.
 */
export function tierOf(file, text) {
  const header = HEADER.exec(text);
  if (header === null) {
    if (/^\/\/ tier\b/.test(text)) throw new Error(`${file}:1 the header is '// tier: NAME'`);
    if (file.startsWith('tools/')) throw new Error(`${file}:1 a test of tools/ names its tier`);
    return { tier: 'main', isAlone: false };
  }
  const [, tier, alone] = header;
  if (!TIERS.includes(tier))
    throw new Error(`${file}:1 no tier '${tier}': one of ${TIERS.join(', ')}`);
  return { tier, isAlone: alone !== undefined };
}

/** Files with their tiers, read from a folder. */
export function withTiers(files, cwd) {
  return files.map((file) => ({ file, ...tierOf(file, readFileSync(join(cwd, file), 'utf8')) }));
}
