import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

const FILES = { 'ring.ts': RING, 'keeper.ts': KEEPER };

interface Result {
  readonly file: string;
  readonly verdict?: string;
  readonly params: Record<string, unknown>;
  readonly error?: string;
}

interface Document {
  readonly results: readonly Result[];
  readonly findings: readonly {
    primary: { file: string };
    replayToken: string;
    replayCommand: string;
  }[];
}

const documentOf = (stdout: string) => JSON.parse(stdout) as Document;

test('a correct kernel is certified, exit 0', async (t) => {
  const { code, stdout, stderr } = await poundlock(folder(t, FILES), ['check', 'ring.ts']);
  assert.match(stdout, /^certified {2}ring \(stages=2, tiles=3, tileBytes=1024, fast=false, /);
  assert.equal(stdout.split('\n').length, 2);
  assert.equal(stderr, '');
  assert.equal(code, 0);
});

test('a broken kernel is a counterexample with its replay, exit 1', async (t) => {
  const { code, stdout } = await poundlock(folder(t, FILES), ['check', 'keeper.ts']);
  assert.match(stdout, /^error\[deadlock\]: /);
  assert.match(stdout, /\n {2,}replay: poundlock check keeper\.ts --replay \w+\n/);
  assert.match(
    stdout,
    /\n\ncounterexample {2}keeper \(stages=1, tiles=2\): deadlock after \d+ steps/,
  );
  assert.equal(code, 1);
});

test('the replay command replays, and names what differs from the defaults', async (t) => {
  const cwd = folder(t, FILES);
  const { stdout } = await poundlock(cwd, [
    'check',
    'keeper.ts',
    '--set',
    'tiles=3',
    '--set',
    'stages=1',
  ]);
  const command = /replay: poundlock (.*)/.exec(stdout)![1]!;
  assert.match(command, /^check keeper\.ts --set tiles=3 --replay \w+$/);
  const replayed = await poundlock(cwd, command.split(' '));
  assert.match(replayed.stdout, /^error\[deadlock\]: /);
  assert.match(replayed.stdout, /\n {3}trace: \d+ steps\n/);
  assert.equal(replayed.code, 1);
});

test('a smaller size with the same finding is shown with its command', async (t) => {
  const cwd = folder(t, FILES);
  const large = ['check', 'keeper.ts', '--set', 'tiles=50'];
  const { stdout } = await poundlock(cwd, large);
  const also = /also: with tiles=2, after (\d+) steps: poundlock (.*)/.exec(stdout)!;
  assert.match(also[2]!, /^check keeper\.ts --set tiles=2 --replay \w+$/);
  const replayed = await poundlock(cwd, also[2]!.split(' '));
  assert.match(replayed.stdout, new RegExp(`: deadlock after ${also[1]} steps `));
  assert.equal(replayed.code, 1);
});

test('smaller sizes are not tried of many results, nor where none are wanted', async (t) => {
  const cwd = folder(t, FILES);
  const check = ['check', 'keeper.ts', '--json'];
  const none = await poundlock(cwd, [...check, '--set', 'tiles=50', '--shrink-tries', '0']);
  assert.doesNotMatch(none.stdout, /"also"/);
  const swept = [...check, '--sweep', 'tiles=40,50'];
  assert.doesNotMatch((await poundlock(cwd, swept)).stdout, /"also"/);
  const shrunk = await poundlock(cwd, [...swept, '--shrink-tries', '8']);
  assert.equal(shrunk.stdout.match(/"also"/g)!.length, 2);
});

test('--replay shows every step, --verbose folds the middle of a long schedule', async (t) => {
  const twice = 'previous = full;\n        if (tile === 20) full.release();';
  const cwd = folder(t, { 'long.ts': KEEPER.replace('previous = full;', twice) });
  const check = ['check', 'long.ts', '--set', 'stages=2', '--set', 'tiles=60'];
  const { stdout } = await poundlock(cwd, [...check, '--verbose']);
  assert.match(stdout, /^error\[double-release\]: /);
  assert.match(stdout, /\n {3}⋮ \d+ more steps: load \d+/);
  const [, token] = /replay: poundlock .* --replay '?([^'\n]+)/.exec(stdout)!;
  const whole = await poundlock(cwd, [...check, '--replay', token!]);
  const steps = Number(/trace: (\d+) steps/.exec(whole.stdout)![1]);
  assert.ok(steps > 60);
  assert.equal(whole.stdout.match(/^ +\d+ +\d+ {2}/gm)!.length, steps);
});

