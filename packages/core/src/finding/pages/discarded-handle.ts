// `poundlock explain discarded-handle`.
import type { Page } from './page.ts';

const rejected = `import { openSync } from 'node:fs';

export function create(path: string): void {
  openSync(path, 'w'); // creates the file and leaves it open
}`;

const fix = `import { closeSync, openSync } from 'node:fs';

export function create(path: string): void {
  closeSync(openSync(path, 'w'));
}`;

export const discardedHandle: Page = {
  rule: 'discarded-handle',
  title: 'a handle is acquired and dropped at once',
  what:
    'The result of this call must be released, and nothing holds it: no variable, no ' +
    'field, no owner. Nobody can release it any more. Bind it, or do not acquire it.',
  rejected,
  fix,
  seeAlso: ['leak'],
};
