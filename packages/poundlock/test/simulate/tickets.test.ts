// Tickets of persistent kernels: a cluster draws its part of them, not all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ptxKernel } from 'poundlock/ptx';
import { costsOf, MODELS, predictWith, timedProgram } from '#src/simulate/index';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const WORK = 'fma.rn.f32 %f0, %f0, %f0, %f0;\n'.repeat(100);

/** Blocks that draw one of so many tickets again and again. */
function cyclesOf(blocks: number, tickets: number): number {
  const body = `ld.param.u64 %d0, [p0];
mbarrier.init.shared::cta.b64 [0], 1;
DRAW:
atom.global.add.u32 %r0, [%d0], 1;
setp.ge.u32 %p0, %r0, ${tickets};
@%p0 bra DONE;
${WORK}mbarrier.arrive.shared::cta.b64 _, [0];
bra DRAW;
DONE:
ret;`;
  const declared = '.reg .f32 %f<1>; .reg .u32 %r<1>; .reg .u64 %d<1>; .reg .pred %p<1>;';
  const params = [{ kind: 'pointer', bytes: 4 }];
  const launch = { grid: [blocks], block: [1], dynamicSharedMemory: 1024, params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declared, body, '.param .u64 p0') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return predictWith(timedProgram(kernel, MODELS.h200), costsOf(MODELS.h200));
}

test('a block of many draws as many tickets as each other one', () => {
  const few = cyclesOf(4, 64);
  assert.equal(cyclesOf(8, 128), few);
  const perTicket = (cyclesOf(4, 128) - few) / 16;
  assert.ok(perTicket > 400 && perTicket < 900, `${perTicket}`);
});
