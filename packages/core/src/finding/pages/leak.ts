// `poundlock explain leak`.
import type { Page } from './page.ts';

const rejected = `import { openSync, closeSync, readSync } from 'node:fs';

export function firstByte(path: string): number | undefined {
  const fd = openSync(path, 'r');
  const buffer = new Uint8Array(1);
  if (readSync(fd, buffer) === 0) return undefined; // the file stays open
  closeSync(fd);
  return buffer[0];
}`;

const fix = `import { openSync, closeSync, readSync } from 'node:fs';

export function firstByte(path: string): number | undefined {
  const fd = openSync(path, 'r');
  try {
    const buffer = new Uint8Array(1);
    return readSync(fd, buffer) === 0 ? undefined : buffer[0];
  } finally {
    closeSync(fd);
  }
}`;

export const leak: Page = {
  rule: 'leak',
  title: 'a handle that must be released is not released on every path',
  what:
    'Whoever acquires a handle owes its release: by one call, by `using`, or by giving it ' +
    'to somebody who owns it. The finding points at the acquire; its labels show a path ' +
    'on which nothing releases it: an early return, a `continue`, a `throw`, or a ' +
    'variable that is overwritten. Release it in `finally`, or bind it with `using` where ' +
    'its type allows it.',
  rejected,
  fix,
  seeAlso: ['leak-on-throw', 'discarded-handle'],
};
