// The verbs simulate, advise and calibrate on the command line.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const TWO_ROLE = join(ROOT, 'examples', 'h200', 'two-role.ts');

test('simulate --json has one document in the agreed shape', async (t) => {
  const set = ['--set', 'tiles=16'];
  const { code, stdout } = await poundlock(folder(t), ['simulate', TWO_ROLE, ...set, '--json']);
  assert.equal(code, 0);
  const { schema, results } = JSON.parse(stdout);
  const { kernel, params, model, totalCycles, detail } = results[0];
  const { roles, rings } = detail;
  assert.equal(schema, 'poundlock/report@1');
  assert.deepEqual([kernel, model.name, params.tiles], ['two-role', 'h200', 16]);
  assert.ok(totalCycles > 16 * 600);
  assert.deepEqual(Object.keys(roles[0].stallCycles), ['full', 'empty', 'unit']);
  assert.deepEqual(rings[0].name, 'ab');
});

test('simulate begins with what would help, and is short', async (t) => {
  const linesOf = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await poundlock(folder(t), ['simulate', ...words]);
    return stdout.trimEnd().split('\n');
  };
  const gemm = join(ROOT, 'examples', 'gemm.ts');
  const one = await linesOf(gemm, '--set', 'stages=1');
  const [, place, fewer] =
    /^load waits for space \d+ % of the run \((\S+)\): with stages=2 the run takes (\d+) % fewer/.exec(
      one[0]!,
    )!;
  assert.match(place!, /gemm\.ts:20:30$/);
  const cyclesOf = (lines: readonly string[]): number =>
    Number(/: ([\d,]+) cycles/.exec(lines[1]!)![1]!.replaceAll(',', ''));
  const two = await linesOf(gemm, '--set', 'stages=2');
  assert.equal(Math.round(100 * (1 - cyclesOf(two) / cyclesOf(one))), Number(fewer));
  assert.match(two[0]!, /more stages do not help, `poundlock advise \S+gemm\.ts` tries/);
  // What a role does for most of the critical path is the time, whatever waits beside it.
  assert.match((await linesOf(TWO_ROLE))[0]!, /^consumer0 works \d+ % of the run: less work/);
  const many = await linesOf(join(ROOT, 'examples', 'sm100', 'default.ts'));
  assert.ok(many.length <= 20, `${many.length} lines`);
  const all = await linesOf(join(ROOT, 'examples', 'sm100', 'default.ts'), '--details');
  assert.deepEqual([all[0], all.length > 60], [many[0], true]);
  assert.match(all.join('\n'), /█ works {2}░ waits for data {2}· waits for space/);
});

test('simulate --clock sustained: memory takes the same time, the tensor core more', async (t) => {
  const kernel = join(ROOT, 'examples', 'h200', 'tensor-core.ts');
  const microseconds = async (launch: readonly string[], clock: string): Promise<number> => {
    const sets = ['kBlocks=64', 'warpgroups=1', ...launch].flatMap((set) => ['--set', set]);
    const args = ['simulate', kernel, ...sets, '--clock', clock];
    const { stdout } = await poundlock(folder(t), [...args, '--json']);
    return JSON.parse(stdout).results[0].detail.device.microseconds;
  };
  const ratio = async (...launch: string[]): Promise<number> =>
    (await microseconds(launch, 'sustained')) / (await microseconds(launch, 'burst'));
  const ofMemory = await ratio('source=hbm', 'ctas=132');
  assert.ok(ofMemory > 0.98 && ofMemory < 1.05, `${ofMemory}`);
  const ofTensorCore = await ratio('source=l2', 'ctas=1');
  assert.ok(ofTensorCore > 1.15, `${ofTensorCore}`);
});

