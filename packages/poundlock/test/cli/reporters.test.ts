// Every reporter on real runs of examples: that the parts are there, not how they read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Log } from 'sarif';
import type { ReportVerb } from '../../../core/src/finding/index.ts';
import { REPORTER_NAMES, type ReporterName } from '#src/report/index';
import { reportFaults } from '../report/report-schema.ts';
import { sarifFaults } from '../report/sarif-schema.ts';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const BROKEN = 'examples/broken/one-stage.ts';
const CORRECT = 'examples/hand-over-hand.ts';

const reported = (name: string, ...argv: string[]) =>
  poundlock(ROOT, ['check', ...argv, '--reporter', name]);

test('the SARIF log of a real run is valid and points into the source', async () => {
  const { code, stdout } = await reported('sarif', BROKEN, CORRECT);
  assert.equal(code, 1);
  const log = JSON.parse(stdout) as Log;
  assert.deepEqual(sarifFaults(log), []);
  const { results, properties } = log.runs[0]!;
  assert.deepEqual(
    (properties!['results'] as { file: string; verdict: string }[]).map((one) => one.verdict),
    ['counterexample', 'certified'],
  );
  const [result] = results!;
  assert.equal(result!.ruleId, 'deadlock');
  const lines = readFileSync(join(ROOT, BROKEN), 'utf8').split('\n');
  const steps = result!.codeFlows![0]!.threadFlows[0]!.locations.map((step) => step.location!);
  assert.ok(steps.length >= 5);
  for (const { physicalLocation } of [
    ...result!.locations!,
    ...result!.relatedLocations!,
    ...steps,
  ]) {
    assert.equal(physicalLocation!.artifactLocation!.uri, BROKEN);
    const { startLine, startColumn } = physicalLocation!.region!;
    assert.match(lines[startLine! - 1]!.slice(startColumn! - 1), /^\w/);
  }
});

test('the annotations of a real run are at its lines', async () => {
  const { stdout } = await reported('github', BROKEN, CORRECT);
  const [first, ...rest] = stdout.split('\n');
  assert.match(first!, /^::error file=examples\/broken\/one-stage\.ts,line=\d+,col=\d+,title=dead/);
  assert.equal(rest.filter((line) => line.startsWith('::')).length, 0);
  assert.deepEqual(rest.slice(-2), ['2 results: 1 certified, 1 counterexample', '']);
});

test('the Markdown of a real run has a table, the source, and the replay', async () => {
  const { stdout } = await reported('markdown', BROKEN, CORRECT);
  assert.match(stdout, /\n\| examples\/hand-over-hand\.ts \| certified \| {2}\| [\d,]+ \|\n/);
  assert.match(stdout, /\n### error\\\[deadlock\\\]: .*\n/);
  assert.match(stdout, /\n14 │ {3}using slot = yield\* ab\.produce\(\);\n/);
  assert.match(stdout, /\n```sh\npoundlock check \S+ --replay \w+\n```\n/);
  assert.match(stdout, /\n<summary>trace: \d+ steps<\/summary>\n/);
});

test('all reporters can be asked for at once', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING, 'keeper.ts': KEEPER });
  const targets = REPORTER_NAMES.flatMap((name) => ['--reporter', `${name}=out.${name}`]);
  const { code, stdout } = await poundlock(cwd, ['check', 'ring.ts', 'keeper.ts', ...targets]);
  assert.deepEqual([code, stdout], [1, '']);
  for (const name of REPORTER_NAMES) {
    const text = readFileSync(join(cwd, `out.${name}`), 'utf8');
    assert.match(text, /keeper\.ts/, name);
    assert.ok(text.endsWith('\n') && !text.includes('\u001b'), name);
  }
});

test('a document contains the picture of the same command', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER, 'pages/ring.ts': RING });
  const targets = ['--reporter', 'markdown=pages/out.md', '--reporter', 'svg=a picture.svg'];
  await poundlock(cwd, ['check', 'keeper.ts', ...targets]);
  const text = readFileSync(join(cwd, 'pages', 'out.md'), 'utf8');
  assert.match(text, /\n!\[[^\]]+\]\(<\.\.\/a%20picture\.svg>\)\n/);
  assert.match(readFileSync(join(cwd, 'a picture.svg'), 'utf8'), /^<svg /);
});

