// Accesses to variables of the module and of a thread lie in them, in all blocks of a grid; and those
// behind the last buffer of a launch are in no buffer. Lines that are discarded are written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';

async function rulesOf(body: string, blocks = 1): Promise<string> {
  const text = `.version 8.0
.target sm_90a
.address_size 64
.global .align 4 .b8 words[512]; .const .align 4 .b8 table[16]; .extern .global .align 4 .b8 far[];
.visible .entry kernel(.param .u64 data)
{
.reg .b32 %r<8>; .reg .b64 %rd<8>; .local .align 4 .b8 stack[16];
ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u64 %rd1, words;
mad.lo.u32 %r2, %r1, 256, 0; mad.lo.u32 %r2, %r0, 4, %r2; cvt.u64.u32 %rd2, %r2;
add.u64 %rd2, %rd1, %rd2; mov.u64 %rd3, table; mov.u64 %rd4, stack; mov.u64 %rd5, far;
${body} bar.sync 0; ret;
}`;
  const params = [{ kind: 'pointer', bytes: 65_536 }];
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: {
      file: 'launch.json',
      text: JSON.stringify({ grid: [blocks, 1, 1], block: [64, 1, 1], params }),
    },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

const BEYOND = 'counterexample invalid-operation';

test('a variable of the module', async () => {
  assert.equal(await rulesOf('st.global.u32 [%rd2], %r0;'), 'certified');
  assert.equal(await rulesOf('st.global.u32 [%rd2+256], %r0;'), 'certified');
  assert.equal(await rulesOf('st.global.u32 [%rd2+260], %r0;'), BEYOND);
  assert.equal(await rulesOf('ld.const.u32 %r3, [%rd3+12];'), 'certified');
  assert.equal(await rulesOf('ld.const.u32 %r3, [%rd3+16];'), BEYOND);
});

test('a block that is beyond a variable', async () => {
  assert.equal(await rulesOf('st.global.u32 [%rd2], %r0;', 2), 'certified');
  assert.equal(await rulesOf('st.global.u32 [%rd2+256], %r0;', 2), BEYOND);
  assert.equal(await rulesOf('st.global.u32 [%rd2], %r0;', 9), BEYOND);
});

test('a variable whose size is elsewhere', async () => {
  assert.equal(await rulesOf('ld.global.u32 %r3, [%rd5+4096];'), 'certified');
});

test('local memory', async () => {
  const store = 'st.local.u32 [%rd4+12], %r0;';
  assert.equal(await rulesOf(`${store} ld.local.u32 %r3, [%rd4+12];`), 'certified');
  assert.equal(await rulesOf(`${store} ld.local.u32 %r3, [%rd4+16];`), BEYOND);
});

test('far behind the last buffer', async () => {
  const far = 'mov.u64 %rd6, 4294967040; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r3, [%rd6];';
  assert.equal(await rulesOf(far), BEYOND);
});

test('a line that is discarded', async () => {
  const own = 'mul.wide.u32 %rd6, %r0, 128; add.u64 %rd6, %rd0, %rd6;';
  const word = 'mul.wide.u32 %rd7, %r0, 4; add.u64 %rd7, %rd0, %rd7; st.global.u32 [%rd7], %r0;';
  const discard = 'discard.global.L2 [%rd6], 128;';
  assert.equal(await rulesOf(`${own} ${discard}`), 'certified');
  assert.equal(await rulesOf(`${own} ${word} bar.sync 0; ${discard}`), 'certified');
  assert.equal(await rulesOf(`${own} ${word} ${discard}`), 'counterexample unjoined-lanes');
  assert.equal(await rulesOf(`${own} add.u64 %rd6, %rd6, 64; ${discard}`), BEYOND);
  assert.equal(await rulesOf(`${own} add.u64 %rd6, %rd6, 57472; ${discard}`), BEYOND);
});
