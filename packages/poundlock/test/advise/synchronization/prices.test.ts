// The cycles that advise names for an instruction, by what it does and the GPU model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pricesOf } from '#src/advise/synchronization/prices';
import { MODELS } from '#src/simulate/index';
import { effectOfOpcode } from '@poundlock/ptx/internal/isa/decode';

const pricing = (model: keyof typeof MODELS) => {
  const prices = pricesOf(MODELS[model]!);
  return (opcode: string) => prices(effectOfOpcode(opcode)!);
};

test('an instruction has the price that was measured of what it does', () => {
  const prices = pricing('h200');
  const found = {
    'bar.sync': 20,
    'barrier.sync.aligned': 20,
    'bar.warp.sync': 1,
    'cp.async.wait_all': 4,
    'cp.async.bulk.wait_group.read': 4,
    'cp.async.bulk.wait_group': 14,
    'fence.proxy.async.shared::cta': 19,
    'fence.proxy.async': 523,
    'fence.acq_rel.cta': 9,
    'fence.sc.gpu': 648,
    'membar.sys': 1384,
    'tcgen05.fence::before_thread_sync': null,
    'fence.proxy.tensormap::generic.release.gpu': null,
  };
  for (const [opcode, cycles] of Object.entries(found))
    assert.equal(prices(opcode), cycles, opcode);
});

test('waits and arrivals have the price of the model, other chips no price but these', () => {
  const prices = pricing('b200');
  assert.ok(prices('mbarrier.try_wait.parity.shared::cta.b64')! > 0);
  assert.ok(prices('mbarrier.arrive.shared::cta.b64')! > 0);
  assert.equal(prices('bar.sync'), null);
});
