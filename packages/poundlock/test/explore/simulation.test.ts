// The time of a kernel as data for a page: the run that `simulate` predicts, and what `advise` does.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Kernel } from '../../../core/src/program/index.ts';
import { advise } from '#src/advise/index';
import { simulated, whatIf } from '#src/explore/simulation';
import { MODELS, predict, simulate } from '#src/simulate/index';
import { Program, resolveParameters } from '../../../core/src/program/index.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples');

async function example(name: string): Promise<Kernel> {
  const url = pathToFileURL(join(EXAMPLES, `${name}.ts`)).href;
  return ((await import(url)) as { default: Kernel }).default;
}

const shortName = (file: string) => file.split('/').at(-1)!;

test('a run is that of simulate, and its timeline is bounded', async () => {
  const kernel = await example('gemm');
  const found = simulated(kernel, { tiles: 5000 }, 'h200', shortName);
  const expected = simulate(kernel, { model: MODELS.h200, params: { tiles: 5000 } });
  assert.equal(found.totalCycles, expected.totalCycles);
  assert.deepEqual(found.lines, expected.lines);
  assert.ok(found.isTruncated);
  const { spans, flights, signals } = found.timeline;
  assert.ok(spans.length <= 4000 && flights.length <= 4000);
  for (const { signal } of spans) assert.ok(signal < signals.length);
  // Operations know their lines.
  assert.ok(spans.filter(({ place }) => place?.file === 'gemm.ts').length > spans.length / 2);
  assert.deepEqual(simulated(kernel, { tiles: 4 }, 'h200', shortName).isTruncated, false);
});

test('each number of stages has the time of its own simulation', async () => {
  const kernel = await example('gemm-linear');
  const { stages, currentCycles } = await whatIf(kernel, { tiles: 12 }, 'h200', shortName);
  const [{ parameter, times }] = stages as [(typeof stages)[number]];
  assert.equal(parameter, 'stages');
  const cyclesOf = (stages: number) => {
    const params = resolveParameters(kernel, { tiles: 12, stages });
    return predict(Program.together(kernel, params), MODELS.h200);
  };
  for (const { value, totalCycles } of times) assert.equal(totalCycles, cyclesOf(value));
  const { stages: own } = resolveParameters(kernel, {}).values;
  assert.equal(currentCycles, cyclesOf(Number(own)));
});

test('release points are the certified ones of advise, the fastest first', async () => {
  const kernel = await example('hand-over-hand');
  const { releases } = await whatIf(kernel, {}, 'h200', shortName);
  const { proposals } = await advise(kernel, { model: MODELS.h200, smem: 232_448 });
  const certified = proposals.filter((one) => one.kind !== 'stages' && one.verdict === 'certified');
  assert.equal(releases.length, certified.length);
  assert.ok(releases.length > 0);
  for (const one of releases) assert.equal(one.verdict, 'certified');
  const cycles = releases.map(({ totalCycles }) => totalCycles);
  assert.deepEqual(
    cycles,
    cycles.toSorted((a, b) => a - b),
  );
});

test('a number of stages with which the kernel does not end has no time', async () => {
  const kernel = await example('hand-over-hand');
  const { stages } = await whatIf(kernel, {}, 'h100', shortName);
  assert.equal(stages[0]!.times[0]!.totalCycles, null);
  assert.notEqual(stages[0]!.times[1]!.totalCycles, null);
  const broken = await example('broken/one-stage');
  await assert.rejects(whatIf(broken, {}, 'h200', shortName), /does not end: check says why/);
  assert.throws(() => simulated(broken, {}, 'h200', shortName), /deadlock/);
});