test('simulate --cases predicts every row, in order', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'rows.csv'), 'tile_bytes,tiles,unknown\n1024,8,x\n32768,4,y\n');
  const args = ['simulate', TWO_ROLE, '--cases', 'rows.csv', '--json'];
  const { results } = JSON.parse((await poundlock(cwd, args)).stdout);
  assert.deepEqual(
    results.map((run: { params: { tileBytes: number } }) => run.params.tileBytes),
    [1024, 32768],
  );
});

test('simulate --sweep marks the knee; other models say that they are not measured', async (t) => {
  const sweep = ['--sweep', 'stages=1..4', '--set', 'tiles=32'];
  const { stdout } = await poundlock(folder(t), ['simulate', TWO_ROLE, ...sweep]);
  assert.match(stdout, /\n +2 .*◀ knee: within 1 % of the best\n/);
  const b200 = await poundlock(folder(t), ['simulate', TWO_ROLE, '--model', 'b200']);
  assert.match(b200.stdout, /no parameter of this model was measured/);
  const json = await poundlock(folder(t), ['simulate', TWO_ROLE, '--model', 'b200', '--json']);
  assert.match(
    JSON.parse(json.stdout).results[0].model.caveat,
    /no parameter of this model was measured/,
  );
});

test('traces and pages are written to files', async (t) => {
  const cwd = folder(t);
  const args = ['simulate', TWO_ROLE, '--set', 'tiles=8', '--reporter', 'html=page.html'];
  await poundlock(cwd, [...args, '--trace', 'trace.json']);
  await poundlock(cwd, [...args, '--trace', 'trace.kanata']);
  const { traceEvents } = JSON.parse(readFileSync(join(cwd, 'trace.json'), 'utf8'));
  const phases = new Set(traceEvents.map((event: { ph: string }) => event.ph));
  assert.deepEqual([...phases].toSorted(), ['M', 'X', 'f', 's']);
  assert.match(readFileSync(join(cwd, 'trace.kanata'), 'utf8'), /^Kanata\t0004\nC=\t0\n/);
  const page = readFileSync(join(cwd, 'page.html'), 'utf8');
  assert.doesNotMatch(page, /<(script|link)[^>]+(src|href)=/);
});

test('bad input is one line and exit code 2', async (t) => {
  const cwd = folder(t);
  for (const args of [
    ['simulate', 'missing.ts'],
    ['simulate', TWO_ROLE, '--set', 'tilez=3'],
    ['simulate', TWO_ROLE, '--set', 'source=disk'],
    ['simulate', TWO_ROLE, '--reporter', 'pdf'],
    ['advise', TWO_ROLE, '--smem', 'lots'],
    ['calibrate', cwd],
    [
      'calibrate',
      join(ROOT, 'bench', 'h200'),
      '--kernels',
      join(ROOT, 'examples', 'h200'),
      '--folds',
      '1',
    ],
  ]) {
    const { code, stderr } = await poundlock(cwd, args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /^poundlock: .+\n$/);
  }
});

test('calibrate --rounds 0 prints the tables of the model as it stands', async (t) => {
  const cwd = folder(t);
  mkdirSync(join(cwd, 'tables'));
  const rows = readFileSync(join(ROOT, 'bench', 'h200', 'two_role.csv'), 'utf8').split('\n');
  writeFileSync(join(cwd, 'tables', 'two_role.csv'), rows.slice(0, 13).join('\n'));
  copyFileSync(TWO_ROLE, join(cwd, 'two-role.ts'));
  const args = ['calibrate', 'tables', '--kernels', '.', '--rounds', '0'];
  const { code, stdout } = await poundlock(cwd, args);
  assert.equal(code, 0);
  assert.match(stdout, /\| two-role, simulation +\| +8 \|/);
  assert.match(stdout, /\| two-role, formula +\| +8 \|/);
  assert.match(stdout, /\| pollPauseCycles +\|/);
  const folds = await poundlock(cwd, [...args, '--folds', '3']);
  assert.equal(folds.code, 0);
  assert.match(folds.stdout, /^\| program, held back .*\n.*\n\| two-role +\| +12 \|.*\n$/);
});