test('--example shows a schedule that ends well', async (t) => {
  const { code, stdout } = await poundlock(folder(t, FILES), ['check', 'ring.ts', '--example']);
  assert.match(stdout, /^example: every role ends after these steps\n {3}trace: \d+ steps\n/);
  assert.match(stdout, /\n {3}replay: poundlock check ring\.ts --replay \w+\n/);
  assert.equal(code, 0);
});

test('--json is one document with files as the user named them', async (t) => {
  const cwd = folder(t, { 'kernels/keeper.ts': KEEPER });
  const { code, stdout } = await poundlock(cwd, ['check', './kernels/keeper.ts', '--json']);
  const { results, findings } = documentOf(stdout);
  const { file, verdict, params } = results[0]!;
  assert.deepEqual(
    [file, verdict, params],
    ['kernels/keeper.ts', 'counterexample', { stages: 1, tiles: 2 }],
  );
  assert.equal(findings[0]!.primary.file, 'kernels/keeper.ts');
  const { replayToken, replayCommand } = findings[0]!;
  const command = `poundlock check kernels/keeper.ts --replay ${replayToken}`;
  assert.equal(replayCommand, command);
  assert.equal(code, 1);
});

test('a link keeps its name', async (t) => {
  const cwd = folder(t, { 'a/keeper.ts': KEEPER });
  symlinkSync(join(cwd, 'a/keeper.ts'), join(cwd, 'link.ts'));
  const { stdout } = await poundlock(cwd, ['check', 'link.ts', '--json']);
  assert.equal(documentOf(stdout).findings[0]!.primary.file, 'link.ts');
});

test('a sweep checks the cross product, the last parameter fastest', async (t) => {
  const argv = ['check', 'ring.ts', '--sweep', 'stages=1..2', '--sweep', 'tiles=1,3', '--json'];
  const { code, stdout } = await poundlock(folder(t, FILES), argv);
  const sizes = documentOf(stdout).results.map(({ params }) => [
    params.stages,
    params.tiles,
    params.twice,
  ]);
  assert.deepEqual(sizes, [
    [1, 1, 2],
    [1, 3, 2],
    [2, 1, 4],
    [2, 3, 4],
  ]);
  assert.equal(code, 0);
});

test('cases are rows; empty cells are the default, unknown columns are ignored', async (t) => {
  const csv = '\uFEFFstages,tile_bytes,measured_us\n1,,12.5\n\n2,2048,\n';
  const cwd = folder(t, { ...FILES, 'sizes.csv': csv });
  const argv = ['check', 'ring.ts', '--cases', 'sizes.csv', '--set', 'tiles=2', '--json'];
  const { results } = documentOf((await poundlock(cwd, argv)).stdout);
  const sizes = results.map(({ params }) => [params.stages, params.tileBytes, params.tiles]);
  assert.deepEqual(sizes, [
    [1, 1024, 2],
    [2, 2048, 2],
  ]);
});

test('what cannot run does not stop the others, and exits 2', async (t) => {
  const argv = ['check', 'gone.ts', 'keeper.ts', 'ring.ts', '--json'];
  const { code, stdout, stderr } = await poundlock(folder(t, FILES), argv);
  assert.equal(stderr, 'poundlock: gone.ts: no such file\n');
  const results = documentOf(stdout).results.map(({ file, verdict, error }) => [
    file,
    verdict ?? error,
  ]);
  assert.deepEqual(results, [
    ['gone.ts', 'no such file'],
    ['keeper.ts', 'counterexample'],
    ['ring.ts', 'certified'],
  ]);
  assert.equal(code, 2);
});

