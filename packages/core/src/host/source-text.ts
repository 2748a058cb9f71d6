// The text of a module by the address that positions have, for what a program's text shows.
import { readFileSync } from 'node:fs';
import { pathOf } from './file-name.ts';

/** The text of a module, `undefined` where it is no file that can be read. */
export function sourceText(file: string): string | undefined {
  try {
    return readFileSync(pathOf(file), 'utf8');
  } catch {
    return undefined;
  }
}
