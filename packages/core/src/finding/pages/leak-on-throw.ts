// `poundlock explain leak-on-throw`.
import type { Page } from './page.ts';

const rejected = `import { open } from 'node:fs/promises';

export async function size(path: string): Promise<number> {
  const file = await open(path);
  const { size } = await file.stat(); // rejected: nobody closes the file
  await file.close();
  return size;
}`;

const fix = `import { open } from 'node:fs/promises';

export async function size(path: string): Promise<number> {
  await using file = await open(path);
  const { size } = await file.stat();
  return size;
}`;

export const leakOnThrow: Page = {
  rule: 'leak-on-throw',
  title: 'a handle is not released when something in between fails',
  what:
    'Between acquire and release something is awaited, yielded or called that may not ' +
    'come back normally, and no `finally` or `catch` releases the handle then. An `await` ' +
    'may be rejected, a generator may be abandoned at a `yield`, a function that throws ' +
    'is known to throw. Other calls count only with `--strict`. Start the `try` right ' +
    'after the acquire, or use `using`.',
  rejected,
  fix,
  seeAlso: ['leak'],
};
