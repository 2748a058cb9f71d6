import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

/** A role whose work fails in the second tile. */
const FAILS = `import { compute, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('fails', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 64 });
  return [
    role('load', function* () {
      for (let tile = 0; tile < 2; tile++) {
        using slot = yield* ab.produce();
        yield* compute(1, () => {
          if (tile === 1) throw new Error('the disk is full');
        });
        tma.load(slot);
      }
    }),
    role('use', function* () {
      for (let tile = 0; tile < 2; tile++) {
        using _full = yield* ab.consume();
      }
    }),
  ];
});
`;

test('a kernel runs, and what it did is a path of the machine', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const { code, stdout, stderr } = await poundlock(cwd, ['run', 'ring.ts', '--conform']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(stdout, /^ran {2}ring \(stages=2, .*\): 3 items in [\d.]+ m?s, [\d,]+ a second · /);
  assert.match(
    stdout,
    /the trace conforms to the model; this trace is safe in any order, other runs are not proved\n$/,
  );
});

test('--json prints one document', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const argv = ['run', 'ring.ts', '--json', '--set', 'tiles=7', '--policy', 'wait'];
  const { code, stdout } = await poundlock(cwd, argv);
  const { schema, results, findings } = JSON.parse(stdout) as {
    schema: string;
    results: Record<string, number>[];
    findings: unknown[];
  };
  const { elapsedMs, itemsPerSecond, params, ...rest } = results[0]!;
  assert.deepEqual([code, schema, findings], [0, 'poundlock/report@1', []]);
  assert.ok(elapsedMs! > 0 && itemsPerSecond! > 0);
  assert.equal((params as unknown as { tiles: number }).tiles, 7);
  const verdicts = { conforms: true, certified: null };
  assert.deepEqual(rest, { verb: 'run', file: 'ring.ts', kernel: 'ring', items: 7, ...verdicts });
});

test('a hang is a finding with each role’s line and the command that replays it', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER });
  const { code, stdout } = await poundlock(cwd, ['run', 'keeper.ts']);
  assert.equal(code, 1);
  assert.match(stdout, /^error\[deadlock\]: load and mma .*\bab\.empty\[0\]/);
  assert.match(stdout, /\^ load .*\bab\.empty\[0\]/);
  assert.match(stdout, /replay: poundlock check keeper\.ts --replay \w+\n/);
  const [, token = ''] = /--replay (\w+)/.exec(stdout) ?? [];
  const again = await poundlock(cwd, ['check', 'keeper.ts', '--replay', token]);
  assert.match(again.stdout, /^error\[deadlock\]: load and mma /);
});

test('a role that throws is one line with its place, and exit 2', async (t) => {
  const cwd = folder(t, { 'fails.ts': FAILS });
  const { code, stdout, stderr } = await poundlock(cwd, ['run', 'fails.ts']);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  const line = /^poundlock: fails\.ts:10:33: role load failed while it held stage 0 of ab: /;
  assert.match(stderr, line);
  assert.match(stderr, /the disk is full; tiles before the failure: ab 2 started, 1 taken\n$/);
});

for (const [what, argv, line] of [
  ['a missing file', ['gone.ts'], /^poundlock: gone\.ts: no such file$/],
  ['a kernel as built', ['kernel.ptx'], /^poundlock: kernel\.ptx: PTX runs on its GPU: run takes/],
  ['another policy', ['ring.ts', '--policy', 'hope'], /'hope' is invalid\. Allowed choices are/],
  ['a bad time', ['ring.ts', '--timeout', 'soon'], /^poundlock: --timeout must be a time like 30/],
  ['no such parameter', ['ring.ts', '--set', 'stage=1'], /has no parameter stage: did you mean/],
] as const) {
  test(`${what} is one line and exit 2`, async (t) => {
    const cwd = folder(t, { 'ring.ts': RING });
    const { code, stdout, stderr } = await poundlock(cwd, ['run', ...argv]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr.trimEnd(), line);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  });
}
