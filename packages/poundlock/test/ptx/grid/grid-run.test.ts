// Which launches have all their blocks executed together, and what is said where they have not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { ptxKernel } from '#src/ptx/kernel';

interface Case {
  readonly text: string;
  readonly blocks?: number;
  readonly flag?: readonly number[] | null;
}

/** A kernel whose thread 0 of each block does what a text says; `%f` is the address of a flag. */
function kernelOf({ text, blocks = 2, flag = [0] }: Case): ReturnType<typeof ptxKernel> {
  const ptx = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag) {
.reg .b32 %b, %t, %v, %w; .reg .b64 %d, %f; .reg .pred %p, %q;
ld.param.u64 %d, [data]; ld.param.u64 %f, [flag];
mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;
setp.ne.u32 %p, %t, 0; @%p ret;
setp.eq.u32 %q, %b, 0;
${text}
ret;
}`;
  const pointer = { kind: 'pointer', bytes: 64 };
  const launch = {
    grid: [blocks, 1, 1],
    block: [32, 1, 1],
    params: [pointer, flag === null ? pointer : { ...pointer, int32: flag }],
  };
  return ptxKernel({
    ptx: { file: 'k.ptx', text: ptx },
    launch: { file: 'k.json', text: JSON.stringify(launch) },
  });
}

const WAIT = `@%q bra READ;
st.global.u32 [%d], 7; red.release.gpu.global.add.u32 [%f], 1; ret;
READ: ld.acquire.gpu.global.u32 %v, [%f]; setp.eq.u32 %p, %v, 0; @%p bra READ;
ld.global.u32 %w, [%d];`;

test('the verdict names what the launch has to promise', async () => {
  const { verdict, scope } = await check(kernelOf({ text: WAIT }));
  assert.equal(verdict, 'certified');
  const [reset, together] = scope.assumptions;
  assert.match(reset!, /^flag holds 0 before each launch, as in this one \(k\.ptx:11:/);
  assert.match(together!, /^all 2 blocks of the grid run at the same time, which only a coop/);
});

test('a word whose contents the launch does not say', async () => {
  const { verdict, reason } = await check(kernelOf({ text: WAIT, flag: null }));
  assert.equal(verdict, 'inconclusive');
  assert.match(
    reason!,
    /^it waits for global memory, which other blocks write: give what it holds/,
  );
});

test('more blocks than are executed together', async () => {
  const { verdict, reason } = await check(kernelOf({ text: WAIT, blocks: 65 }));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /only 64 blocks or 256 warps are executed together, not 65 blocks of 65/);
});

test('where the order of the blocks decides, the first cluster is checked alone', async () => {
  const text = `atom.relaxed.gpu.global.add.u32 %v, [%f], 1;
setp.ne.u32 %p, %v, 1; @%p ret;
bar.sync 0;`;
  const { verdict, scope } = await check(kernelOf({ text }));
  assert.equal(verdict, 'certified');
  const apart = /^nothing goes wrong between the blocks of the grid: unknown data decides what/;
  assert.ok(scope.assumptions.some((each) => apart.test(each)));
});

test('an answer that only changes data is no question of order', async () => {
  const text = `atom.relaxed.gpu.global.add.u32 %v, [%f], 1;
st.global.u32 [%d+8], 0;
shl.b32 %v, %v, 2;`;
  const { verdict, scope } = await check(kernelOf({ text }));
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.assumptions.slice(1), []);
});

test('several lanes that signal at once are as many signals', async () => {
  const signal = `mov.u32 %t, %tid.x; @%q bra READ;
red.release.gpu.global.add.u32 [%f], 1; ret;
READ: ld.acquire.gpu.global.u32 %v, [%f]; setp.lt.u32 %p, %v, 32; @%p bra READ;`;
  const kernel = ptxKernel({
    ptx: {
      file: 'k.ptx',
      text: `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 flag) {
.reg .b32 %b, %t, %v; .reg .b64 %f; .reg .pred %p, %q;
ld.param.u64 %f, [flag]; mov.u32 %b, %ctaid.x; setp.eq.u32 %q, %b, 0;
${signal}
ret;
}`,
    },
    launch: {
      file: 'k.json',
      text: JSON.stringify({
        grid: [2, 1, 1],
        block: [32, 1, 1],
        params: [{ kind: 'pointer', bytes: 4, int32: [0] }],
      }),
    },
  });
  assert.equal((await check(kernel)).verdict, 'certified');
});
