// tier: deep
// The examples and the kernels with known answers, with and without the values that decide nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CASES } from './cases.ts';
import { requireOneAnswer } from './slice.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/ptx');

for (const folder of [EXAMPLES, CASES])
  for (const name of readdirSync(folder).filter((each) => each.endsWith('launch.json')))
    test(name, async () => {
      const launch = readFileSync(join(folder, name), 'utf8');
      const own = folder === CASES ? name.replace('.launch.json', '.ptx') : 'tile-sum.sm90a.ptx';
      const file = JSON.parse(launch).ptx?.file ?? own;
      const text = readFileSync(join(folder, file), 'utf8');
      await requireOneAnswer({ ptx: { file, text }, launch: { file: name, text: launch } });
    });
