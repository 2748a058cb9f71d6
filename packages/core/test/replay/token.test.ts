import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { letterAgents, readToken, writeToken } from '#src/replay/index';

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

test('what comes again and again stands in parentheses, with how often', () => {
  const lap = 'lllt'.split('');
  const steps = ['m', ...Array.from({ length: 500 }, () => lap).flat(), 'm', 'm'];
  const token = writeToken(steps.map((letter) => ({ letter, option: 0 })));
  assert.equal(token, 'm1(l3t1)500m2');
  assert.deepEqual(
    readToken('(l1(t1m1)2)2').map(({ letter }) => letter),
    [...'ltmtmltmtm'],
  );
});

test('a token of many laps is short, and reads back as the same steps', () => {
  const letter = fc.constantFrom('a', 'b', 'c');
  const lap = fc.array(fc.record({ letter, option: fc.nat(1) }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(lap, fc.nat(9)), { maxLength: 4 }), (laps) => {
      const steps = laps.flatMap(([one, times]) => Array.from({ length: times }, () => one).flat());
      assert.equal(JSON.stringify(readToken(writeToken(steps))), JSON.stringify(steps));
    }),
  );
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
  assert.throws(() => readToken('l2?3'), /invalid at character 3: "\?3"/);
  assert.throws(() => readToken('l99999999'), /more than 10000000 steps/);
  assert.throws(() => readToken('(l9999)9999'), /more than 10000000 steps/);
  assert.throws(() => readToken('(l2'), /invalid at character 4: ""/);
  assert.throws(() => readToken('l2)3'), /invalid at character 3: "\)3"/);
  assert.throws(() => readToken('(l2)'), /invalid at character 4: "\)"/);
  assert.throws(() => readToken(`${'('.repeat(9)}l1${')1'.repeat(9)}`), /at character 9/);
});
