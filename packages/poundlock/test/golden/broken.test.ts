import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BUGS } from './bugs.ts';
import { expectGolden, goldensIn, namesIn, shell } from './golden.ts';

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
