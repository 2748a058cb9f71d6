// Loops that a warp goes around in one state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<16>; .reg .pred %p<4>;
  .shared .align 4 .b32 flag; .shared .align 4 .b8 tile[128];`;

/** Warp 0 stores 0 to a flag before all threads meet; then each warp executes its own part. */
const verdictOf = (first: string, second: string) =>
  check(
    ptxKernel({
      ptx: {
        file: 'kernel.ptx',
        text: kernelText(
          DECLARATIONS,
          `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @!%p0 st.shared.u32 [flag], 0;
           bar.sync 0; mov.u32 %r9, 0; setp.gt.u32 %p1, %r0, 31; @%p1 bra SECOND;
           ${first} bra.uni END; SECOND: ${second} END: ret;`,
        ),
      },
      launch: {
        file: 'launch.json',
        text: JSON.stringify({ grid: [1, 1, 1], block: [64, 1, 1], params: [] }),
      },
    }),
  );

const SET = '@!%p0 st.release.cta.shared.u32 [flag], 1;';
const WAIT =
  'AGAIN: ld.acquire.cta.shared.u32 %r7, [flag]; setp.eq.u32 %p2, %r7, 0; @%p2 bra AGAIN;';

test('a loop that waits for a word which nothing sets any more is a deadlock', async () => {
  for (const [first, second] of [
    ['', WAIT],
    [`${WAIT} ${SET}`, ''],
    [`${WAIT} ${SET}`, WAIT.replaceAll('AGAIN', 'OTHER')],
  ] as const) {
    const { verdict, findings } = await verdictOf(first, second);
    assert.equal(verdict, 'counterexample', `${first} ${second}`);
    const [{ rule, message } = {}] = findings;
    assert.equal(rule, 'deadlock');
    assert.match(message!, /^warp[01] waits for the value 1 of flag\+0, which is 0/);
  }
});

test('a loop that goes around until another warp sets the word ends', async () => {
  const { verdict, reason } = await verdictOf(
    WAIT,
    'setp.eq.u32 %p0, %r0, 32; ' + SET.replace('!', ''),
  );
  assert.equal(verdict, 'certified', reason);
});

test('a loop that counts, or whose loads have other addresses, is no wait', async () => {
  const count = 'AGAIN: ld.shared.u32 %r7, [tile]; add.u32 %r9, %r9, 1;';
  const walk =
    'mov.u32 %r8, tile; AGAIN: ld.shared.u32 %r7, [%r8]; add.u32 %r8, %r8, 4; ' +
    'and.b32 %r8, %r8, 124; add.u32 %r9, %r9, 1;';
  for (const body of [count, walk]) {
    const loop = `${body} setp.lt.u32 %p2, %r9, 3000; @%p2 bra AGAIN;`;
    const { verdict, reason } = await verdictOf(loop, '');
    assert.equal(verdict, 'certified', reason);
  }
});

test('a loop that nothing ends is said with its line', async () => {
  const { verdict, reason } = await verdictOf('AGAIN: bra.uni AGAIN;', '');
  assert.equal(verdict, 'inconclusive');
  assert.match(
    reason!,
    /^its loop goes around in one state: nothing that is executed here ends it/,
  );
});
