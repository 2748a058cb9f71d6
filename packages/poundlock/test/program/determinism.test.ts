// Rule P09: a role is a function of its answers, and that is checked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { arrive, barrier, count, end, kernel, loop, role, waitParity } from 'poundlock';
import { rulesOf } from '../kernels.ts';

test('P09: a role that changes from run to run is found, with both places', async () => {
  let runs = 0;
  const moody = kernel('moody', {}, () => {
    const [one, two] = [barrier('one'), barrier('two')];
    return [
      role('r', function* () {
        if (runs++ % 2 === 0) arrive(one);
        else arrive(two);
      }),
    ];
  });
  const { findings } = await check(moody);
  assert.equal(findings[0]?.rule, 'nondeterministic-role');
  const lines = [findings[0].primary.line, ...findings[0].labels.map((label) => label.line)];
  assert.equal(lines.length, 2);
  assert.equal(Math.abs(lines[0]! - lines[1]!), 1);
});

test('P06, P09: a round that changes a captured variable is found', async () => {
  const capturing = kernel('capturing', {}, () => {
    const items = count(4);
    const steps = [barrier('even', { count: 2 }), barrier('odd', { count: 2 })];
    return [
      role('r', function* () {
        let turn = 0;
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          arrive(steps[turn % 2]!);
          turn++;
          return null;
        });
      }),
    ];
  });
  assert.deepEqual(await rulesOf(capturing), ['loop-captures']);
});

test('roles that share only operations are deterministic', async () => {
  const calm = kernel('calm', {}, () => {
    const full = barrier('full');
    return [
      role('a', function* () {
        arrive(full);
      }),
      role('b', function* () {
        yield* waitParity(full, 0);
      }),
    ];
  });
  assert.deepEqual(await rulesOf(calm), []);
});
