// The CTAs of a cluster run on SMs of their own: their units work at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asyncUse, end, kernel, launch, loop, mma, pipeline, read, role, tma } from 'poundlock';
import { UNITS } from 'poundlock';
import { MODELS, simulate } from '../../src/simulate/index.ts';

const times = (of: Parameters<typeof simulate>[0], ctas: readonly number[]): number[] =>
  ctas.map((n) => simulate(of, { model: MODELS.h200, params: { ctas: n } }).totalCycles);

test('each CTA has a tensor core of its own', () => {
  const math = kernel('math', { ctas: 1 }, ({ ctas }) =>
    Array.from({ length: ctas }, (_, cta) =>
      role(`math${cta}`, { cta, lanes: 128 }, function* () {
        for (let round = 0; round < 16; round++) {
          asyncUse(UNITS.mma, { group: true, cycles: 1000 });
          yield* mma.waitGroup(0);
        }
      }),
    ),
  );
  const [one, two, four] = times(math, [1, 2, 4]);
  assert.deepEqual([two, four], [one, one]);
});

test('roles of one CTA share its tensor core', () => {
  const shared = kernel('shared', { roles: 1, sameCta: true }, ({ roles, sameCta }) =>
    Array.from({ length: roles }, (_, at) =>
      role(`math${at}`, { cta: sameCta ? 0 : at }, function* () {
        for (let round = 0; round < 8; round++) {
          asyncUse(UNITS.mma, { group: true, cycles: 1000 });
          yield* mma.waitGroup(0);
        }
      }),
    ),
  );
  const of = (params: { roles: number; sameCta: boolean }): number =>
    simulate(shared, { model: MODELS.h200, params }).totalCycles;
  assert.ok(of({ roles: 2, sameCta: true }) > 1.7 * of({ roles: 1, sameCta: true }));
  assert.equal(of({ roles: 2, sameCta: false }), of({ roles: 1, sameCta: false }));
});

test('each CTA has a copy engine of its own', () => {
  const copies = kernel('copies', { ctas: 1 }, ({ ctas }) => {
    const ab = pipeline('ab', { stages: 4, bytes: 32_768 });
    return Array.from({ length: ctas }, (_, cta) => [
      role(`load${cta}`, { cta }, function* () {
        for (let tile = 0; tile < 64; tile++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
        yield* ab.drain();
      }),
      role(`use${cta}`, { cta }, function* () {
        for (let tile = 0; tile < 64; tile++) {
          using slot = yield* ab.consume();
          read(slot.buffer());
        }
      }),
    ]).flat();
  });
  const [one, two, four] = times(copies, [1, 2, 4]);
  // They share the L2, which is far from its limit, but four copies to one engine would take 4×.
  assert.ok(two! < 1.3 * one! && four! < 1.5 * one!, `${one}, ${two}, ${four}`);
});

test('CTAs of one group of SMs share its pipe: 8 of them get some 70 B/cycle each, 4 all', () => {
  const streams = kernel('streams', { ctas: 1 }, ({ ctas }) => {
    launch({ ctas });
    const ab = pipeline('ab', { stages: 4, bytes: 32_768 });
    return [
      role('load', function* () {
        for (let tile = 0; tile < 64; tile++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
      }),
      role('use', { measured: true }, function* () {
        for (let tile = 0; tile < 64; tile++) {
          using slot = yield* ab.consume();
          read(slot.buffer());
        }
      }),
    ];
  });
  const [one, four, eight] = times(streams, [1, 4, 8]);
  assert.ok(Math.abs(four! / one! - 1) < 0.03, `${four} ${one}`);
  assert.ok(eight! / one! > 1.35 && eight! / one! < 1.6, `${eight} ${one}`);
});

test('a wait that begins a round of a loop does not overlap the wait before it', () => {
  const nested = kernel('nested', { inner: false }, ({ inner }) => {
    const [a, b] = [pipeline('a', { stages: 1 }), pipeline('b', { stages: 1 })];
    const fill = (ring: typeof a) =>
      role(ring.name, function* () {
        using slot = yield* ring.produce();
        slot.arrive();
      });
    const both = role('both', { measured: true }, function* () {
      using _one = yield* a.consume();
      if (!inner) {
        using _other = yield* b.consume();
        return;
      }
      yield* loop(0, function* (round) {
        if (round === 1) return end(null);
        using _other = yield* b.consume();
        return round + 1;
      });
    });
    return [fill(a), fill(b), both];
  });
  const of = (inner: boolean): number =>
    simulate(nested, { model: MODELS.h200, params: { inner } }).totalCycles;
  assert.ok(of(true) > of(false), `${of(true)} ${of(false)}`);
});
