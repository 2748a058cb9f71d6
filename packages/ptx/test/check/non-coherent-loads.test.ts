// Loads with `.nc` of what the kernel has written before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = '.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;';
const BEGIN = `ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4;
add.u64 %rd2, %rd0, %rd1; xor.b32 %r1, %r0, 32; mul.wide.u32 %rd1, %r1, 4;
add.u64 %rd3, %rd0, %rd1; mov.u32 %r2, %ctaid.x; setp.ne.u32 %p0, %r0, 0;`;

async function rulesOf(body: string, blocks = 1): Promise<string> {
  const text = kernelText(DECLARED, `${BEGIN} ${body} END: bar.sync 0; ret;`, '.param .u64 data');
  const params = [{ kind: 'pointer', bytes: 65_536, int32: [0] }];
  const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel, { accept: ['initial-word', 'fitting-grid'] });
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

const WRONG = 'counterexample invalid-operation';
const STORE = 'st.global.u32 [%rd2+1024], %r0; bar.sync 0;';

test('what another thread has written before a barrier', async () => {
  assert.equal(await rulesOf(`${STORE} ld.global.u32 %r3, [%rd3+1024];`), 'certified');
  assert.equal(await rulesOf(`${STORE} ld.global.nc.u32 %r3, [%rd3+1024];`), WRONG);
  assert.equal(
    await rulesOf(`${STORE} ld.global.nc.v4.u32 {%r3, %r4, %r5, %r6}, [%rd0+1264];`),
    WRONG,
  );
});

test('what the thread itself has written, or writes later', async () => {
  assert.equal(await rulesOf(`${STORE} ld.global.nc.u32 %r3, [%rd2+1024];`), WRONG);
  assert.equal(await rulesOf(`ld.global.nc.u32 %r3, [%rd2+1024]; ${STORE}`), 'certified');
  assert.equal(await rulesOf(`${STORE} ld.global.nc.u32 %r3, [%rd2];`), 'certified');
});

/** A block writes a word, and another one reads it behind a flag. */
const handedOn = (load: string): string => `@%p0 bra END; setp.ne.u32 %p1, %r2, 0; @%p1 bra SECOND;
st.global.u32 [%rd0+1024], 1; st.release.gpu.global.u32 [%rd0], 1; bra END;
SECOND: ld.acquire.gpu.global.u32 %r3, [%rd0]; setp.eq.u32 %p2, %r3, 0; @%p2 bra SECOND;
${load} %r4, [%rd0+1024];`;

test('what another block has written', async () => {
  assert.equal(await rulesOf(handedOn('ld.global.u32'), 2), 'certified');
  assert.notEqual(await rulesOf(handedOn('ld.global.nc.u32'), 2), 'certified');
});
