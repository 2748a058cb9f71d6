// tier: deep
// From each public bug as PTX to its fix, an agent reads little.
import { test } from 'node:test';
import { KERNELS } from '../../../../examples/ptx/bugs/about.ts';
import { answersOn, expectShort } from './bugs.ts';

for (const [name, { awaits }] of Object.entries(KERNELS)) {
  if (awaits !== undefined) continue;
  test(`${name}: from PTX to its fix in two calls that are short`, async () => {
    expectShort(await answersOn(name));
  });
}
