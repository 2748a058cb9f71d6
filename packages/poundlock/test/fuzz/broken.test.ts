// tier: deep
// A checker with a wrong rule: random programs show it, each with a smallest program.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { lookAt, runChunk } from '@poundlock/fuzz';
import type { DullProgram } from '@poundlock/fuzz/internal/order';
import { Machine } from '../../../core/src/machine/index.ts';
import { checker } from './checker.ts';

const { passes } = Machine.prototype;

suite('a checker with a wrong rule', () => {
  // M07, wrong: a wait passes one phase too early.
  before(() => {
    Machine.prototype.passes = function (words, barrier, phase) {
      const isDone = passes.call(this, words, barrier, phase);
      return isDone || passes.call(this, words, barrier, phase - 1);
    };
  });
  after(() => void (Machine.prototype.passes = passes));

  test('a wait that passes too early is found, on two roles at most', async () => {
    const chunk = { kinds: ['users'], seed: 5, from: 0, to: 10 } as const;
    const { disagreements, tried, decided } = await runChunk(checker, chunk);
    assert.ok(disagreements.length > 0 && tried >= decided);
    Machine.prototype.passes = passes;
    for (const { fault, kind, program, drawn } of disagreements) {
      assert.match(fault, /^check says \w+, the independent search \w+ \(.+\)$/);
      const { roles } = program as DullProgram;
      assert.ok(roles.length <= (drawn.program as DullProgram).roles.length);
      assert.ok(roles.length <= 2, JSON.stringify(program));
      assert.equal(
        JSON.stringify(program).match(/"do":/g)!.length <= 2,
        true,
        JSON.stringify(program),
      );
      // Nothing is wrong with the program but that rule.
      assert.equal((await lookAt(checker, kind, program)).fault, '');
    }
  });
});
