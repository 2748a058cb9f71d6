import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BUGS } from './bugs.ts';
import { expectGolden, goldensIn, namesIn } from './golden.ts';
import { command } from './in-process.ts';

/** Replays that are kept as well, with the table of their steps: these run as real commands. */
const REPLAYS: readonly string[] = ['early-release', 'lapped-lane', 'one-stage'];

const ruleOf = (stdout: string): string | undefined => /^error\[([\w-]+)\]/.exec(stdout)?.[1];
/** The first finding up to what only one of a check and its replay has. */
const findingOf = (stdout: string): string => stdout.split(/^ +(?:also|trace|replay): /m)[0]!;

suite('broken examples', () => {
  for (const name of namesIn('examples/broken')) {
    const { rule, undo } = BUGS[name] ?? { rule: 'a row in BUGS' };

    const isReal = REPLAYS.includes(name);
    const check = `poundlock check examples/broken/${name}.ts`;

    test(`${name} is found as ${rule}, and again by its replay command`, async () => {
      const { code, stdout, stderr } = await command(check, { isReal });
      assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
      expectGolden(`broken/${name}`, stdout);
      assert.equal(ruleOf(stdout), rule);

      const replay = /^ +replay: (.*)$/m.exec(stdout)?.[1];
      if (replay === undefined)
        return assert.match(rule, /^(loop-captures|nondeterministic-role)$/);
      const again = await command(replay, { isReal });
      assert.equal(again.code, 1);
      assert.equal(findingOf(again.stdout), findingOf(stdout));
      if (isReal) expectGolden(`replay/${name}`, again.stdout);
    });

    if (undo !== undefined) {
      test(`${name} is certified with ${undo}`, async () => {
        const { code, stdout } = await command(`${check} ${undo}`);
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