test('a bound that is hit is inconclusive, exit 3, and a counterexample is worse', async (t) => {
  const cwd = folder(t, FILES);
  const bounded = await poundlock(cwd, [
    'check',
    'ring.ts',
    '--engine',
    'search',
    '--max-states',
    '5',
  ]);
  assert.match(bounded.stdout, /^inconclusive {2}ring \(.*--max-states/);
  assert.equal(bounded.code, 3);
  const timed = await poundlock(cwd, [
    'check',
    'ring.ts',
    '--engine',
    'search',
    '--timeout',
    '1ms',
    '--set',
    'tiles=2000',
  ]);
  assert.match(timed.stdout, /^inconclusive {2}ring \(.*--timeout/);
  const both = await poundlock(cwd, [
    'check',
    '--engine',
    'search',
    'ring.ts',
    'keeper.ts',
    '--set',
    'tiles=30',
    '--max-states',
    '40',
  ]);
  assert.equal(both.code, 1);
});

test('reports go to files as a whole', async (t) => {
  const cwd = folder(t, FILES);
  const argv = ['check', 'ring.ts', '--reporter', 'json=out.json', '--reporter', 'terminal'];
  const { stdout } = await poundlock(cwd, argv);
  assert.match(stdout, /^certified /);
  assert.equal(
    documentOf(readFileSync(join(cwd, 'out.json'), 'utf8')).results[0]!.verdict,
    'certified',
  );
  assert.deepEqual(readdirSync(cwd).sort(), ['keeper.ts', 'out.json', 'ring.ts']);
});

test('colors follow FORCE_COLOR, NO_COLOR and the terminal', async (t) => {
  const cwd = folder(t, FILES);
  const colored = async (env: Record<string, string>, isTerminal: boolean) => {
    let text = '';
    const stdout = { write: (part: string) => void (text += part), isTerminal, columns: 80 };
    await poundlock(cwd, ['check', 'ring.ts'], { env, stdout });
    return text.includes('\u001b[');
  };
  assert.equal(await colored({}, true), true);
  assert.equal(await colored({}, false), false);
  assert.equal(await colored({ NO_COLOR: '1' }, true), false);
  assert.equal(await colored({ TERM: 'dumb' }, true), false);
  assert.equal(await colored({ FORCE_COLOR: '1', NO_COLOR: '1' }, false), true);
  assert.equal(await colored({ FORCE_COLOR: '0' }, true), false);
});

test('an interrupt prints what is known, exit 3', async (t) => {
  const cwd = folder(t, FILES);
  let interrupt = () => undefined as void;
  const onInterrupt = (callback: () => void) => {
    interrupt = callback;
    return () => undefined;
  };
  const pause = async () => interrupt();
  const argv = ['check', 'ring.ts', 'keeper.ts', '--engine', 'search', '--set', 'tiles=4000'];
  const { code, stdout } = await poundlock(cwd, argv, { onInterrupt, pause });
  assert.match(
    stdout,
    /^inconclusive {2}ring .*: interrupted before every interleaving was checked/,
  );
  assert.match(stdout, /\n1 result: 1 inconclusive, 1 not checked\n$/);
  assert.equal(code, 3);
});

test('an interrupt is seen between small checks', async (t) => {
  let interrupt = () => undefined as void;
  const onInterrupt = (callback: () => void) => {
    interrupt = callback;
    return () => undefined;
  };
  const argv = ['check', 'ring.ts', '--sweep', 'tiles=1..9', '--json'];
  const pause = async () => interrupt();
  const { code, stdout } = await poundlock(folder(t, FILES), argv, { onInterrupt, pause });
  const { results, skipped } = JSON.parse(stdout) as { results: unknown[]; skipped: number };
  assert.deepEqual([results.length, skipped, code], [1, 8, 3]);
});

test('progress is shown on a terminal only, and removed', async (t) => {
  const cwd = folder(t, FILES);
  const stderr = (isTerminal: boolean) => {
    const output = {
      text: '',
      write: (part: string) => void (output.text += part),
      isTerminal,
      columns: 60,
    };
    return output;
  };
  let time = 0;
  const now = () => (time += 500);
  const argv = ['check', 'ring.ts', '--engine', 'search', '--set', 'tiles=4000'];
  const terminal = stderr(true);
  await poundlock(cwd, argv, { stderr: terminal, now });
  assert.match(terminal.text, /checking ring \(stages=2, /);
  assert.ok(terminal.text.endsWith('\r\u001b[2K'));
  const pipe = stderr(false);
  await poundlock(cwd, argv, { stderr: pipe, now });
  assert.equal(pipe.text, '');
});

test('a glob that no shell expanded names its files in order', async (t) => {
  const cwd = folder(t, FILES);
  const { stdout, code } = await poundlock(cwd, ['check', '*.ts', '--json']);
  const files = documentOf(stdout).results.map(({ file }) => file);
  assert.deepEqual(files, ['keeper.ts', 'ring.ts']);
  assert.equal(code, 1);
  const none = await poundlock(cwd, ['check', '*.mts']);
  assert.equal(none.stderr, 'poundlock: *.mts: no such file\n');
  assert.equal(none.code, 2);
});
