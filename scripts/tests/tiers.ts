// The tier of a file of tests: `// tier: deep` as its first line, else main.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What runs when: main after each change, deep and release before a change is final. */
export const TIERS = ['main', 'deep', 'release'];

/** How a file of tests is run. */
export interface Placed {
  readonly tier: string;
  /** Whether it needs a process of its own. */
  readonly isAlone: boolean;
}

const HEADER = /^\/\/ tier: (\w+)(, alone)?(?: — .*)?\r?\n/;

/** The tier that a text names; files of `tools/` have to. Throws where it is missing, or is none. */
export function tierOf(file: string, text: string): Placed {
  const header = HEADER.exec(text);
  if (header === null) {
    if (/^\/\/ tier\b/.test(text)) throw new Error(`${file}:1 the header is '// tier: NAME'`);
    if (file.startsWith('tools/')) throw new Error(`${file}:1 a test of tools/ names its tier`);
    return { tier: 'main', isAlone: false };
  }
  const [, tier = '', alone] = header;
  if (!TIERS.includes(tier))
    throw new Error(`${file}:1 no tier '${tier}': one of ${TIERS.join(', ')}`);
  return { tier, isAlone: alone !== undefined };
}

/** Files with their tiers, read from a folder. */
export function withTiers(files: readonly string[], cwd: string): (Placed & { file: string })[] {
  return files.map((file) => ({ file, ...tierOf(file, readFileSync(join(cwd, file), 'utf8')) }));
}
