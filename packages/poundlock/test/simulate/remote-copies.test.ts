// Copies between the CTAs of a cluster, and loads of threads, beside what an H100 measured.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { arrive, asyncCopy, barrier, buffer, compute, kernel } from 'poundlock';
import { read, role, syncCluster, UNITS, wait } from 'poundlock';
import { fitModel, MODELS, simulate, type ParameterName } from '#src/simulate/index';

const BENCH = join(import.meta.dirname, '..', '..', '..', '..', 'bench');
const ROUNDS = 16;

/** A CTA copies into the other one's memory, which answers when all of a round have arrived. */
const exchange = kernel('exchange', { bytes: 16, inFlight: 1 }, ({ bytes, inFlight }) => {
  const [landed, answer] = [barrier('landed'), barrier('answer')];
  const from = buffer('from', { bytes });
  const into = Array.from({ length: inFlight }, (_, i) => buffer(`into${i}`, { bytes }));
  const one = role('one', { cta: 0, measured: true }, function* () {
    for (let round = 0; round < ROUNDS; round++) {
      for (const to of into) {
        asyncCopy(UNITS.tma, { reads: [from], into: [to], bar: landed, bytes, cta: 1 });
      }
      yield* wait(answer, round);
    }
    yield* syncCluster();
  });
  const two = role('two', { cta: 1 }, function* () {
    for (let round = 0; round < ROUNDS; round++) {
      arrive(landed, { bytes: bytes * inFlight });
      yield* wait(landed, round);
      arrive(answer, { cta: 0 });
    }
    yield* syncCluster();
  });
  return [one, two];
});

for (const chip of ['h100', 'h200'] as const) {
  test(`bulk copies into another CTA take as long as an ${chip} measured`, () => {
    const rows = readFileSync(join(BENCH, chip, 'dsmem.csv'), 'utf8')
      .trim()
      .split('\n');
    const copies = rows.filter((row) => /^copy_to_next_and_answer,\d+,[14],/.test(row));
    assert.ok(copies.length > 10);
    for (const row of copies) {
      const [, bytes, inFlight, measured] = row.split(',').map(Number);
      const params = { bytes: bytes!, inFlight: inFlight! };
      const { totalCycles } = simulate(exchange, { model: MODELS[chip], params });
      const error = totalCycles / ROUNDS / measured! - 1;
      assert.ok(Math.abs(error) < 0.12, `${row}: ${(100 * error).toFixed(1)} %`);
    }
  });
}

test('single costs of an H100 are read off its tables', () => {
  const tables = new Map(
    ['instructions', 'dsmem'].map((name) => {
      const [header, ...rows] = readFileSync(join(BENCH, 'h100', `${name}.csv`), 'utf8')
        .trim()
        .split('\n');
      const titles = header!.split(',');
      const cells = rows.map((row, line) => {
        const own = row.split(',').map((cell, at) => [titles[at]!, cell]);
        return { line, cells: Object.fromEntries(own) as Record<string, string> };
      });
      return [name, cells] as const;
    }),
  );
  const { h100 } = MODELS;
  const { model } = fitModel(tables, new Map(), h100, { rounds: 0 });
  const { remoteLoadCycles, remoteCopyBytesPerCycle, remoteCopyCycles } = h100.parameters;
  const near = (name: ParameterName, value: number): void => {
    assert.ok(Math.abs(model.parameters[name].value / value - 1) < 0.1, name);
    assert.match(model.parameters[name].source, /^measured/);
  };
  near('remoteLoadCycles', remoteLoadCycles.value);
  near('remoteCopyBytesPerCycle', remoteCopyBytesPerCycle.value);
  near('remoteCopyCycles', remoteCopyCycles.value);
  near('globalLoadNanoseconds', 134);
});

test('loads overlap, and what comes after them waits for all of them', () => {
  const { accessCycles, remoteLoadCycles } = MODELS.h100.parameters;
  const loads = (count: number): number => {
    const near = kernel('loads', {}, () => {
      const far = buffer('far', { bytes: 128 });
      const idle = role('idle', { cta: 1 }, function* () {
        yield* syncCluster();
      });
      const one = role('one', { cta: 0, measured: true }, function* () {
        for (let i = 0; i < count; i++) read(far, { cta: 1 });
        yield* compute(33);
        yield* syncCluster();
      });
      return [one, idle];
    });
    return simulate(near, { model: MODELS.h100 }).totalCycles;
  };
  const [one, two] = [loads(1), loads(2)];
  assert.ok(Math.abs(two! - one! - accessCycles.value) < 1e-6);
  assert.ok(Math.abs(one! - loads(0) - remoteLoadCycles.value) < 100);
});
