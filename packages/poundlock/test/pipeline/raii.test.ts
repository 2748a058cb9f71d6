// RAII: releases move to the last use, and what still works on the stage is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { choose, kernel, mma, pipeline, read, role, tma, type Kernel } from 'poundlock';
import { placesOf } from '../../../core/test/system/explore.ts';
import { rulesOf } from '../kernels.ts';

type How = 'handed on' | 'forgotten' | 'released' | 'two' | 'two, one after the other' | 'twice';

function ring(how: How, ownership: 'explicit' | 'raii', advance: 'release' | 'acquire'): Kernel {
  return kernel(
    'ring',
    {},
    () => {
      const ab = pipeline('ab', { stages: 3, bytes: 16, advance });
      const load = role('load', function* () {
        for (let tile = 0; tile < 4; tile++) {
          const slot = yield* ab.acquireProducer();
          tma.load(slot);
          slot.release();
        }
      });
      const use = role('use', function* () {
        for (let tile = 0; tile < 4; tile += 2) {
          const one = yield* ab.acquireConsumer();
          if (how === 'two, one after the other') read(one.buffer());
          if (how === 'handed on') mma.issue(one);
          if (how === 'released' || how === 'twice' || how === 'handed on') one.release();
          if (how === 'twice') one.release();
          const two = yield* ab.acquireConsumer();
          if (how === 'two') mma.issue([one, two]);
          if (how === 'released' || how === 'handed on') two.release();
        }
      });
      return [load, use];
    },
    { ownership },
  );
}

test('O10: a handle without a release is released at its last use', async () => {
  assert.notDeepEqual(await rulesOf(ring('forgotten', 'explicit', 'acquire')), []);
  assert.deepEqual(await rulesOf(ring('forgotten', 'raii', 'release')), []);
  assert.deepEqual(await rulesOf(ring('forgotten', 'raii', 'acquire')), []);
});

test('O10: a release by hand moves to the last use', async () => {
  assert.deepEqual(await rulesOf(ring('released', 'raii', 'release')), []);
  assert.deepEqual(await rulesOf(ring('released', 'raii', 'acquire')), []);
});

test('O10: a use lasts as long as what it posts', async () => {
  // The stage is given back after the MMA was issued, and so while it reads.
  const { findings } = await check(ring('handed on', 'raii', 'release'));
  assert.equal(findings[0]?.rule, 'race');
  assert.deepEqual(placesOf(findings[0]).slice(0, 2), [
    'tma: tma.load(slot);',
    "mma: if (how === 'handed on') mma.issue(one);",
  ]);
});

test('O10: handles that live at the same time are found where they can not', async () => {
  assert.deepEqual(await rulesOf(ring('two', 'raii', 'release')), ['double-acquire']);
  assert.deepEqual(await rulesOf(ring('two', 'raii', 'acquire')), ['race']);
});

test('O10: an address does not keep its handle alive', async () => {
  assert.deepEqual(await rulesOf(ring('two, one after the other', 'raii', 'release')), ['race']);
});

test('O10: a second release stays a second release', async () => {
  assert.deepEqual(await rulesOf(ring('twice', 'raii', 'release')), ['double-release']);
});

test('O10: a schedule of an RAII kernel can be replayed', async () => {
  const target = ring('handed on', 'raii', 'release');
  const [first] = (await check(target)).findings;
  const [again] = (await check(target, { replay: first!.replayToken! })).findings;
  assert.deepEqual(again, first);
});

test('O10: a role with choices can not be RAII', async () => {
  const choosing = kernel(
    'choosing',
    {},
    () => [
      role('a', function* () {
        yield* choose(2);
      }),
    ],
    {
      ownership: 'raii',
    },
  );
  await assert.rejects(
    check(choosing),
    /requires roles without choices, and choose in role a is a choice/,
  );
});

test('O10: a role that differs from run to run is found', async () => {
  let runs = 0;
  const moody = kernel(
    'moody',
    {},
    () => {
      const ab = pipeline('ab', { stages: 2, bytes: { a: 1, b: 1 } });
      return [
        role('a', function* () {
          const slot = yield* ab.acquireProducer();
          tma.copy(slot, runs++ % 2);
        }),
      ];
    },
    { ownership: 'raii' },
  );
  assert.deepEqual(await rulesOf(moody), ['nondeterministic-role']);
});

test('an ownership that does not exist is refused', () => {
  const build = () => [role('a', function* () {})];
  assert.throws(() => kernel('k', {}, build, { ownership: 'gc' as never }), /explicit or raii/);
});
