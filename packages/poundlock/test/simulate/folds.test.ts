// Cross-validation: whole cells are left out, and each row is predicted once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Program, type Kernel } from '../../../core/src/program/index.ts';
import { crossValidate, MODELS, predict } from '#src/simulate/index';
import { foldsOf } from '#src/simulate/calibration/folds';

const FILE = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'h200', 'two-role.ts');
const { default: kernel } = (await import(FILE)) as { default: Kernel };

const rows = ['l2', 'hbm'].flatMap((source) =>
  [1, 132].flatMap((ctas) => [1, 2, 4].map((stages) => ({ source, ctas, stages, tiles: 8 }))),
);
const cases = rows.map((params, row) => {
  const program = Program.together(kernel, params);
  return { kernel: 'two-role', row, program, measuredCycles: predict(program, MODELS.h200, 1) };
});

test('the rows of a cell are left out together, and each cell once', () => {
  const folds = foldsOf(cases, 3);
  const byCell = Map.groupBy(cases.keys(), (at) => `${rows[at]!.source} ${rows[at]!.ctas}`);
  for (const cell of byCell.values()) {
    assert.equal(new Set(cell.map((at) => folds[at])).size, 1);
  }
  assert.deepEqual(new Set(folds), new Set([0, 1, 2]));
});

test('programs start with different folds', () => {
  const other = cases.map((one) => ({ ...one, kernel: 'other' }));
  const folds = foldsOf([...cases, ...other], 3);
  assert.notEqual(folds[0], folds[cases.length]);
});

test('each row is predicted once, by a model that starts off', () => {
  const { cases: seen, errors } = crossValidate(new Map([['two_role', cases]]), MODELS.h200, {
    folds: 2,
    rounds: 1,
  });
  assert.deepEqual(new Set(seen), new Set(cases));
  assert.equal(errors.length, cases.length);
  assert.ok(errors.some((error) => Math.abs(error) > 1e-3));
});
