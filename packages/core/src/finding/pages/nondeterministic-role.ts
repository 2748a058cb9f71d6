// `poundlock explain nondeterministic-role`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, kernel, role } from 'poundlock';

let runs = 0; // shared by every run of the role

export default kernel('remembers', {}, () => {
  const done = barrier('done');
  return [
    role('load', function* () {
      if (runs++ % 2 === 0) arrive(done);
    }),
  ];
});`;

const fix = `import { arrive, barrier, choose, kernel, role } from 'poundlock';

export default kernel('chooses', {}, () => {
  const done = barrier('done');
  return [
    role('load', function* () {
      if ((yield* choose(2)) === 0) arrive(done);
    }),
  ];
});`;

export const nondeterministicRole: Page = {
  rule: 'nondeterministic-role',
  title: 'a role does something else when it is run again with the same answers',
  what:
    'A search runs a role many times and relies on it: what it does may depend only on its ' +
    'parameters and on what its operations answered. Here two runs with the same answers ' +
    "differ, through `Math.random`, the clock, or a variable outside of the kernel's " +
    'callback. Decisions that are really open are an operation, `yield* choose(n)`, and then ' +
    'every answer is checked.',
  rejected,
  fix,
  seeAlso: ['loop-captures'],
};
