// Accesses that data decides: a certain error beside one wins, and no family of them is special.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;';
const SHARED = '.shared .align 16 .b8 x[64]; .shared .align 16 .b8 y[64];';

async function resultOf(body: string) {
  const text = kernelText(`${REGISTERS} ${SHARED}`, body, '.param .u64 p');
  const params = [{ kind: 'pointer', bytes: 4096 }];
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason } = await check(kernel, { sizes: 'requested' });
  return { verdict, rule: findings[0]?.rule, notes: findings[0]?.notes ?? [], reason };
}

/** Warp 0 may store into `x` if a word of memory is not zero; warp 1 reads it. */
function freely(store: string): string {
  return `ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32; ld.global.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0;
    mov.u32 %r6, x; @%p1 bra B;
    ${store}
    J: bar.warp.sync 0xffffffff; ret;
    B: ld.shared.u32 %r4, [x]; st.global.u32 [%rd2+64], %r4; ret;`;
}

const STORES = {
  'st behind a branch': '@%p3 bra J; st.shared.u32 [x], %r1;',
  'st with a guard': '@!%p3 st.shared.u32 [x], %r1;',
  'red behind a branch': '@%p3 bra J; red.shared.add.u32 [x], %r1;',
  'cp.async behind a branch':
    '@%p3 bra J; cp.async.ca.shared.global [%r6], [%rd2], 16; cp.async.wait_all;',
  'cp.async with a guard': '@!%p3 cp.async.ca.shared.global [%r6], [%rd2], 16; cp.async.wait_all;',
} as const;

for (const [name, store] of Object.entries(STORES))
  test(`a race where data leads freely: ${name}`, async () => {
    const { verdict, rule, notes } = await resultOf(freely(store));
    assert.deepEqual([verdict, rule], ['counterexample', 'race']);
    assert.match(notes.join(), /data decides whether one of the accesses happens/);
  });

test('what threads count in memory is no free data', async () => {
  const counted = freely(STORES['st with a guard']).replace(
    'ld.global.u32 %r3',
    'red.relaxed.gpu.global.add.u32 [%rd2], 1; bar.sync 0; ld.global.u32 %r3',
  );
  const { verdict, reason } = await resultOf(counted);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /if the access happens/);
});

/** Each thread may make its word less by that of another warp, as in a search for shortest paths. */
const LESSENED = `ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd2, %rd3; and.b32 %r2, %r1, 31;
    mul.wide.u32 %rd1, %r2, 4; add.s64 %rd1, %rd2, %rd1; ld.global.u32 %r4, [%rd1];
    ld.global.u32 %r3, [%rd3]; setp.ge.s32 %p3, %r4, %r3; @%p3 bra J;
    st.global.u32 [%rd3], %r4; J: ret;`;

test('memory that a kernel changes says whether it does: not all may be there', async () => {
  const { verdict, reason } = await resultOf(LESSENED);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /if the access happens/);
  // Without the question it is a race.
  const always = await resultOf(LESSENED.replace('@%p3 bra J;', ''));
  assert.deepEqual([always.verdict, always.rule], ['counterexample', 'race']);
});

test('without an access of others there is none', async () => {
  const store = '@%p3 bra J; st.shared.u32 [y], %r1;';
  assert.equal((await resultOf(freely(store))).verdict, 'certified');
});

/** A certain race on `x`, and a doubtful one on `y`, all at lines that the text gives. */
function beside(certain: string, doubtful: string): string {
  return `ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32; ld.global.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0;
    ld.global.u32 %r7, [%rd2+4]; and.b32 %r7, %r7, 12; mov.u32 %r6, y; add.u32 %r6, %r6, %r7;
    @%p1 bra B;
    st.shared.u32 [y], %r1; ${certain} ret;
    B: ${doubtful} ld.shared.u32 %r4, [x]; st.global.u32 [%rd2+64], %r4; ret;`;
}

test('a certain race is not hedged by a doubtful one that is met before it', async () => {
  const doubtful = 'st.shared.u32 [%r6], %r1; ld.shared.u32 %r5, [%r6]; bar.warp.sync -1;';
  const certain = 'st.shared.u32 [x], 1;';
  const both = await resultOf(beside(certain, doubtful));
  assert.deepEqual([both.verdict, both.rule], ['counterexample', 'race']);
});
