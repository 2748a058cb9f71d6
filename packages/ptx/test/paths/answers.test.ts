// All answers in turn, and loops that end in every sample.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Decisions } from '#src/exec/machine/decisions';
import type { Answers } from '#src/steps/decision';
import { parsePtx } from '#src/text/parse';
import { FIRST, beginning, next, samples } from '#src/paths/answers';
import { Cause } from '#src/values/origin';
import { kernelText } from '../kernel-text.ts';

const CODE = parsePtx(
  kernelText(
    '.reg .pred %p<2>;',
    'LOOP: bar.sync 0; @%p0 bra LOOP; @%p1 bra END; bar.sync 0; END: ret;',
  ),
).functions.get('kernel')!;
const LOOP = 1;
const CHOICE = 2;
const DATA = { bits: Cause.data, sources: [] };

function decide(answers: Answers, program: (decisions: Decisions) => void): Decisions {
  const decisions = new Decisions(CODE, answers);
  program(decisions);
  return decisions;
}

test('all answers of a program come once each', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(LOOP, CHOICE), { maxLength: 4 }), (questions) => {
      const seen = new Set<string>();
      const program = (decisions: Decisions): void => {
        // A program that asks no further where an answer is no.
        for (const [index, at] of questions.entries())
          if (decisions.of(at, DATA, index, 0) !== true) return;
      };
      let { list } = decide(FIRST, program);
      for (let more = true; more;) {
        const name = list.map(({ isTrue }) => (isTrue ? '1' : '0')).join('');
        assert.ok(!seen.has(name));
        seen.add(name);
        const answers = next(list);
        more = answers !== null;
        if (answers !== null) ({ list } = decide(beginning(answers), program));
      }
      assert.equal(seen.size, questions.length + 1);
    }),
  );
});

test('one term has one answer', () => {
  const decisions = new Decisions(CODE, ({ count }) => count === 0);
  assert.equal(decisions.known(5, 6), undefined);
  assert.equal(decisions.of(CHOICE, DATA, 5, 6), true);
  assert.equal(decisions.of(CHOICE, DATA, 5, 7), false);
  assert.equal(decisions.of(LOOP, DATA, 5, 6), true);
  assert.equal(decisions.known(5, 7), false);
  assert.equal(decisions.list.length, 2);
});

test('nothing is decided without answers', () => {
  assert.equal(new Decisions(CODE, null).of(CHOICE, DATA, 1, 2), undefined);
});

test('a loop ends in every sample, and in some it goes on', () => {
  const rounds = new Set<number>();
  for (const answers of [FIRST, ...samples()]) {
    let count = 0;
    decide(answers, (decisions) => {
      while (decisions.of(LOOP, DATA, count, 0) === true && count < 100) count++;
    });
    assert.ok(count < 10);
    rounds.add(count);
  }
  for (const count of [0, 1, 2, 3, 5, 8]) assert.ok(rounds.has(count));
});
