// `poundlock sweep` and `merge` on the command line: real threads, real folders.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from '../fake-host.ts';
import { meeting, RING_FILES } from './kernels.ts';

const OVER = ['--over', 'stages=1..3', '--over', 'bytes=1024,4096'];
const SWEEP = ['sweep', 'ring.ts', ...OVER, '--workers', '1'];

function resultsIn(cwd: string, name: string): string[] {
  return readdirSync(join(cwd, name)).filter((file) => /^[0-9a-f]{64}\.json$/.test(file));
}

test('a sweep checks and simulates each row, and marks the front', async (t) => {
  const cwd = folder(t, RING_FILES);
  const { code, stdout } = await poundlock(cwd, [...SWEEP, '--csv', 'a.csv', '--html', 'a.html']);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^ring: 6 sets of parameters/);
  assert.match(stdout, /Pareto front of time and shared memory \(certified, and fits\):\n/);
  const [heading, ...rows] = readFileSync(join(cwd, 'a.csv'), 'utf8').trimEnd().split('\n');
  assert.match(heading!, /^stages,bytes,verdict,cycles,microseconds,shared_bytes,/);
  assert.equal(rows.length, 6);
  assert.ok(rows.every((row) => row.includes('certified')));
  // Buffers that declare their sizes are counted with their barriers.
  assert.match(rows[0]!, /^1,1024,certified,\d+,[\d.]+,1040,/);
  const page = readFileSync(join(cwd, 'a.html'), 'utf8');
  assert.match(page, /<svg class="chart"[^]*<path class="front"/);
  assert.match(page, /<h2>The fastest row<\/h2>\n<figure class="timeline">/);
  assert.doesNotMatch(page, /<(?:script|link)/);
});

test('builds of a folder are ranked by their times; one that can not be read is a row', async (t) => {
  const cwd = folder(t, {});
  for (const meets of [400, 100, 200]) {
    const { ptx, launch } = meeting(meets);
    mkdirSync(join(cwd, 'builds', `r${meets}`), { recursive: true });
    writeFileSync(join(cwd, 'builds', `r${meets}`, 'kernel.ptx'), ptx);
    writeFileSync(join(cwd, 'builds', `r${meets}`, 'launch.json'), launch);
  }
  const { code, stdout } = await poundlock(cwd, ['sweep', 'builds', '--workers', '1']);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^meet: 3 builds · model: h200\n/);
  const names = (text: string) => [...text.matchAll(/^(r\d+) /gm)].map(([, name]) => name);
  assert.deepEqual(names(stdout), ['r100', 'r200', 'r400']);
  assert.match(stdout, /^r100 +certified +[\d,]+ +[\d.]+ .*on the Pareto front$/m);
  writeFileSync(join(cwd, 'builds', 'r100', 'launch.json'), '{');
  const broken = await poundlock(cwd, ['sweep', 'builds', '--verb', 'simulate', '--csv']);
  assert.equal(broken.code, 2);
  const rows = broken.stdout.trimEnd().split('\n');
  assert.match(rows.at(-1)!, /^r100,.*builds\/r100\/launch\.json is not JSON/);
  assert.deepEqual(names(rows.join('\n').replaceAll(',', ' ')), ['r200', 'r400', 'r100']);
});

test('a result that is there is not run again, and the same bytes come out', async (t) => {
  const cwd = folder(t, RING_FILES);
  const args = [...SWEEP, '--results', 'r', '--json'];
  const first = await poundlock(cwd, [...args, 'one.json']);
  assert.equal(resultsIn(cwd, 'r').length, 12);
  const path = join(cwd, 'r', resultsIn(cwd, 'r')[0]!);
  const before = readFileSync(path, 'utf8');
  const again = await poundlock(cwd, [...args, 'two.json']);
  assert.equal(again.stderr, '12 results already there\n');
  assert.equal(again.stdout, first.stdout);
  const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
  assert.equal(text('two.json'), text('one.json'));
  // A file that is no result is as if it were not there.
  const { hash, job } = JSON.parse(before) as { hash: string; job: object };
  const hollow = { schema: 'poundlock/result@1', hash, job, outcome: { ok: {} }, elapsedMs: 1 };
  for (const wrong of [before.slice(0, 20), 'null', JSON.stringify(hollow)]) {
    writeFileSync(path, wrong);
    const third = await poundlock(cwd, [...args, 'three.json']);
    assert.equal(third.stderr, '11 results already there\n');
    assert.equal(text('three.json'), text('one.json'));
  }
});

test('a change of an imported module makes other jobs', async (t) => {
  const cwd = folder(t, RING_FILES);
  const args = [...SWEEP, '--results', 'r', '--verb', 'simulate'];
  await poundlock(cwd, args);
  assert.equal(resultsIn(cwd, 'r').length, 6);
  const other = folder(t, { ...RING_FILES, 'sizes.ts': 'export const TILES = 7;\n' });
  await poundlock(other, [...args.slice(0, -4), '--results', join(cwd, 'r'), '--verb', 'simulate']);
  assert.equal(resultsIn(cwd, 'r').length, 12);
});

