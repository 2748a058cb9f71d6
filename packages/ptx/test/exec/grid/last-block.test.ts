// The block with the last ticket adds what all others wrote: also of many blocks, one after the
// other is the last one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const BLOCKS = 20;
const DECLARED =
  '.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .shared .align 4 .b8 last[4];';
const PARAMETERS = '.param .u64 parts, .param .u64 ticket, .param .u64 out';
const FENCE = 'membar.gl;';

async function resultOf(fence: string, wait: string) {
  const body = `ld.param.u64 %rd0, [parts]; ld.param.u64 %rd1, [ticket]; ld.param.u64 %rd2, [out];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra MEET;
    mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd0, %rd3; st.global.u32 [%rd3], %r1; ${fence}
    atom.global.add.u32 %r2, [%rd1], 1; setp.eq.u32 %p1, %r2, ${BLOCKS - 1};
    selp.u32 %r2, 1, 0, %p1; st.shared.u32 [last], %r2;
    MEET: bar.sync 0; ld.shared.u32 %r2, [last]; setp.eq.u32 %p1, %r2, 0; @%p1 bra E; setp.ge.u32 %p2, %r0, ${BLOCKS}; @%p2 bra E; ${wait}
    mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4; ld.global.u32 %r3, [%rd4];
    red.global.add.u32 [%rd2], %r3; @%p0 bra E; st.global.u32 [%rd1], 0; E: ret;`;
  const launch = {
    grid: [BLOCKS, 1, 1],
    block: [32, 1, 1],
    params: [
      { kind: 'pointer', bytes: 4 * BLOCKS },
      { kind: 'pointer', bytes: 4, int32: [0] },
      { kind: 'pointer', bytes: 4 },
    ],
  };
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text: kernelText(DECLARED, body, PARAMETERS) },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, scope } = await check(kernel);
  const practices = scope.assumptions.map(({ name }) => name).filter((name) => /^H\d/.test(name));
  return [verdict, findings[0]?.rule, practices.join()];
}

test('each block writes in front of a fence: certified, as H16 has it', async () => {
  assert.deepEqual(await resultOf(FENCE, ''), ['certified', undefined, 'H16']);
});

test('each block also fences behind its ticket: certified', async () => {
  const [verdict] = await resultOf(FENCE, FENCE);
  assert.equal(verdict, 'certified');
});

test('no fence: a ticket carries nothing', async () => {
  assert.deepEqual((await resultOf('', '')).slice(0, 2), ['counterexample', 'relaxed-signal']);
});
