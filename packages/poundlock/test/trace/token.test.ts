import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { letterAgents, readToken, writeToken } from '#src/trace/index';

test('agents get the first free letter of their names, in order', () => {
  const letters = letterAgents(['load', 'mma'], ['tma', 'mma']).map((agent) => agent.letter);
  assert.deepEqual(letters, ['l', 'm', 't', 'a']);
});

test('more agents than letters are written with their names', () => {
  const names = Array.from({ length: 60 }, (_, index) => `r${index}`);
  const letters = letterAgents(names, []).map((agent) => agent.letter);
  assert.equal(new Set(letters).size, 60);
  assert.equal(letters[59], '[r59]');
});

test('runs are counted and alternatives are numbered', () => {
  const step = (letter: string, option = 0) => ({ letter, option });
  const steps = [step('l'), step('l'), step('t', 1), step('[r59]')];
  assert.equal(writeToken(steps), 'l2t1.1[r59]1');
});

test('a token that was written reads back as the same steps', () => {
  const letter = fc.constantFrom('a', 'b', 'Z', '[load-12]');
  const step = fc.record({ letter, option: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      assert.equal(JSON.stringify(readToken(writeToken(steps))), JSON.stringify(steps));
    }),
  );
});

test('an unreadable token names the place', () => {
  assert.throws(() => readToken('l2?3'), /not readable at character 3: "\?3"/);
  assert.throws(() => readToken('l99999999'), /more than 10000000 steps/);
});
