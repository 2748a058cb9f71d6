// Registers of wgmma that are used before its group is over: an error of every schedule.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .f32 %f<16>; .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  .shared .align 1024 .b8 tile[4096];`;
// Each thread stores at a place of its own.
const BEGIN = `ld.param.u64 %rd3, [p]; mov.u32 %r4, %tid.x; mad.wide.u32 %rd3, %r4, 4, %rd3;
  mov.u32 %r0, tile; shr.u32 %r1, %r0, 4;
  cvt.u64.u32 %rd0, %r1; setp.eq.u32 %p0, %r0, %r0; mov.f32 %f0, 0f00000000; mov.f32 %f4, %f0;
  wgmma.fence.sync.aligned;`;
const multiply = (first: number): string => {
  const results = [0, 1, 2, 3].map((index) => `%f${first + index}`).join(', ');
  return `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {${results}}, %rd0, %rd0, %p0, 1, 1, 0, 0;`;
};
const multiplyFragment = `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
  {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %rd0, %p0, 1, 1, 0;`;
const FENCE = 'wgmma.fence.sync.aligned;';
const COMMIT = 'wgmma.commit_group.sync.aligned;';
const wait = (pending: number): string => `wgmma.wait_group.sync.aligned ${pending};`;
const use = (register: number): string => `st.global.f32 [%rd3], %f${register};`;

async function resultOf(body: readonly string[], memory?: 'isa') {
  const text = kernelText(DECLARATIONS, `${BEGIN} ${body.join(' ')} ret;`, '.param .u64 p');
  const params = [{ kind: 'pointer', bytes: 65536 }];
  const launch = JSON.stringify({ grid: [1, 1, 1], block: [128, 1, 1], params });
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: launch },
  });
  const { verdict, findings, scope } = await check(kernel, memory === undefined ? {} : { memory });
  return {
    rule: verdict === 'counterexample' ? findings[0]?.rule : verdict,
    practices: scope.assumptions.map(({ text }) => text),
  };
}

/** The rule of the first finding of a wrong kernel, else the verdict. */
async function ruleOf(...body: readonly string[]): Promise<string> {
  return (await resultOf(body)).rule;
}

test('results of wgmma are used after the wait for their group', async () => {
  for (const body of [
    [multiply(0), COMMIT, wait(0), use(0)],
    [multiply(0), multiply(0), COMMIT, wait(0), use(3)],
    [multiply(0), COMMIT, multiply(4), COMMIT, wait(1), use(0), wait(0), use(4)],
    // Compilers copy registers from round to round, also those that are still written.
    [multiply(0), COMMIT, 'mov.f32 %f8, %f0;', wait(0), use(8)],
    [multiply(0), COMMIT, 'mov.f32 %f8, %f0; mov.f32 %f8, %f12;', use(8), wait(0)],
  ])
    assert.equal(await ruleOf(...body), 'certified', body.join(' '));
});

test('results of wgmma that are used before are an error', async () => {
  for (const body of [
    [multiply(0), use(0), COMMIT, wait(0)],
    [multiply(0), COMMIT, use(0), wait(0)],
    [multiply(0), COMMIT, wait(1), use(0), wait(0)],
    [multiply(0), wait(0), use(0), COMMIT, wait(0)],
    [multiply(0), COMMIT, multiply(4), COMMIT, wait(1), use(4), wait(0)],
    [multiply(0), COMMIT, 'mov.f32 %f8, %f1;', use(8), wait(0)],
    [multiply(0), COMMIT, 'mul.f32 %f1, %f1, %f12;', wait(0)],
    [multiply(0), COMMIT, 'mul.f32 %f1, %f12, %f12;', wait(0)],
    [multiply(0), COMMIT, 'mov.f32 %f0, %f12;', wait(0)],
  ])
    assert.equal(await ruleOf(...body), 'register-in-flight', body.join(' '));
});

test('a fragment of A is read, and written after the wait for its group', async () => {
  for (const body of [
    [multiplyFragment, 'add.u32 %r0, %r1, 1;', COMMIT, wait(0)],
    [multiplyFragment, COMMIT, 'mov.u32 %r3, 1;', wait(0)],
    [multiplyFragment, COMMIT, multiply(4), COMMIT, 'ld.global.u32 %r2, [%rd3];', wait(1)],
  ])
    assert.equal(await ruleOf(...body), 'register-in-flight', body.join(' '));
  for (const body of [
    [multiplyFragment, 'st.global.u32 [%rd3], %r1;', COMMIT, wait(0)],
    [multiplyFragment, COMMIT, multiply(4), COMMIT, wait(1), 'mov.u32 %r2, 1;', wait(0)],
  ])
    assert.equal(await ruleOf(...body), 'certified', body.join(' '));
});

test('H21: a fence is missing where registers were accessed, in the profile isa alone', async () => {
  const again = (between: string): string[] => [multiply(0), COMMIT, wait(0), between, multiply(0)];
  const end = [COMMIT, wait(0)];
  for (const body of [
    ['mov.f32 %f1, %f12;', multiply(0), ...end],
    [...again('add.f32 %f2, %f2, %f12;'), ...end],
    [...again('st.global.f32 [%rd3], %f3;'), ...end],
    ['mov.u32 %r2, 0;', multiplyFragment, ...end],
    [
      multiply(0),
      multiply(0).replace('n8k16.f32.f16.f16', 'n8k8.f32.tf32.tf32').replace(', 0, 0;', ';'),
      ...end,
    ],
  ]) {
    const [practice, isa] = [await resultOf(body), await resultOf(body, 'isa')];
    assert.equal(practice.rule, 'certified', body.join(' '));
    assert.match(practice.practices.join(), /^H21 .*\(1 place\)/, body.join(' '));
    assert.equal(isa.rule, 'missing-wgmma-fence', body.join(' '));
  }
  for (const body of [
    [multiply(0), multiply(0), COMMIT, multiply(0), ...end],
    [...again(`add.f32 %f2, %f2, %f12; ${FENCE}`), ...end],
    [...again('add.f32 %f9, %f8, %f12;'), ...end],
  ]) {
    const { rule, practices } = await resultOf(body, 'isa');
    assert.deepEqual([rule, practices], ['certified', []], body.join(' '));
  }
});
