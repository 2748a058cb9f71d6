import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expectGolden, goldensIn, namesIn, shell } from './golden.ts';

interface Bug {
  /** The rule that the first finding must have. */
  readonly rule: string;
  /** Parameters with which the same text has no bug, where they can undo it. */
  readonly undo?: string;
}

const BUGS: Readonly<Record<string, Bug>> = {
  'adopted-twice': { rule: 'double-release' },
  'count-too-small': { rule: 'race', undo: '--set consumers=2' },
  'divergent-exit': { rule: 'divergent-exit', undo: '--set tiles=2' },
  'divergent-step': { rule: 'divergent-step', undo: '--set steppingLanes=32' },
  'double-acquire': { rule: 'double-acquire' },
  'double-release': { rule: 'double-release' },
  'early-release': { rule: 'race' },
  'every-lane-arrives': { rule: 'false-block', undo: '--set consumers=32' },
  'expect-too-large': { rule: 'deadlock' },
  'expect-too-small': { rule: 'tx-mismatch' },
  'forgotten-handle': { rule: 'leaked-stage' },
  'forked-pipeline': { rule: 'forked-pipeline' },
  'kept-stage': { rule: 'child-outlives-parent' },
  'lapped-lane': { rule: 'false-block' },
  'late-expect': { rule: 'tx-mismatch' },
  'late-init': { rule: 'uninitialised-barrier', undo: '--set synced=true' },
  'loop-captures': { rule: 'loop-captures' },
  'missing-drain': { rule: 'missing-drain' },
  'missing-expect': { rule: 'deadlock' },
  'missing-release': { rule: 'stepped-without-signal' },
  'multicast-commit': { rule: 'missing-drain', undo: '--set drains=true' },
  'named-barrier-count': { rule: 'named-barrier-mismatch', undo: '--set threads=160' },
  'nondeterministic-role': { rule: 'nondeterministic-role' },
  'one-end-mark': { rule: 'deadlock', undo: '--set marks=2' },
  'one-stage': { rule: 'deadlock', undo: '--set stages=2' },
  'one-way-barrier': { rule: 'false-block', undo: '--set tiles=1' },
  'over-arrival': { rule: 'over-arrival' },
  'raii-too-early': { rule: 'race' },
  'release-order': { rule: 'release-order' },
  'silent-producer': { rule: 'stepped-without-signal' },
  'stale-token': { rule: 'stale-try-token' },
  'ticket-alias': { rule: 'false-pass', undo: '--set stages=2' },
  'tmem-freed-early': { rule: 'tmem-use-after-free' },
  'uninitialised-barrier': { rule: 'uninitialised-barrier' },
  'use-after-release': { rule: 'use-after-release' },
  'wrong-count': { rule: 'deadlock', undo: '--set consumers=1' },
  'wrong-start-phase': { rule: 'deadlock', undo: '--set start=1' },
};
/** Replays that are kept as well, with the table of their steps. */
const REPLAYS: readonly string[] = ['early-release', 'lapped-lane', 'one-stage'];

const ruleOf = (stdout: string): string | undefined => /^error\[([\w-]+)\]/.exec(stdout)?.[1];
/** The first finding up to what only one of a check and its replay has. */
const findingOf = (stdout: string): string => stdout.split(/^ +(?:also|trace|replay): /m)[0]!;

suite('broken examples', { concurrency: 4 }, () => {
  for (const name of namesIn('examples/broken')) {
    const { rule, undo } = BUGS[name] ?? { rule: 'a row in BUGS' };

    test(`${name} is found as ${rule}, and again by its replay command`, async () => {
      const { code, stdout, stderr } = await shell(`poundlock check examples/broken/${name}.ts`);
      assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
      expectGolden(`broken/${name}`, stdout);
      assert.equal(ruleOf(stdout), rule);

      const command = /^ +replay: (.*)$/m.exec(stdout)?.[1];
      if (command === undefined)
        return assert.match(rule, /^(loop-captures|nondeterministic-role)$/);
      const again = await shell(command);
      assert.equal(again.code, 1);
      assert.equal(findingOf(again.stdout), findingOf(stdout));
      if (REPLAYS.includes(name)) expectGolden(`replay/${name}`, again.stdout);
    });

    if (undo !== undefined) {
      test(`${name} is certified with ${undo}`, async () => {
        const { code, stdout } = await shell(`poundlock check examples/broken/${name}.ts ${undo}`);
        assert.match(stdout, /^certified {2}/);
        assert.equal(code, 0);
      });
    }
  }
});

test('every broken example has its rule and its golden file, and no golden is left over', () => {
  assert.deepEqual(Object.keys(BUGS), namesIn('examples/broken'));
  assert.deepEqual(goldensIn('broken'), namesIn('examples/broken'));
  assert.deepEqual(goldensIn('replay'), REPLAYS);
});
