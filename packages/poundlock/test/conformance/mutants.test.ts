// tier: deep
// Bugs that hung or read wrong data on real hardware are found in small sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './fixtures.ts';
import { modelKernel, verdictOf, type Params } from './verdict-of.ts';

const rows = table('mutants.csv');
const mutants = [...new Set(rows.map((row) => row['mutant']!))];
const isHarmful = (mutant: string): boolean =>
  rows.some(
    (row) => row['mutant'] === mutant && Number(row['hangs']) + Number(row['corrupt_runs']) > 0,
  );

/** Small sizes: one or two of everything, and tiles for two trips round the ring. */
const SIZES: readonly Params[] = [1, 2].flatMap((stages) =>
  [1, 2].map((consumers) => ({ stages, consumers, tileBytes: 32, tiles: 4 })),
);

test('the correct ring is certified in small sizes and in the measured ones', async () => {
  const kernel = await modelKernel('h200-mutants');
  const measured = rows.filter((row) => row['mutant'] === 'none').map(sizesOf);
  for (const size of [...SIZES, ...measured]) {
    const { isCertified, rule } = await verdictOf(kernel, { ...size, mutant: 'none' });
    assert.ok(isCertified, `${JSON.stringify(size)}: ${rule}`);
  }
});

for (const mutant of mutants.filter(isHarmful)) {
  test(`${mutant} has an error finding in every small size`, async (t) => {
    const kernel = await modelKernel('h200-mutants');
    const rules = new Set<string>();
    for (const size of SIZES) {
      const { isCertified, rule } = await verdictOf(kernel, { ...size, mutant });
      assert.ok(!isCertified, JSON.stringify(size));
      rules.add(rule);
    }
    t.diagnostic([...rules].join(', '));
  });
}

test('11 mutants did harm on the machine, and an unknown one is an error', async () => {
  assert.equal(mutants.filter(isHarmful).length, 11);
  assert.ok(!isHarmful('none'));
  const kernel = await modelKernel('h200-mutants');
  await assert.rejects(verdictOf(kernel, { mutant: 'nome' }), /there is no mutant nome/);
});

/** The columns of a row that are parameters of the kernel. */
function sizesOf(row: Record<string, string>): Params {
  return {
    consumers: Number(row['consumers']),
    stages: Number(row['stages']),
    tileBytes: Number(row['tile_bytes']),
    tiles: Number(row['tiles']),
  };
}
