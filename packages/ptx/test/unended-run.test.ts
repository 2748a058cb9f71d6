// A run that does not end: how far it came, in which loop, and which number makes it shorter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const LOOPS = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p0, .param .u32 n, .param .u32 m)
{
.reg .pred %p<4>; .reg .b32 %r<8>; .shared .align 4 .b8 own[256];
ld.param.u32 %r1, [n]; ld.param.u32 %r2, [m];
mov.u32 %r3, %tid.x; shl.b32 %r5, %r3, 2; mov.u32 %r6, own; add.u32 %r5, %r5, %r6; mov.u32 %r3, 0;
OUTER: mov.u32 %r4, 0;
INNER: add.u32 %r4, %r4, 1; st.shared.u32 [%r5], %r4;
setp.lt.u32 %p1, %r4, INNER_LIMIT; @%p1 bra INNER;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p2, %r3, %r2; @%p2 bra OUTER;
bar.sync 0;
ret;
}
`;

function kernelOf(limit: string, n: number, m: number, maxInstructions = 20_000) {
  const scalar = (name: string, value: number) => ({ kind: 'scalar', type: 'i32', name, value });
  const params = [{ kind: 'pointer', bytes: 64 }, scalar('n', n), scalar('m', m)];
  return ptxKernel({
    ptx: { file: 'k.ptx', text: LOOPS.replace('INNER_LIMIT', limit) },
    launch: {
      file: 'k.launch.json',
      text: JSON.stringify({ grid: [1, 1, 1], block: [64, 1, 1], params }),
    },
    maxInstructions,
  });
}

const STARTED = /^the run has not ended after 20,000 instructions: warp\d is in round [\d,]+ of /;

test('the innermost loop that a number of the launch bounds', async () => {
  const inner = await check(kernelOf('%r1', 1_000_000, 4));
  assert.equal(inner.verdict, 'inconclusive');
  assert.match(inner.reason!, STARTED);
  assert.match(inner.reason!, /--set n=N \(k\.ptx:10:/);
  const outer = await check(kernelOf('100', 1, 1_000_000));
  assert.match(outer.reason!, STARTED);
  assert.match(outer.reason!, /--set m=N \(k\.ptx:9:/);
  assert.equal((await check(kernelOf('%r1', 10, 10))).verdict, 'certified');
});

test('a time limit that ends a run ends no later check of the kernel', async () => {
  const kernel = kernelOf('%r1', 2_000, 10, 1_000_000);
  let now = 0;
  const short = await check(kernel, { now: () => ++now, timeoutMs: 5 });
  assert.equal(short.verdict, 'inconclusive');
  assert.match(short.reason!, /^the time limit ended the run after [\d,]+ instructions: warp\d is/);
  assert.equal((await check(kernel)).verdict, 'certified');
});
