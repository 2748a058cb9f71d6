// Pointers whose memory decides what a kernel does, and those whose memory is only data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidingPointers } from '#src/flow/deciding-pointers';
import { parsePtx } from '#src/text/parse';

function pointersOf(body: string): string[] {
  const text = `.version 9.0
.target sm_90a
.address_size 64
.visible .entry kernel(
  .param .u64 data,
  .param .align 8 .b8 fields[24],
  .param .u64 flags
)
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<4>;
  .shared .align 8 .b64 full;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [fields+16];
  ld.param.u64 %rd3, [flags];
  cvta.to.global.u64 %rd4, %rd2;
${body}
  ret;
}
`;
  const module = parsePtx(text, 'kernel.ptx');
  return decidingPointers(module, module.functions.get('kernel')!).map(
    ({ parameter, offset }) => `${parameter}+${offset}`,
  );
}

test('memory that ends a loop', () => {
  const body = `
  ld.global.u32 %r1, [%rd4+8];
  add.s32 %r2, %r1, 1;
  setp.ne.s32 %p1, %r2, 0;
  @%p1 bra END;
  ld.global.u32 %r3, [%rd1];
  st.global.u32 [%rd1+4], %r3;
END:`;
  assert.deepEqual(pointersOf(body), ['1+16']);
});

test('memory that is an index, or a coordinate of a copy', () => {
  const body = `
  ld.global.u32 %r1, [%rd3];
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.f32 %f1, [%rd6];
  ld.global.u32 %r2, [%rd4];
  mov.u32 %r3, full;
  cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1, {%r2}];`;
  assert.deepEqual(pointersOf(body), ['1+16', '2+0']);
});

test('data that is copied and added decides nothing', () => {
  const body = `
  ld.global.v2.f32 {%f1, %f2}, [%rd1];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd3], %f3;`;
  assert.deepEqual(pointersOf(body), []);
});
