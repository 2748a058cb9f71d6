// A hang of a reference run is explained by what its warps would do behind their waits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';

const FOLDER = join(import.meta.dirname, '../../../../examples/ptx/bugs');

/** The first finding of a kernel of the gallery. */
async function findingOf(name: string) {
  const [ptx, launch] = ['bug.ptx', 'launch.json'].map((file) => {
    return { file, text: readFileSync(join(FOLDER, name, file), 'utf8') };
  });
  const { findings } = await check(ptxKernel({ ptx: ptx!, launch: launch! }), {
    sizes: 'requested',
  });
  return findings[0]!;
}

const MESSAGES = {
  '010-sync-of-some-warps': /^named barrier 0 takes 96 threads .* warp2 does not come to it again$/,
  '015-tile-before-mask':
    /^warp0 and warp1 wait for each other: warp0 for mask_empty and warp1 for full$/,
  '016-phase-from-zero': /^warp1's first wait for full\[0\] tests parity 1, /,
  '021-load-order-every-tile':
    /^warp1 waits for order, which gets no more arrivals: warp0 has ended after 1 arrival on it/,
  '028-bytes-of-the-cluster':
    /^full of CTA 0 expects 16,384 B in each phase and only 8,192 B are copied/,
};

for (const [name, message] of Object.entries(MESSAGES)) {
  test(`${name} says why its warps wait`, async () => {
    const finding = await findingOf(name);
    assert.equal(finding.rule, 'deadlock');
    assert.match(finding.message, message);
  });
}

test('hints are in the words of PTX', async () => {
  const { helps } = await findingOf('075-init-of-all-barriers');
  assert.match(helps[0]!, /^execute fence\.mbarrier_init\.release\.cluster after/);
});
