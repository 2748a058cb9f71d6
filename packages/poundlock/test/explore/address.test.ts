// The address of a state, and schedules as the page edits them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { explore, type ExploredState } from '#src/explore/index';
import { readAddress, writeAddress, type Address } from '../../app/address.ts';
import {
  changedFrom,
  firstSteps,
  isNext,
  stepsOf,
  typedValue,
  withMove,
} from '../../app/exploration.ts';
import { kernel, pipeline, role, tma } from '../../../core/src/public.ts';

const value = fc.oneof(fc.integer(), fc.boolean(), fc.string());
const address = fc
  .record({
    params: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), value, { maxKeys: 4 }),
    path: fc.constantFrom('', 'l3t1m3', '(l2m1t1m3)1000', '[u12]1l1.2'),
    at: fc.option(fc.nat(1_000_000), { nil: undefined }),
  })
  .map(({ params, path, at }): Address => ({ params, path, ...(at !== undefined && { at }) }));

test('an address reads back as it was written', () => {
  const property = fc.property(address, (one) => {
    const back = readAddress(writeAddress(one));
    assert.deepEqual(JSON.parse(JSON.stringify(back)), JSON.parse(JSON.stringify(one)));
  });
  fc.assert(property);
});

test('any other fragment is the start of the kernel, or a part of an address', () => {
  for (const text of ['', '#', '#params=[1]', '#params={"a":{}}&at=-3', '#at=1e9', '#params={']) {
    assert.deepEqual(readAddress(text), { params: {}, path: '' }, text);
  }
});

const load = kernel('load', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ring = pipeline('ring', { stages, bytes: 16 });
  return [
    role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ring.produce();
        tma.load(slot);
      }
    }),
    role('use', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using _slot = yield* ring.consume();
      }
    }),
  ];
});

test('a schedule is cut and prolonged as a token', async () => {
  const whole: ExploredState = await explore(load, {}, 'l3t1u1');
  assert.equal(firstSteps(whole, 4), 'l3t1');
  assert.equal(firstSteps(whole, 0), '');
  assert.equal(withMove(whole, { letter: 'l', option: 0 }), 'l3t1u1l1');
  assert.equal(withMove(whole, { letter: 't', option: 2 }), 'l3t1u1t1.2');
  const now = await explore(load, {}, 'l3');
  assert.ok(isNext({ whole, now }, { letter: 't', option: 0 }));
  assert.ok(!isNext({ whole, now }, { letter: 'l', option: 0 }));
  assert.ok(!isNext({ whole, now: whole }, { letter: 'l', option: 0 }));
  assert.deepEqual([stepsOf('l3t1'), stepsOf('(l2)3'), stepsOf('?')], [4, 6, 0]);
});

test('a field keeps the type of its parameter', () => {
  assert.equal(typedValue('12', 3), 12);
  assert.equal(typedValue('', 3), undefined);
  assert.equal(typedValue('many', 3), undefined);
  assert.equal(typedValue('false', true), false);
  assert.equal(typedValue('12', 'a'), '12');
  assert.deepEqual(changedFrom({ a: 1, b: true }, { a: 1, b: false }), { b: false });
});
