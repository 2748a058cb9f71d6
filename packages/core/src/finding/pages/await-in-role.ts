// `poundlock explain await-in-role`.
import type { Page } from './page.ts';

const rejected = `import { kernel, role } from 'poundlock';

declare function sleep(): Promise<void>;

export default kernel('waiting', {}, () => {
  // @ts-expect-error a role is a synchronous generator
  const load = role('load', async function* () {
    await sleep();
  });
  return [load];
});`;

const fix = `import { compute, kernel, role } from 'poundlock';

export default kernel('computing', {}, () => {
  const load = role('load', function* () {
    yield* compute(100);
  });
  return [load];
});`;

export const awaitInRole: Page = {
  rule: 'await-in-role',
  title: 'a role waits for a promise',
  what:
    'A role is a synchronous generator: engines drive it step by step, and time passes ' +
    'only at `yield*`. An `async` role, or an `await` in one, waits for something that no ' +
    'engine sees, so nothing that is proved of the kernel holds for it. Do such work ' +
    'before the kernel, or in the work of `compute`.',
  rejected,
  fix,
  seeAlso: ['nondeterministic-role'],
};
