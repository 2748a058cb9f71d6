// Attention multiplies what a product made; other products have data of memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePtx } from '#src/text/parse';
import { hasChainedProducts } from '#src/timing/chained-products';
import { kernelText } from '../kernel-text.ts';

const PRODUCT = 'wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16';
const ACCUMULATORS = '{%f0, %f1, %f2, %f3}';
const A = '{%r0, %r1, %r2, %r3}';

function isChained(makeA: string): boolean {
  const declared = '.reg .f32 %f<6>; .reg .u32 %r<5>; .reg .u64 %d<2>;';
  const body = `${PRODUCT} ${ACCUMULATORS}, %d0, %d1, 1, 1, 1, 0, 0;
${makeA}
${PRODUCT} ${ACCUMULATORS}, ${A}, %d1, 1, 1, 1, 0;
ret;`;
  const { functions } = parsePtx(kernelText(declared, body));
  return hasChainedProducts(functions.get('kernel')!);
}

test('a product is chained whose A is computed from the results of another one', () => {
  assert.ok(isChained('ex2.approx.f32 %f4, %f0;\ncvt.rn.f16x2.f32 %r2, %f1, %f4;'));
  assert.ok(isChained('mov.b32 %r0, %f3;'));
  assert.ok(!isChained('ld.shared.u32 %r0, [%r4];'));
  assert.ok(!isChained('cvt.rn.f16x2.f32 %r2, %f4, %f5;'));
});
