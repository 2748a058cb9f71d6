import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coreTestFaults, importFaults } from './imports.ts';
import { source } from './source.ts';
import { CORE_TESTS, SOURCES } from './tree.ts';

const rejected: [path: string, text: string, why: RegExp][] = [
  ['machine/barrier.ts', `import { Role } from '../program/role.ts';`, /down only/],
  ['ptx/text/parse.ts', `import { at } from '../exec/warp/warp.ts';`, /ptx\/exec on 10/],
  ['ptx/exec/warp/warp.ts', `import '../../lower/roles.ts';`, /down only/],
  ['ptx/text/parse.ts', `import { parse } from 'csv-parse/sync';`, /depends on no package/],
  ['check/check.ts', `import '@poundlock/ptx/internal/text/parse';`, /wherever/],
  ['base/assert.ts', `export type { Op } from '../op/op.ts';`, /base is on floor 0, op on 1/],
  ['machine/index.ts', `export * from '../replay/index.ts';`, /machine knows operations only/],
  ['system/apply.ts', `import { pipeline } from '../pipeline/index.ts';`, /down only/],
  ['pipeline/ring.ts', `import type { Machine } from '../machine/index.ts';`, /only sugar/],
  ['sm100/tmem.ts', `import { search } from '../check/index.ts';`, /only sugar/],
  ['sm100/tmem.ts', `import { post } from '@poundlock/core/internal/program';`, /public interface/],
  ['cute/state.ts', `import { OpKind } from '../../../core/src/op/index.ts';`, /public interface/],
  ['cute/state.ts', `import { readFileSync } from 'node:fs';`, /public interface/],
  ['check/check.ts', `import { TmemStage } from '@poundlock/dialects/sm100';`, /not handles/],
  ['cute/umma.ts', `import { x } from '../sm100/index.ts';`, /down only/],
  ['check/search.ts', `import { events } from '../simulate/index.ts';`, /never import one another/],
  ['check/search.ts', `const m = await import('../run/worker.ts');`, /never import one another/],
  ['run/start.ts', `new Worker(new URL('../check/worker.ts', import.meta.url));`, /one another/],
  ['simulate/events.ts', `import { Slot } from '../pipeline/index.ts';`, /not handles/],
  ['lint/flow.ts', `import { unfold } from '../program/index.ts';`, /never executes/],
  ['report/json.ts', `import { main } from '../cli/main.ts';`, /down only/],
  ['report/run.ts', `import type { RunResult } from '../run/index.ts';`, /plain data/],
  ['op/op.ts', `import '../index.ts';`, /public face/],
  ['index.ts', `export { main } from './cli/main.ts';`, /face never imports cli/],
  ['op/op.ts', `import { x } from '../attic/x.ts';`, /'attic' is not in the table/],
  [
    'check/load.ts',
    `import { readFileSync } from 'node:fs';`,
    /only host, run, record, input, lint, farm, cli/,
  ],
  ['report/html.ts', `import fs from 'fs';`, /only host, run, record, input, lint, farm, cli/],
  ['run/clock.ts', `import { performance } from 'node:perf_hooks';`, /injected by cli/],
  ['program/sweep.ts', `import { parse } from 'csv-parse/sync';`, /program depends on no package/],
  ['check/index.ts', `import { kernel } from 'poundlock';`, /relative path/],
  ['check/index.ts', `import { kernel } from '#src/program/kernel';`, /relative path/],
];

for (const [path, text, why] of rejected) {
  test(`tidy rejects in ${path}: ${text}`, () => {
    const faults = importFaults(source(path, `// Why.\n${text}\n`));
    assert.equal(faults.length, 1);
    assert.ok(faults[0].startsWith(`${path}:2 imports '`), faults[0]);
    assert.match(faults[0], why);
  });
}

const accepted: [path: string, text: string][] = [
  [
    'machine/barrier.ts',
    `import { wait } from '../op/index.ts';\nimport { f } from './flight.ts';`,
  ],
  ['system/apply.ts', `import { role } from '../program/index.ts';`],
  ['sm100/tmem.ts', `import '../own-folder.ts';\nimport { Stage } from '@poundlock/core/dialect';`],
  ['pipeline/ring.ts', `import { role } from '../program/role.ts';`],
  ['advise/price.ts', `import { a } from '../check/index.ts';\nimport '../simulate/index.ts';`],
  ['run/start.ts', `import { Worker } from 'node:worker_threads';`],
  ['cli/main.ts', `import { Command } from 'commander';\nimport process from 'node:process';`],
  ['report/sarif.ts', `import type { Log } from 'sarif';`],
  ['index.ts', `export * from './program/index.ts';`],
  ['finding/rules.ts', `const fix = "import { x } from 'node:fs';";\n// import '../cli/main.ts'`],
  ['finding/rules.ts', 'const fix = `\nimport { kernel } from "poundlock";\n`;'],
];

for (const [path, text] of accepted) {
  test(`tidy accepts in ${path}: ${text.replaceAll('\n', ' ')}`, () => {
    assert.deepEqual(importFaults(source(path, text)), []);
  });
}

test('an import over several lines is found at the line of its specifier', () => {
  const text = `import {\n  a,\n  type B,\n} from '../cli/main.ts';\n`;
  assert.match(importFaults(source('op/op.ts', text))[0], /^op\/op\.ts:4 /);
});

test('every source file keeps the import rules', () => {
  assert.ok(SOURCES.length > 0, 'no sources found');
  assert.deepEqual(SOURCES.flatMap(importFaults), []);
});

for (const specifier of [
  'poundlock/check',
  '@poundlock/fuzz/internal/order',
  '../../../ring/x.ts',
]) {
  test(`tidy rejects in a test of core: ${specifier}`, () => {
    const [fault, ...others] = coreTestFaults(source('op/a.test.ts', `import '${specifier}';\n`));
    assert.match(fault!, /^op\/a\.test\.ts:1 .* core alone$/);
    assert.deepEqual(others, []);
  });
}

test('the tests of core import core alone', () => {
  assert.ok(CORE_TESTS.length > 30, `${CORE_TESTS.length} files`);
  assert.deepEqual(CORE_TESTS.flatMap(coreTestFaults), []);
});
