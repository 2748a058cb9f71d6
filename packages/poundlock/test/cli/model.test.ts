// A model of one's own: `calibrate --out` writes it, `--model` takes it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const TWO_ROLE = join(ROOT, 'examples', 'h200', 'two-role.ts');
const KERNELS = ['--kernels', join(ROOT, 'examples', 'h200')];

function rowsOf(table: string, rows: number): string {
  const text = readFileSync(join(ROOT, 'bench', 'h200', table), 'utf8');
  return `${text.split('\n').slice(0, rows).join('\n')}\n`;
}

test('a model is calibrated, and simulate and advise take it', async (t) => {
  const cwd = folder(t, {
    'gpu/two_role.csv': rowsOf('two_role.csv', 13),
    'gpu/device.csv': 'name,capability,sms\nSome GPU,9.0,114\n',
  });
  const options = [...KERNELS, '--base', 'h200', '--rounds', '1', '--out', 'some gpu.json'];
  const { code, stdout } = await poundlock(cwd, ['calibrate', 'gpu', ...options]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^\| rows of no fit \| rows \| h200: median \| +p95 \| some-gpu: median \| +p95 \|\n/,
  );
  assert.match(stdout, /\n\| two-role +\| +4 \|/);
  assert.match(
    stdout,
    /\n\| multiprocessors +\| +SMs \| +132 \| +114 \| +measured: device\.csv \|\n/,
  );
  assert.match(stdout, /\n\| hbmLatencyNanoseconds +\| +ns \|.*\| +fitted to two_role\.csv \|\n/);
  assert.match(stdout, /\nsome gpu\.json: written; use it with --model some gpu\.json\n$/);
  const model = JSON.parse(readFileSync(join(cwd, 'some gpu.json'), 'utf8'));
  assert.deepEqual([model.name, model.title], ['some-gpu', 'Some GPU, calibrated']);
  for (const verb of ['simulate', 'advise']) {
    const args = [verb, TWO_ROLE, '--set', 'tiles=8', '--model', 'some gpu.json'];
    const used = await poundlock(cwd, args);
    assert.equal(used.code, 0, used.stderr);
    assert.match(used.stdout, /Some GPU, calibrated|model some-gpu/);
  }
  const one = ['calibrate', 'gpu/two_role.csv', ...KERNELS, '--rounds', '0'];
  const accuracy = await poundlock(cwd, [...one, '--base', 'some gpu.json']);
  assert.match(accuracy.stdout, /^\| program, predictor /);
});

test('what cannot be a model or a table is one line and exit code 2', async (t) => {
  const cwd = folder(t, {
    'two_role.csv': rowsOf('two_role.csv', 3),
    'copy/two_role.csv': rowsOf('two_role.csv', 3),
    'other.csv': 'a\n1\n',
    'wrong/two_role.csv': 'stages,total_cycles,errors\n1,5,3\n',
    'half.json': '{ "schema": "poundlock/model@1"',
    'typo.json': '{ "schema": "poundlock/model@1", "nme": "x" }',
    'none/x.txt': '',
  });
  const simulate = ['simulate', TWO_ROLE, '--model'];
  const calibrate = (...args: string[]) => ['calibrate', ...args, ...KERNELS, '--out', 'm.json'];
  const cases: readonly (readonly [string[], RegExp])[] = [
    [[...simulate, 'h300'], /--model must be h200, .* or a model file NAME\.json, not "h300"/],
    [[...simulate, 'absent.json'], /--model absent\.json: /],
    [[...simulate, 'half.json'], /half\.json:1:1: a model file is JSON, and this is not: /],
    [[...simulate, 'typo.json'], /typo\.json:1:34: a model file has no "nme": did you mean name\?/],
    [['advise', TWO_ROLE, '--model', 'h300'], /--model must be h200/],
    [calibrate('absent'), /absent does not exist/],
    [calibrate('none'), /none has none of two_role\.csv, /],
    [calibrate('other.csv'), /other\.csv is none of the tables two_role, /],
    [calibrate('two_role.csv', 'copy'), /copy.two_role\.csv: the table two_role is there twice/],
    [calibrate('wrong'), /wrong.two_role\.csv:2:1: this run had wrong words/],
    [calibrate('two_role.csv', '--folds', '3'), /--out writes a model/],
    [calibrate('two_role.csv', '--base', 'h300'), /--base must be h200, /],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await poundlock(cwd, args);
    assert.equal(code, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^poundlock: .+\n$/);
    assert.match(stderr, message);
  }
});
