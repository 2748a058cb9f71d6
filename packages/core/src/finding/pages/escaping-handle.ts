// `poundlock explain escaping-handle`.
import type { Page } from './page.ts';

const rejected = `import { open } from 'node:fs/promises';

export async function size(path: string): Promise<{ size: number }> {
  await using file = await open(path);
  return file.stat(); // the file is closed while this still reads it
}`;

const fix = `import { open } from 'node:fs/promises';

export async function size(path: string): Promise<{ size: number }> {
  await using file = await open(path);
  return await file.stat();
}`;

export const escapingHandle: Page = {
  rule: 'escaping-handle',
  title: 'a handle leaves the scope that releases it',
  what:
    'What `using`, a DisposableStack or a caller releases is dead when that scope ends. ' +
    'Returned, stored outside, or used by a function that runs later, it is a handle of ' +
    'nothing. Give ownership away instead (acquire it with `const`, or `stack.move()`), ' +
    'or finish the work inside the scope: `return await`.',
  rejected,
  fix,
  seeAlso: ['use-after-release'],
};
