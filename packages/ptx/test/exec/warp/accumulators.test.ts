// Results of wgmma that are used before its group is over: an error of every schedule.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .f32 %f<16>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  .shared .align 1024 .b8 tile[4096];`;
const BEGIN = `ld.param.u64 %rd3, [p]; mov.u32 %r0, tile; shr.u32 %r1, %r0, 4;
  cvt.u64.u32 %rd0, %r1; setp.eq.u32 %p0, %r0, %r0; mov.f32 %f0, 0f00000000; mov.f32 %f4, %f0;
  wgmma.fence.sync.aligned;`;
const multiply = (first: number): string => {
  const results = [0, 1, 2, 3].map((index) => `%f${first + index}`).join(', ');
  return `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {${results}}, %rd0, %rd0, %p0, 1, 1, 0, 0;`;
};
const COMMIT = 'wgmma.commit_group.sync.aligned;';
const wait = (pending: number): string => `wgmma.wait_group.sync.aligned ${pending};`;
const use = (register: number): string => `st.global.f32 [%rd3], %f${register};`;

async function findingOf(...body: readonly string[]): Promise<string> {
  const text = kernelText(DECLARATIONS, `${BEGIN} ${body.join(' ')} ret;`, '.param .u64 p');
  const params = [{ kind: 'pointer', bytes: 65536 }];
  const launch = JSON.stringify({ grid: [1, 1, 1], block: [128, 1, 1], params });
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: launch },
  });
  const { verdict, findings, reason } = await check(kernel);
  return verdict === 'certified' ? verdict : (findings[0]?.message ?? reason!);
}

test('results of wgmma are used after the wait for their group', async () => {
  for (const body of [
    [multiply(0), COMMIT, wait(0), use(0)],
    [multiply(0), multiply(0), COMMIT, wait(0), use(3)],
    [multiply(0), COMMIT, multiply(4), COMMIT, wait(1), use(0), wait(0), use(4)],
    // Compilers copy registers from round to round, also those that are still written.
    [multiply(0), COMMIT, 'mov.f32 %f8, %f0;', wait(0), use(8)],
    [multiply(0), COMMIT, 'mov.f32 %f0, %f12;', use(0), wait(0)],
  ])
    assert.equal(await findingOf(...body), 'certified', body.join(' '));
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
  ])
    assert.equal(
      await findingOf(...body),
      'a result of wgmma is used before the wait for its group',
      body.join(' '),
    );
});