test('shards merge to the bytes of a single run', async (t) => {
  const cwd = folder(t, RING_FILES);
  const whole = await poundlock(cwd, [...SWEEP, '--json', 'whole.json', '--csv', 'whole.csv']);
  for (const part of ['1', '2', '3']) {
    const args = [...SWEEP, '--shard', `${part}/3`, '--results', `part-${part}`];
    const { code, stdout } = await poundlock(cwd, args);
    assert.equal(code, 0);
    assert.equal(stdout, '4 of 4 jobs of this part are done\n');
  }
  const parts = ['part-1', 'part-2', 'part-3'];
  const merged = await poundlock(cwd, ['merge', ...parts, '--json', 'm.json', '--csv', 'm.csv']);
  assert.equal(merged.code, 0);
  assert.equal(merged.stdout, whole.stdout);
  for (const [one, other] of [
    ['whole.json', 'm.json'],
    ['whole.csv', 'm.csv'],
  ] as const)
    assert.equal(readFileSync(join(cwd, other), 'utf8'), readFileSync(join(cwd, one), 'utf8'));
  const missing = await poundlock(cwd, ['merge', 'part-1', 'part-3']);
  assert.equal(missing.code, 3);
  assert.equal(missing.stderr, 'poundlock: 4 results missing\n');
  assert.match(missing.stdout, /not run/);
});

test('a plan that was changed is one line, and exit code 2', async (t) => {
  const cwd = folder(t, RING_FILES);
  await poundlock(cwd, [...SWEEP, '--results', 'r', '--verb', 'simulate']);
  const plan = readdirSync(join(cwd, 'r')).find((name) => name.startsWith('plan-'))!;
  const text = readFileSync(join(cwd, 'r', plan), 'utf8');
  for (const wrong of [text.slice(0, 30), '{"schema":"poundlock/plan@1","kind":"sweep"}', '7']) {
    writeFileSync(join(cwd, 'r', plan), wrong);
    const { code, stderr } = await poundlock(cwd, ['merge', 'r']);
    assert.equal(code, 2);
    assert.equal(stderr, `poundlock: r/${plan}: was changed or cut: run its command again\n`);
  }
});

test('parts of different sweeps are not merged', async (t) => {
  const cwd = folder(t, RING_FILES);
  const rest = ['--verb', 'simulate', '--workers', '1', '--results'];
  await poundlock(cwd, ['sweep', 'ring.ts', '--over', 'stages=1,2', ...rest, 'a']);
  await poundlock(cwd, ['sweep', 'ring.ts', '--over', 'stages=1,3', ...rest, 'b']);
  const { code, stderr } = await poundlock(cwd, ['merge', 'a', 'b']);
  assert.equal(code, 2);
  assert.match(stderr, /parts of 2 commands/);
});

test('a row that is wrong is not on the front, and decides the exit code', async (t) => {
  const cwd = folder(t, RING_FILES);
  const args = ['sweep', 'ring.ts', '--over', 'broken=false,true', '--workers', '1', '--json'];
  const { code, stdout } = await poundlock(cwd, args);
  assert.equal(code, 1, 'a deadlock is a counterexample of every verb');
  const { rows } = JSON.parse(stdout);
  assert.deepEqual(
    rows.map((row: { check: { verdict: string }; isFront: boolean }) => [
      row.check.verdict,
      row.isFront,
    ]),
    [
      ['certified', true],
      ['counterexample', false],
    ],
  );
  const checked = await poundlock(cwd, [...args.slice(0, -1), '--verb', 'check']);
  assert.equal(checked.code, 1);
});

test('a sweep of a kernel as built advises what can be deleted at each size', async (t) => {
  const example = (name: string) =>
    readFileSync(new URL(`../../../../../examples/ptx/${name}`, import.meta.url), 'utf8');
  const cwd = folder(t, {
    'tile-sum.sm90a.ptx': example('tile-sum.sm90a.ptx'),
    'launch.json': example('launch.json'),
  });
  const sweep = ['sweep', 'tile-sum.sm90a.ptx', '--over', 'tiles=2,5', '--workers', '1'];
  const args = [...sweep, '--verb', 'advise,simulate', '--results', 'r', '--csv', 'a.csv'];
  const { code, stdout } = await poundlock(cwd, args);
  assert.equal(code, 0, stdout);
  const [, two, five] = readFileSync(join(cwd, 'a.csv'), 'utf8').split('\n');
  // With as many tiles as stages no stage is used again.
  assert.match(two!, /"delete mbarrier\.try_wait [^"]*, mbarrier\.arrive [^"]*",1\.\d+/);
  assert.doesNotMatch(five!, /delete/);
  const again = await poundlock(cwd, args);
  assert.equal(again.stderr, '4 results already there\n');
  assert.equal(again.stdout, stdout);
});

test('--dry-run says how many jobs there are, and keeps what it tried', async (t) => {
  const cwd = folder(t, RING_FILES);
  const args = [...SWEEP, '--dry-run', '--results', 'r'];
  const { code, stdout } = await poundlock(cwd, args);
  assert.equal(code, 0);
  assert.match(stdout, /^6 sets of parameters, check, simulate: 12 jobs\nabout .* with 1 worker/);
  assert.equal(resultsIn(cwd, 'r').length, 8);
});

test('mistakes are one line, before anything runs', async (t) => {
  const cwd = folder(t, RING_FILES);
  const wrong = async (...args: string[]) => {
    const { code, stderr } = await poundlock(cwd, ['sweep', 'ring.ts', ...args]);
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(await wrong(), /--over NAME=a\.\.b says what/);
  assert.match(await wrong('--over', 'stage=1..2'), /stages/);
  assert.match(await wrong('--over', 'stages=2..1'), /^poundlock: --over stages=2\.\.1 has no/);
  assert.match(await wrong('--over', 'stages=1,2', '--verb', 'run'), /--verb takes check, sim/);
  assert.match(await wrong('--over', 'stages=1,2', '--shard', '3/2'), /--shard must be i\/n/);
  assert.match(await wrong('--over', 'stages=1,2', '--shard', '1/2'), /needs --results/);
  assert.match(await wrong('--over', 'stages=1,2', '--per', 'tile'), /tile/);
});
