// tier: deep
// The list of deciders: it is complete, and each decider alone is right or leaves the answer open.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Budget } from '#src/check/budget';
import { DECIDERS, OF_ENGINE } from '#src/check/check';
import * as deciders from '#src/check/deciders/index';
import { check } from '../accepting.ts';
import type { CheckOptions } from '#src/check/index';
import { hasError } from '#src/check/outcome';
import { Problem } from '#src/check/problem';
import type { EngineName } from '../../../core/src/finding/index.ts';
import { Program, type Kernel } from '../../../core/src/program/index.ts';
import { arrive, barrier, choose, kernel, role, waitParity } from 'poundlock';
import { handOver } from '../kernels.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples');
const maxStates = 20_000;
const BOUNDS = { maxStates, maxEvents: 200_000 };

test('the list has every decider once, from what costs least to what decides most', () => {
  const names = DECIDERS.map(({ name }) => name);
  const proofs = ['replay', 'one-run', 'choices', 'witness'];
  assert.deepEqual(names, [...proofs, 'few-states', 'in-turns', 'reduced', 'full']);
  const listed = new Set<unknown>(DECIDERS.map(({ decide }) => decide));
  assert.deepEqual(listed, new Set<unknown>(Object.values(deciders)));
});

test('auto has every decider, and the other engines have some of them in the same order', () => {
  const all = DECIDERS.map(({ name }) => name);
  assert.deepEqual(OF_ENGINE.auto, all);
  for (const [engine, names] of Object.entries(OF_ENGINE)) {
    const inOrder = all.filter((name) => names.includes(name));
    assert.deepEqual(names, inOrder, engine);
  }
});

const chooses = kernel('chooses', {}, () => {
  const full = barrier('full');
  return [
    role('first', function* () {
      yield* choose(2);
      arrive(full);
    }),
    role('second', function* () {
      yield* waitParity(full, 0);
    }),
  ];
});

/** What each name of an engine stands for. */
const ENGINES: Readonly<Record<EngineName, readonly [Kernel, CheckOptions]>> = {
  replay: [handOver, { replay: 'p1' }],
  certify: [handOver, {}],
  hybrid: [chooses, {}],
  witness: [handOver, { params: { arrivals: 2 }, maxStates: 1 }],
  search: [handOver, { engine: 'search' }],
  reduced: [handOver, { engine: 'reduced' }],
};

for (const [engine, [target, options]] of Object.entries(ENGINES)) {
  test(`results say that ${engine} decided`, async () => {
    assert.equal((await check(target, options)).stats.engine, engine);
  });
}

test('an unknown engine is refused, and is not another one', async () => {
  const engine = 'serach' as 'search';
  await assert.rejects(check(handOver, { engine }), {
    name: 'InputError',
    message:
      'the engine of check() must be auto, certify, reduced or search, ' +
      "not 'serach': did you mean 'search'?",
  });
});

/** Whether something is wrong, `null` where that is left open. */
async function verdictOf(name: string, target: Kernel, replay?: string): Promise<boolean | null> {
  const { decide } = DECIDERS.find((one) => one.name === name)!;
  const question = { memory: 'none', ...(replay !== undefined && { replay }) } as const;
  const problem = new Problem(new Program(target), question);
  const outcome = await decide(problem, new Budget(BOUNDS));
  if (outcome === null) return null;
  return hasError(outcome) || (outcome.reason === null ? false : null);
}

suite('each decider alone agrees with the full search', () => {
  const decided = new Set<string>();
  const files = ['.', 'broken', 'models'].flatMap((folder) => {
    const names = readdirSync(join(EXAMPLES, folder)).filter((name) => name.endsWith('.ts'));
    return names.map((name) => join(folder, name)).toSorted();
  });
  for (const file of files) {
    test(file, async (t) => {
      const target = ((await import(join(EXAMPLES, file))) as { default: Kernel }).default;
      const searched = await check(target, { maxStates, engine: 'search', memory: 'none' });
      if (searched.verdict === 'inconclusive') return t.skip('too many states');
      const isBroken = searched.verdict === 'counterexample';
      for (const { name } of DECIDERS) {
        const verdict = await verdictOf(name, target, searched.findings[0]?.replayToken);
        if (verdict === null) continue;
        assert.equal(verdict, isBroken, `${name} says that it is ${verdict ? 'wrong' : 'right'}`);
        decided.add(name);
      }
    });
  }

  test('and each decides some of them', () => {
    assert.deepEqual([...decided].toSorted(), DECIDERS.map(({ name }) => name).toSorted());
  });
});

test('a problem of edited steps is no problem of its roles', async () => {
  const file = join(EXAMPLES, 'broken/raii-too-early.ts');
  const target = ((await import(file)) as { default: Kernel }).default;
  assert.equal(new Problem(new Program(target), {}).origin, 'raii');
  assert.equal(await verdictOf('one-run', target), null);
  assert.equal(await verdictOf('choices', target), null);
  assert.equal(await verdictOf('witness', target), true);
});
