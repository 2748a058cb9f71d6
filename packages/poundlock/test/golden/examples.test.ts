import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expectGolden, goldensIn, namesIn } from './golden.ts';
import { command } from './in-process.ts';

/** Other sizes that each example is certified for: one is small, one has more of everything. */
const SIZES: Readonly<Record<string, readonly string[]>> = {
  gemm: ['stages=1,tiles=3', 'stages=4,tiles=9', 'tiles=0'],
  'gemm-linear': ['stages=1,tiles=3', 'stages=4,tiles=9', 'tiles=0'],
  'hand-over-hand': ['stages=2,tiles=40', 'stages=4,tiles=3', 'tiles=0'],
  multicast: [
    'producers=1,consumers=1,stages=1',
    'producers=3,consumers=1',
    'producers=1,consumers=3,stages=3,tiles=7',
    'producers=3,consumers=2,tiles=5',
  ],
  'three-roles': [
    'stages=1,accumStages=1,kSteps=1,tiles=1',
    'stages=3,accumStages=1,kSteps=3,tiles=5',
    'accumStages=3,tiles=7',
    'tiles=0',
  ],
  'work-queue': ['workers=1,stages=1', 'workers=3,stages=1', 'workers=2,stages=3', 'workers=3'],
};

/** This one runs as a real command. */
const REAL = 'gemm';

suite('examples', () => {
  for (const name of namesIn('examples')) {
    test(`${name} is certified`, async () => {
      const { code, stdout, stderr } = await command(`poundlock check examples/${name}.ts`, {
        isReal: name === REAL,
      });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      expectGolden(`examples/${name}`, stdout);
    });

    for (const size of SIZES[name] ?? []) {
      test(`${name} with ${size} is certified`, async () => {
        const settings = size.replaceAll(/(^|,)/g, ' --set ');
        const { code, stdout } = await command(`poundlock check examples/${name}.ts${settings}`);
        assert.match(stdout, /^certified {2}/);
        assert.equal(code, 0);
      });
    }
  }
});

test('every example has its sizes and its golden file, and no golden is left over', () => {
  assert.deepEqual(Object.keys(SIZES).toSorted(), namesIn('examples'));
  assert.deepEqual(goldensIn('examples'), namesIn('examples'));
});
