// Models from tables: what a GPU does is found again from times of its programs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Program, type Kernel } from '../../../core/src/program/index.ts';
import { costsOf, errorsOf, fitModel, MODELS, predict } from '#src/simulate/index';
import type { GpuModel, MeasuredCase, ParameterName, Tables } from '#src/simulate/index';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'h200');
const { default: twoRole } = (await import(join(EXAMPLES, 'two-role.ts'))) as { default: Kernel };
const BASE = MODELS.h200;

const table = (
  header: string,
  ...lines: string[]
): Tables extends ReadonlyMap<string, infer R> ? R : never =>
  lines.map((line, at) => {
    const titles = header.split(',');
    const cells = Object.fromEntries(line.split(',').map((cell, i) => [titles[i]!, cell]));
    return { line: at + 2, cells };
  });

const device = table('name,capability,sms,l2_bytes', 'Some GPU,9.0,114,50000000');

/** A GPU that differs from the base in some numbers. */
function gpu(changes: Readonly<Partial<Record<ParameterName, number>>>): GpuModel {
  const parameters = Object.entries(changes).map(([name, value]) => [name, { value, source: '' }]);
  return { ...BASE, parameters: { ...BASE.parameters, ...Object.fromEntries(parameters) } };
}

/** What two-role takes on it. */
function timesOn(model: GpuModel): MeasuredCase[] {
  const sizes = [4096, 16_384, 32_768];
  const all = ['l2', 'hbm'].flatMap((source) =>
    [1, 114].flatMap((ctas) =>
      sizes.flatMap((tileBytes) =>
        [1, 4].map((stages) => ({ source, ctas, tileBytes, stages, tiles: 24, consumerCycles: 0 })),
      ),
    ),
  );
  return all.map((params, row) => {
    const program = Program.together(twoRole, params);
    return { kernel: 'two-role', row, program, measuredCycles: predict(program, model, 1) };
  });
}

test('single costs are read off their tables', () => {
  const tables: Tables = new Map([
    ['device', device],
    [
      'clocks',
      table(
        'program,ctas,mhz,mma_n,warpgroups,cycles_per_block',
        'two-role 32 KiB,1,1755,0,0,350',
        'tensor,1,1600,128,1,300',
        'tensor,114,1500,128,1,256',
      ),
    ],
    ['micro', table('try_wait_ready,ping_pong_round_trip', '8,184')],
    [
      'probe_store',
      table(
        'ctas,bytes,read_done,all_done,cycles_per_store_4_in_flight,mhz',
        '1,16384,560,600,500,1755',
        '1,32768,1072,1112,1000,1755',
        '114,32768,3000,3040,2000,1755',
        'remote_ping_pong_round_trip,900,900,,,',
      ),
    ],
  ]);
  const { model } = fitModel(tables, new Map(), BASE, { rounds: 1 });
  const value = (name: ParameterName): number => model.parameters[name].value;
  assert.deepEqual([value('multiprocessors'), value('l2Bytes')], [114, 50_000_000]);
  assert.deepEqual([value('idleMegahertz'), value('tensorMegahertz')], [1755, 1600]);
  assert.equal(value('loadMegahertz'), 100);
  assert.equal(value('testCycles'), 8);
  assert.equal(value('signalCycles'), 92 - BASE.parameters.arriveCycles.value);
  const { arriveCycles, signalCycles } = BASE.parameters;
  assert.equal(value('remoteArriveCycles'), 450 - arriveCycles.value - signalCycles.value);
  assert.deepEqual([value('storeBytesPerCycle'), value('storeCycles')], [32, 48]);
  assert.equal(value('storeDoneCycles'), 40);
  assert.equal(value('storesBytesPerNanosecond'), ((114 * 32_768) / 2000) * 1.755);
  assert.equal(model.parameters.storeCycles.source, 'measured: probe_store.csv');
  assert.deepEqual(model.parameters.hbmLatencyNanoseconds, BASE.parameters.hbmLatencyNanoseconds);
});

test('another memory is found from the times of rings', () => {
  const truth = gpu({
    hbmBytesPerNanosecond: 2000,
    hbmLatencyNanoseconds: 420,
    multiprocessors: 114,
    l2Bytes: 50_000_000,
  });
  const cases = timesOn(truth);
  const before = errorsOf(cases, costsOf(BASE));
  const tables: Tables = new Map([['device', device]]);
  const { model } = fitModel(tables, new Map([['two_role', cases]]), BASE, { rounds: 6 });
  const after = errorsOf(cases, costsOf(model));
  const mean = (errors: readonly number[]): number =>
    errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
  assert.ok(mean(before) > 0.1, `${mean(before)}`);
  assert.ok(mean(after) < 0.03, `${mean(after)}`);
  const found = model.parameters.hbmBytesPerNanosecond.value;
  assert.ok(found > 1800 && found < 2200, `${found}`);
  // Its SMs are those of the base: what is in their cycles stays.
  assert.deepEqual(model.parameters.waitCycles, BASE.parameters.waitCycles);
  assert.match(model.parameters.hbmLatencyNanoseconds.source, /^fitted to two_role\.csv$/);
});

test('who ran wgmma has the SMs of the base, also without a table of the device', () => {
  const cases = timesOn(gpu({ hbmBytesPerNanosecond: 2000 })).slice(0, 8);
  const fitted = (tables: Tables) =>
    fitModel(tables, new Map([['two_role', cases]]), BASE, { rounds: 1 }).model.parameters;
  const wgmma: Tables = new Map([['tensor_core', table('total_cycles', '1')]]);
  assert.deepEqual(fitted(wgmma).waitCycles, BASE.parameters.waitCycles);
  assert.match(fitted(new Map()).waitCycles.source, /^fitted to/);
});
