// What a block computes from its place stays so on its way through memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const BLOCKS = 8;

/** Block 5 of 8 has an arrival less if `%r4`, which `ways` computes from `%r2`, holds a value. */
function kernelOf(ways: string, value: number): string {
  return `.version 8.6
.target sm_90a
.address_size 64
.func (.param .b32 out) square(.param .b32 in) {
  .reg .b32 %a<3>;
  ld.param.b32 %a1, [in]; mul.lo.u32 %a2, %a1, %a1; st.param.b32 [out], %a2; ret;
}
.visible .entry k(.param .u64 p0) {
  .reg .pred %p<8>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  .local .align 8 .b8 own[8]; .shared .align 8 .b8 full[8]; .shared .align 16 .b8 tile[256];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r1, 0; ld.param.u64 %rd1, [p0];
  @%p1 mbarrier.init.shared::cta.b64 [full], 1;
  @%p1 st.shared.u32 [tile], 0;
  fence.mbarrier_init.release.cluster; bar.sync 0;
  ${ways}
  setp.ne.u32 %p5, %r4, ${value};
  bar.sync 0; and.pred %p6, %p1, %p5;
  @%p6 mbarrier.arrive.shared::cta.b64 _, [full];
  WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p3, [full], 0;
  @!%p3 bra WAIT;
  ret;
}
`;
}

function verdictOf(text: string) {
  const params = [{ kind: 'pointer', bytes: 4096 }];
  const launch = { grid: [BLOCKS, 1, 1], block: [32, 1, 1], params };
  return check(
    ptxKernel({
      ptx: { file: 'kernel.ptx', text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    }),
  );
}

/** Ways through memory, and what block 5 finds that no other block does. */
const WAYS: Readonly<Record<string, readonly [ways: string, found: number]>> = {
  word: ['@%p1 st.shared.u32 [tile], %r2; bar.sync 0; ld.shared.u32 %r4, [tile];', 5],
  'a byte of a word': [
    'mul.lo.u32 %r3, %r2, 256; @%p1 st.shared.u32 [tile], %r3; bar.sync 0; ld.shared.u8 %r4, [tile+1];',
    5,
  ],
  'a store of a byte': [
    'mul.lo.u32 %r3, %r2, 100; @%p1 st.shared.u8 [tile], %r3; bar.sync 0; ld.shared.u8 %r4, [tile];',
    244,
  ],
  'a signed byte': [
    'mul.lo.u32 %r3, %r2, 100; st.local.u8 [own], %r3; ld.local.s8 %r4, [own];',
    -12,
  ],
  'half a word': [
    'mul.lo.u32 %r3, %r2, 21860; st.local.u16 [own], %r3; ld.local.u16 %r4, [own];',
    43764,
  ],
  'an addition': ['@%p1 red.shared.add.u32 [tile], %r2; bar.sync 0; ld.shared.u32 %r4, [tile];', 5],
  'bits of a word': [
    '@%p1 red.shared.or.b32 [tile], %r2; bar.sync 0; ld.shared.u32 %r4, [tile];',
    5,
  ],
  'a generic address': [
    'mov.u64 %rd2, tile; cvta.shared.u64 %rd3, %rd2; @%p1 red.add.u32 [%rd3], %r2; bar.sync 0; ld.u32 %r4, [%rd3];',
    5,
  ],
  'rows of a matrix': [
    'and.b32 %r6, %r1, 7; shl.b32 %r6, %r6, 4; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r7], {%r2}; bar.sync 0; ld.shared.u32 %r4, [tile];',
    5,
  ],
  'an argument and a result': [
    '{ .param .b32 in; .param .b32 out; st.param.b32 [in], %r2; call (out), square, (in); ld.param.b32 %r4, [out]; }',
    25,
  ],
};

for (const [name, [ways, found]] of Object.entries(WAYS))
  test(`what the place of a block decides after ${name}`, async () => {
    const { verdict, findings } = await verdictOf(kernelOf(ways, found));
    assert.equal(verdict, 'counterexample');
    assert.equal(findings[0]!.rule, 'deadlock');
    const right = await verdictOf(kernelOf(ways, 99));
    assert.equal(right.verdict, 'certified', right.reason);
  });

test('blocks store where the place of a block says so, whatever way it went', async () => {
  const storing = (place: string) =>
    kernelOf(
      `${place} @%p1 red.shared.add.u32 [tile], %r3; bar.sync 0; ld.shared.u32 %r5, [tile];
       mul.wide.u32 %rd4, %r5, 4; add.u64 %rd5, %rd1, %rd4; @%p1 st.global.u32 [%rd5], %r2;
       mov.u32 %r4, 0;`,
      99,
    );
  const { verdict, findings } = await verdictOf(storing('shr.u32 %r3, %r2, 1;'));
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]!.rule, 'race');
  const right = await verdictOf(storing('mov.u32 %r3, %r2;'));
  assert.equal(right.verdict, 'certified', right.reason);
});

test('a block reads what one of another class writes, at an address that went through memory', async () => {
  const written = (word: number) =>
    kernelOf(
      `@%p1 red.shared.add.u32 [tile], %r2; bar.sync 0; ld.shared.u32 %r5, [tile];
       mul.wide.u32 %rd4, %r5, 4; add.u64 %rd5, %rd1, %rd4; mov.u32 %r4, 0;
       setp.ne.u32 %p2, %r2, 0; @%p2 bra READS; @%p1 st.global.u32 [%rd1+${4 * word}], 1;
       bar.sync 0; bra.uni END; READS: @%p1 ld.global.u32 %r6, [%rd5]; bar.sync 0; END:`,
      99,
    );
  // Block 1 is the first that reads; block 2 reads what block 0 writes.
  const { verdict, findings } = await verdictOf(written(2));
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]!.rule, 'race');
  const right = await verdictOf(written(100));
  assert.equal(right.verdict, 'certified', right.reason);
});

test('an atomic access to floats adds no bits', async () => {
  const adding = (value: number) =>
    kernelOf(
      `@%p1 st.shared.u32 [tile], 0x3f800000; @%p1 red.shared.add.f32 [tile], 0f3F800000;
       bar.sync 0; ld.shared.u32 %r4, [tile];`,
      value,
    );
  for (const value of [0x4000_0000, 0x7f00_0000]) {
    const { verdict } = await verdictOf(adding(value));
    assert.equal(verdict, 'inconclusive');
  }
});
