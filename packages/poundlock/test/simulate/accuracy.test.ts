// The error bars that are printed: those of the published tables, of the program that is most alike.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asyncUse, kernel, role, UNITS, waitGroup } from 'poundlock';
import type { Kernel } from '../../../core/src/program/index.ts';
import { ATTENTION_ERRORS } from '#src/simulate/attention-errors';
import { MODELS, modelText, readModelText, simulate } from '#src/simulate/index';
import type { GpuModel, ModelName } from '#src/simulate/index';
import { MEASURED_ERRORS } from '#src/simulate/measured-errors';
import { programsOf } from '#src/simulate/measured-programs';
import { ISSUED_ERRORS } from '#src/simulate/issue/issued-errors';
import { ONE_ROLE_ERRORS } from '#src/simulate/one-role-errors';
import { PIPELINE_ERRORS } from '#src/simulate/pipeline-errors';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** The median and the 95th percentile by chip and table, as a page of results has them. */
function published(page: string): Record<string, readonly [number, number]> {
  const text = readFileSync(join(ROOT, 'bench', 'results', `${page}.md`), 'utf8');
  const rows = text.matchAll(/^\| ([\w ,]+) \| \d+ \| ([\d.]+) % \| ([\d.]+) % \|/gm);
  return Object.fromEntries(
    [...rows].map(([, name, median, p95]) => {
      return [name!.replace(', ', '/'), [Number(median), Number(p95)] as const];
    }),
  );
}

test('the errors that are printed are those of the published tables', () => {
  const printed = Object.entries(MEASURED_ERRORS).flatMap(([chip, tables]) =>
    Object.entries(tables).map(([table, errors]) => [`${chip}/${table}`, errors] as const),
  );
  assert.deepEqual(
    new Map(printed),
    new Map(Object.entries({ ...published('accuracy'), ...published('unfitted') })),
  );
});

test('the errors of launches that are printed are those of their tables', () => {
  const page = readFileSync(join(ROOT, 'bench', 'results', 'real.md'), 'utf8');
  const parts = {
    unseen: ISSUED_ERRORS,
    pipelines: PIPELINE_ERRORS,
    'one-role': ONE_ROLE_ERRORS,
    attention: ATTENTION_ERRORS,
  };
  for (const [part, { h200 }] of Object.entries(parts)) {
    const table = page.slice(
      page.indexOf(`<!-- ${part} -->`),
      page.indexOf(`<!-- end ${part} -->`),
    );
    const [, launches, median, most] = /^\| all \| \d+ \| (\d+) \| (\d+) % \| \d+ % \| (\d+) % \|/m
      .exec(table)!
      .map(Number);
    assert.deepEqual(h200, { launches, medianPercent: median, mostPercent: most }, part);
  }
});

async function accuracyOf(file: string, model: ModelName, params: object): Promise<string[]> {
  const path = join(ROOT, 'examples', `${file}.ts`);
  const { default: kernel } = (await import(path)) as { default: Kernel };
  const options = { model: MODELS[model], params: { ...params }, maxSpans: 0 };
  return [...simulate(kernel, options).device.accuracy];
}

test('a measured program has the error of its own table', async () => {
  const files = {
    'h200/two-role': ['two_role', { tiles: 8 }],
    'h200/three-role': ['three_role', { outputTiles: 8 }],
    'h200/release-order': ['release_order', { tiles: 8 }],
    'h200/tensor-core': ['tensor_core', { kBlocks: 8 }],
    'h200/tensormap': ['tensormap', { tiles: 8 }],
    'h200/styles': ['styles', { tiles: 8 }],
    'h200/store': ['store', { tiles: 8 }],
    'h200/multicast': ['multicast', { tiles: 8 }],
    'h200/waves': ['waves', { tiles: 8, ctas: 700 }],
    'h200/cp-async': ['cp_async', { tiles: 8 }],
    'whole/chain': ['chain', { tiles: 8 }],
    'whole/diamond': ['diamond', { tiles: 8 }],
    'whole/attention': ['attention', { kvBlocks: 8 }],
    'whole/gemm': ['gemm', { tiles: 2, kBlocks: 8 }],
  } as const;
  for (const [file, [table, params]] of Object.entries(files)) {
    const [median, p95] = programsOf(MEASURED_ERRORS.h100).flatMap((one) =>
      one.table === table ? [one.medianPercent, one.p95Percent] : [],
    );
    assert.deepEqual(await accuracyOf(file, 'h100', params), [
      `error on the nearest measured program, ${table}: ± ${median} % (median) and ± ${p95} % (95 % of the rows)`,
    ]);
  }
});

test('what was not measured is said', async () => {
  const [near, strange] = await accuracyOf('whole/attention', 'h200', { kvBlocks: 8, ctas: 40 });
  assert.match(near!, /program, attention: /);
  assert.equal(strange, 'not measured with it: 40 CTAs');
});

test('sizes that were not measured are said, and work that no wgmma does', async () => {
  const [, sizes] = await accuracyOf('h200/two-role', 'h200', { tileBytes: 65_536, tiles: 8 });
  assert.equal(sizes, 'not measured with it: copies of 65,536 B');
  const { default: kernel } = (await import(join(ROOT, 'examples', 'h200', 'tensor-core.ts'))) as {
    default: Kernel;
  };
  const of = (mmaN: number) =>
    simulate(kernel, { model: MODELS.h200, params: { mmaN, kBlocks: 8 }, maxSpans: 0 });
  assert.match(of(100).limits.join(), /^no wgmma works for 50 cycles: /);
  assert.deepEqual(of(96).limits, []);
  assert.match(of(96).device.accuracy[1]!, /tensor-core work of 48 cycles/);
});

test('a model file brings the errors that its fit has left, whatever its name', async () => {
  const { default: kernel } = (await import(join(ROOT, 'examples', 'h200', 'two-role.ts'))) as {
    default: Kernel;
  };
  const linesOf = (errors: GpuModel['errors']): readonly string[] => {
    const { name, title, caveat, parameters } = MODELS.h100;
    const bare = { name, title, caveat, parameters };
    const model = readModelText('h100.json', modelText({ ...bare, ...(errors && { errors }) }));
    return simulate(kernel, { model, params: { tiles: 8 }, maxSpans: 0 }).device.accuracy;
  };
  assert.match(linesOf(undefined).join(), /^the errors of the model h100 are not known/);
  assert.deepEqual(linesOf({ three_role: [9, 10], two_role: [1.5, 7] }), [
    'error on the nearest measured program, two_role: ± 1.5 % (median) and ± 7 % (95 % of the rows)',
  ]);
});

test('a GPU without tcgen05 is said to have none', () => {
  const one = kernel('one', {}, () => [
    role('mma', function* () {
      asyncUse(UNITS.tcgen05, { group: true, cycles: 128 });
      yield* waitGroup(UNITS.tcgen05, 0);
    }),
  ]);
  const limitsOf = (model: ModelName) => simulate(one, { model: MODELS[model] }).limits;
  assert.match(limitsOf('h200').join(), /^the GPU has no tcgen05: it is priced as wgmma/);
  assert.deepEqual(limitsOf('b200'), []);
});
