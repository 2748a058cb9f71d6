// What a block finds among the writes of others is another value in each block: stores of it are
// not equal. What blocks do beside others that are not executed stays an assumption.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
.shared .align 4 .b8 count[4];`;
const PARAMETERS = '.param .u64 word, .param .u64 out';
const BEGIN = `ld.param.u64 %rd0, [word]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;
setp.ne.u32 %p0, %r0, 0;`;

async function resultOf(body: string) {
  const launch = {
    grid: [5000, 1, 1],
    block: [32, 1, 1],
    params: [
      { kind: 'pointer', bytes: 20_000 },
      { kind: 'pointer', bytes: 20_000 },
    ],
  };
  const text = kernelText(DECLARED, `${BEGIN} ${body} E: ret;`, PARAMETERS);
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, reason } = await check(kernel);
  return { verdict, reason };
}

const DRAW = 'atom.global.add.u32 %r2, [%rd0], 1;';
const STORE = 'st.global.u32 [%rd1], %r2;';
const WRONG = {
  'a number that it drew': `@%p0 bra E; ${DRAW} ${STORE}`,
  'a number, where it is odd': `@%p0 bra E; ${DRAW} and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0;
    @%p1 bra E; ${STORE}`,
  'a number that another lane drew': `@%p0 bra OVER; ${DRAW}
    OVER: shfl.sync.idx.b32 %r2, %r2, 0, 31, -1; setp.ne.u32 %p1, %r0, 3; @%p1 bra E; ${STORE}`,
  'what a number decides': `@%p0 bra E; ${DRAW} and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0;
    selp.b32 %r2, 5, 6, %p1; ${STORE}`,
  'what a volatile load found': `@%p0 bra E; ld.volatile.global.u32 %r2, [%rd0]; ${STORE}`,
  'what a relaxed load found': `@%p0 bra E; ld.relaxed.gpu.global.u32 %r2, [%rd0]; ${STORE}`,
  'which of its threads came first': `@!%p0 st.shared.u32 [count], 0; bar.sync 0;
    atom.shared.add.u32 %r2, [count], 1; setp.ne.u32 %p1, %r0, 3; @%p1 bra E; ${STORE}`,
};
for (const [name, body] of Object.entries(WRONG))
  test(`blocks store into one word ${name}: not certified`, async () => {
    const { verdict, reason } = await resultOf(body);
    assert.notEqual(verdict, 'certified');
    if (verdict === 'inconclusive')
      assert.match(reason!, /blocks store into the same bytes|writes it/);
  });

test('blocks store into one word what all of them read: certified', async () => {
  const { verdict } = await resultOf(`@%p0 bra E; ld.global.u32 %r2, [%rd0]; ${STORE}`);
  assert.equal(verdict, 'certified');
});

test('words of their own: what others do is still an assumption', async () => {
  const { verdict, reason } = await resultOf(
    `@%p0 bra E; ${DRAW} ${STORE.replace('%rd1', '%rd2')}`,
  );
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /--accept other-blocks/);
});

test('an assumption outlives that the first block is executed once more', async () => {
  const meets = 'setp.lt.u32 %p1, %r2, 0; @%p1 bra E; mov.u32 %r2, 1;';
  const { verdict } = await resultOf(`${DRAW} ${meets} ${STORE.replace('%rd1', '%rd2')}`);
  assert.equal(verdict, 'inconclusive');
});

test('a word of shared memory that no warp writes is waited for in one state', async () => {
  const wait = 'L: ld.acquire.cta.shared.u32 %r3, [count]; setp.lt.u32 %p1, %r3, 1; @%p1 bra L;';
  const { reason } = await resultOf(`@!%p0 st.shared.u32 [count], 0; bar.sync 0; ${wait}`);
  assert.match(reason!, /waits until another warp has written|loop never ends/);
});
