// What messages say of kernels whose reference run gets stuck: who would do what after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

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
  const labels = [found.primary, ...found.labels].map((each) => each.text);
  return { message: found.message, notes: found.notes, labels };
}

test('warps that would arrive after their own waits are not said never to arrive', async () => {
  const { message, notes, labels } = await deadlockOf(
    `${wait('one', 'A')} ${arrive('two')}`,
    `${wait('two', 'B')} ${arrive('one')}`,
  );
  assert.match(
    message,
    /^warp0 and warp1 wait for each other in the first lap: warp0 for one and /,
  );
  assert.match(labels.join('\n'), /needs 32 arrivals from warp1/);
  assert.doesNotMatch(labels.join('\n'), /no role provides/);
  assert.match(notes.join('\n'), /^one and two have not completed a phase/);
});

test('an arrival behind a wait that another warp holds up makes no wrong count', async () => {
  const { message } = await deadlockOf(
    `${arrive('one')} ${wait('two', 'A')} ${arrive('one')}`,
    `${wait('one', 'B')} bar.sync 1, 64; ${arrive('two')}`,
  );
  assert.match(message, /^named barrier 1 takes 64 threads and never fills: 32 have arrived/);
  assert.match(message, /; warp0 never comes to it$/);
});

test('where all waits are for one barrier, who does not arrive is known', async () => {
  const { message, labels } = await deadlockOf(arrive('two'), wait('one', 'A'));
  assert.match(message, /^one counts 32 arrivals in each phase and gets none/);
  assert.match(labels.join('\n'), /needs 32 arrivals, which no role provides/);
});

test('a wait for the same parity twice is the reason, whatever copies are in flight', async () => {
  // Each copy ends a phase. A schedule may pass the second wait before the second copy has ended.
  const copy = `mbarrier.arrive.expect_tx.shared.b64 _, [one], 128;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 128, [one];`;
  const { message } = await deadlockIn(
    `${REGISTERS} .shared .align 8 .b64 one; .shared .align 16 .b8 tile[128];`,
    `ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 ret;
     mbarrier.init.shared.b64 [one], 1;
     ${copy} ${wait('one', 'A')} ${copy} ${wait('one', 'B')} ret;`,
  );
  assert.match(message, /^warp0 waits for parity 0 of one in all of its 2 waits/);
});
