// Sentences about PTX whose reference run hangs: what its warps would do after their waits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '@poundlock/core/internal/finding';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';
import { kernelText } from '../../../../ptx/test/kernel-text.ts';
import { headline, Sentences, wholeText } from './sentences.ts';

const shown = new Sentences('built-kernels');

const REGISTERS = '.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;';
const BARRIERS = '.shared .align 8 .b64 one; .shared .align 8 .b64 two;';

/** The wait of a label's number for phase 0 of a barrier. */
const wait = (barrier: string, label: string): string =>
  `${label}: mbarrier.try_wait.parity.shared.b64 %p1, [${barrier}], 0; @!%p1 bra ${label};`;
const arrive = (barrier: string): string => `mbarrier.arrive.shared.b64 _, [${barrier}];`;

/** Finds the deadlock of two warps; both barriers count the threads of one. */
function deadlockOf(first: string, second: string) {
  return deadlockIn(
    REGISTERS + BARRIERS,
    `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
     mbarrier.init.shared.b64 [one], 32; mbarrier.init.shared.b64 [two], 32;
     READY: bar.sync 0; setp.ge.u32 %p2, %r0, 32; @%p2 bra SECOND;
     ${first} bra END;
     SECOND: ${second}
     END: ret;`,
  );
}

/** Finds the deadlock of a kernel of two warps. */
async function deadlockIn(declarations: string, body: string) {
  const text = kernelText(declarations, body, '.param .u64 data');
  const params = [{ kind: 'pointer', bytes: 256 }];
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  const { verdict, findings } = await check(
    ptxKernel({
      ptx: { file: 'kernel.ptx', text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    }),
  );
  assert.equal(verdict, 'counterexample');
  const found = findings.find(({ rule }) => rule === 'deadlock');
  assert.ok(found !== undefined);
  return found;
}

test('warps that would arrive after their own waits are not said never to arrive', async () => {
  const found = await deadlockOf(
    `${wait('one', 'A')} ${arrive('two')}`,
    `${wait('two', 'B')} ${arrive('one')}`,
  );
  shown.expect('arrivals after their own waits', wholeText(found));
});

test('an arrival behind a wait that another warp holds up makes no wrong count', async () => {
  const found = await deadlockOf(
    `${arrive('one')} ${wait('two', 'A')} ${arrive('one')}`,
    `${wait('one', 'B')} bar.sync 1, 64; ${arrive('two')}`,
  );
  shown.expect('an arrival behind a wait', wholeText(found));
});

test('where all waits are for one barrier, who does not arrive is known', async () => {
  const found = await deadlockOf(arrive('two'), wait('one', 'A'));
  shown.expect('one barrier that no warp arrives on', wholeText(found));
});

test('a wait for the same parity twice is the reason, whatever copies are in flight', async () => {
  // Each copy ends a phase. A schedule may pass the second wait before the second copy has ended.
  const copy = `mbarrier.arrive.expect_tx.shared.b64 _, [one], 128;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 128, [one];`;
  const found = await deadlockIn(
    `${REGISTERS} .shared .align 8 .b64 one; .shared .align 16 .b8 tile[128];`,
    `ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 ret;
     mbarrier.init.shared.b64 [one], 1;
     ${copy} ${wait('one', 'A')} ${copy} ${wait('one', 'B')} ret;`,
  );
  shown.expect('the same parity twice', wholeText(found));
});

const FOLDER = join(import.meta.dirname, '../../../../../examples/ptx/bugs');

/** Kernels of the gallery whose cause is in what the warps would have done. */
const GALLERY: readonly string[] = [
  '010-sync-of-some-warps',
  '015-tile-before-mask',
  '016-phase-from-zero',
  '021-load-order-every-tile',
  '028-bytes-of-the-cluster',
];

/** The first finding of a kernel of the gallery. */
async function inGallery(name: string): Promise<Finding> {
  const [ptx, launch] = ['bug.ptx', 'launch.json'].map((file) => {
    return { file, text: readFileSync(join(FOLDER, name, file), 'utf8') };
  });
  const kernel = ptxKernel({ ptx: ptx!, launch: launch! });
  const { findings } = await check(kernel, { sizes: 'requested' });
  return findings[0]!;
}

for (const name of GALLERY) {
  test(`${name} says why its warps wait`, async () => {
    const found = await inGallery(name);
    assert.equal(found.rule, 'deadlock');
    shown.expect(name, headline(found));
  });
}

test('hints are in the words of PTX', async () => {
  const name = '075-init-of-all-barriers';
  shown.expect(name, wholeText(await inGallery(name)));
});

test('a wait of one lane, and the join that is missing', async () => {
  const folder = join(import.meta.dirname, '../../../../ptx/test/lanes');
  const file = 'lanes.sm90a.ptx';
  const pointer = { kind: 'pointer', bytes: 65_536 };
  const params = [pointer, pointer, { kind: 'scalar', type: 'i32', value: 5 }];
  const launch = JSON.stringify({ grid: [1, 1, 1], block: [64, 1, 1], params });
  const kernel = ptxKernel({
    ptx: { file, text: readFileSync(join(folder, file), 'utf8') },
    launch: { file: 'launch.json', text: launch },
    entry: 'one_waits_bug',
  });
  const { findings } = await check(kernel, { sizes: 'requested' });
  assert.equal(findings[0]?.rule, 'unjoined-lanes');
  shown.expect('a wait of one lane', wholeText(findings[0]));
});

shown.expectNoOther();