const COMMANDS: Readonly<Record<ReportVerb, readonly string[]>> = {
  check: ['keeper.ts'],
  simulate: ['ring.ts', '--sweep', 'stages=1..3'],
  advise: ['ring.ts'],
  run: ['ring.ts', '--conform'],
  lint: ['ring.ts', '--no-cache'],
};

for (const [verb, argv] of Object.entries(COMMANDS)) {
  test(`every reporter renders ${verb}, and the documents are valid`, async (t) => {
    const cwd = folder(t, { 'ring.ts': RING, 'keeper.ts': KEEPER });
    const targets = REPORTER_NAMES.flatMap((name) => ['--reporter', `${name}=out.${name}`]);
    const { code, stdout, stderr } = await poundlock(cwd, [verb, ...argv, ...targets]);
    assert.deepEqual([code, stdout, stderr], [verb === 'check' ? 1 : 0, '', '']);
    const read = (name: ReporterName) => readFileSync(join(cwd, `out.${name}`), 'utf8');
    for (const name of REPORTER_NAMES) assert.ok(read(name).endsWith('\n'), name);
    assert.deepEqual(reportFaults(JSON.parse(read('json'))), []);
    assert.deepEqual(sarifFaults(JSON.parse(read('sarif'))), []);
  });

  test(`the help of ${verb} names every reporter`, async (t) => {
    const { stdout } = await poundlock(folder(t), [verb, '--help']);
    assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(REPORTER_NAMES.join(', ')), stdout);
  });
}

for (const verb of ['check', 'simulate', 'advise', 'run']) {
  test(`a file that ${verb} can not load is a line on stderr, and in the document`, async (t) => {
    const { code, stdout, stderr } = await poundlock(folder(t), [verb, 'gone.ts', '--json']);
    assert.deepEqual([code, stderr], [2, 'poundlock: gone.ts: no such file\n']);
    const document = JSON.parse(stdout) as { results: unknown[] };
    assert.deepEqual(document.results, [{ verb, file: 'gone.ts', error: 'no such file' }]);
    assert.deepEqual(reportFaults(document), []);
  });
}

test('what cannot run has its place', async (t) => {
  const text = RING.replace('return [', 'stages.x.y();\n    return [');
  const cwd = folder(t, { 'k.ts': text });
  const { stdout } = await poundlock(cwd, ['check', 'k.ts', '--reporter', 'github']);
  const line = text.slice(0, text.indexOf('stages.x')).split('\n').length;
  assert.ok(stdout.startsWith(`::error file=k.ts,line=${line},col=`), stdout);
  const json = await poundlock(cwd, ['check', 'k.ts', '--json']);
  const { results } = JSON.parse(json.stdout) as {
    results: { at: { file: string; line: number } }[];
  };
  const [{ at } = assert.fail()] = results;
  assert.deepEqual([at.file, at.line], ['k.ts', line]);
});

test('--color decides before the environment, and files have no colors', async (t) => {
  const escape = '\u001b[';
  const cwd = folder(t, { 'ring.ts': RING });
  const colored = async (env: Record<string, string>, ...argv: string[]) =>
    (await poundlock(cwd, ['check', 'ring.ts', ...argv], { env })).stdout.includes(escape);
  assert.equal(await colored({}), false);
  assert.equal(await colored({}, '--color', 'always'), true);
  assert.equal(await colored({ NO_COLOR: '1' }, '--color=always'), true);
  assert.equal(await colored({ FORCE_COLOR: '1' }), true);
  assert.equal(await colored({ FORCE_COLOR: '1' }, '--no-color'), false);
  assert.equal(await colored({ FORCE_COLOR: '1' }, '--color', 'never'), false);
  await poundlock(cwd, ['check', 'ring.ts', '--color', 'always', '--reporter', 'terminal=out.txt']);
  assert.ok(!readFileSync(join(cwd, 'out.txt'), 'utf8').includes(escape));
  const { stdout } = await poundlock(ROOT, ['explain', 'deadlock', '--color', 'always']);
  assert.ok(stdout.includes(escape));
});
