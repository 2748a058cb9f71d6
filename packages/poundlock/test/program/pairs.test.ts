// Pairs of CTAs that work as one, and waits that the end of a scope makes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { makeOp, OpKind, Side } from '@poundlock/core/internal/op';
import { post } from '@poundlock/core/internal/program';
import type { Kernel } from 'poundlock';
import { arrive, asyncCopy, asyncUse, barrier, buffer, commit, kernel } from 'poundlock';
import { pipeline, read, role, syncCluster, UNITS, wait } from 'poundlock';
import { rulesOf } from '../kernels.ts';

const BOTH = [0, 1];

/** Each CTA of a pair copies its half; the even one expects both and multiplies them. */
function pair(options: { ctaGroup: 1 | 2; expected: number; reach: readonly number[] }): Kernel {
  return kernel('pair', {}, () => {
    const full = barrier('full');
    const done = barrier('done');
    const half = buffer('half');
    const load = (cta: number) =>
      role(`load${cta}`, { cta }, function* () {
        if (cta === 0) arrive(full, { bytes: options.expected });
        const { ctaGroup } = options;
        asyncCopy(UNITS.tma, { into: [half], bar: full, bytes: 16, ctaGroup });
        yield* wait(done, 0);
        read(half);
      });
    const multiply = role('mma', { cta: 0 }, function* () {
      yield* wait(full, 0);
      asyncUse(UNITS.mma, { writes: [half], ctas: options.reach });
      commit(UNITS.mma, done, { ctas: BOTH });
    });
    return [load(0), load(1), multiply];
  });
}

for (const engine of ['certify', 'search'] as const) {
  test(`U06, U07: two CTAs fill one barrier, and one MMA works in both: ${engine}`, async () => {
    const fine = pair({ ctaGroup: 2, expected: 32, reach: BOTH });
    assert.equal((await check(fine, { engine })).verdict, 'certified');
  });
}

test('U06: the bytes of a pair are those of both CTAs', async () => {
  const half = pair({ ctaGroup: 2, expected: 16, reach: BOTH });
  assert.deepEqual((await rulesOf(half))[0], 'tx-mismatch');
  const own = pair({ ctaGroup: 1, expected: 32, reach: BOTH });
  assert.deepEqual((await rulesOf(own))[0], 'deadlock');
});

test('U07: work reaches the buffers of the CTAs that it names, and no others', async () => {
  const writesBoth = (reach: readonly number[]) =>
    kernel('writes', {}, () => {
      const tile = buffer('tile');
      return [
        role('mma', { cta: 0 }, function* () {
          asyncUse(UNITS.mma, { writes: [tile], ctas: reach });
          yield* syncCluster();
        }),
        role('peer', { cta: 1 }, function* () {
          read(tile);
          yield* syncCluster();
        }),
      ];
    });
  assert.deepEqual(await rulesOf(writesBoth([0, 1])), ['race']);
  assert.deepEqual(await rulesOf(writesBoth([0])), []);
});

/** A role that frees a slot only behind a wait which it posts, as the end of a scope does. */
function postedWait(tiles: number, posts: boolean): Kernel {
  return kernel('posted-wait', {}, () => {
    const ring = pipeline('ring', { stages: 2, bytes: 16 });
    const slots = [buffer('slot0'), buffer('slot1')];
    const waited = { ring: 0, side: Side.consume, isAssumed: false, isDraining: false };
    const scope = role('scope', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        // The answer of a posted wait, which is 1 for the second stage, is not used.
        if (posts) post(makeOp(OpKind.waitStage, waited));
        read(slots[tile % 2]!);
        arrive(ring.consumerMbar(tile % 2));
        ring.consumerStep();
      }
    });
    const other = role('other', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using stage = yield* ring.produce();
        asyncCopy(UNITS.tma, { into: [slots[stage.index]!], bar: stage.mbar(), bytes: 16 });
        arrive(stage.mbar(), { bytes: 16 });
      }
    });
    return [scope, other];
  });
}

for (const engine of ['certify', 'search'] as const) {
  test(`P02: what is posted after a wait happens after it: ${engine}`, async () => {
    assert.equal((await check(postedWait(5, true), { engine })).verdict, 'certified');
  });
}

test('P02: without the posted wait, what comes after it happens too early', async () => {
  const rules = await rulesOf(postedWait(1, false));
  assert.ok(rules.includes('race'), rules.join());
});
