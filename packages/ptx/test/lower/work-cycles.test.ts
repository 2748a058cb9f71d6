// Tensor-core work of PTX takes as long as its shape says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectOfOpcode } from '../../src/isa/decode.ts';
import { workCyclesOf } from '../../src/lower/work-cycles.ts';

const cyclesOf = (opcode: string) => workCyclesOf(effectOfOpcode(opcode));

test('a wgmma takes N / 2 cycles, a quarter of them for each warp', () => {
  const named = (shape: string): number =>
    cyclesOf(`wgmma.mma_async.sync.aligned.${shape}.f32.bf16.bf16`);
  assert.equal(named('m64n256k16'), 32);
  assert.equal(named('m64n8k16'), 1);
  assert.equal(cyclesOf('wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3'), 16);
});

test('work without a shape takes what the model says', () => {
  assert.equal(cyclesOf('tcgen05.mma.cta_group::1.kind::f16'), 0);
  assert.equal(cyclesOf('cp.async.cg.shared.global'), 0);
});
