// Copies of one line of the source in the review of synchronizing instructions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Necessity, SynchronizationAdvice } from '@poundlock/core/internal/finding';
import { entriesOf, stayingCopies } from '#src/report/folded-advice';
import { HEADINGS, placeText, remarksOfEntry } from '#src/report/synchronization';

function advice(line: number, ptxLine: number, verdict: Necessity, why: string | null = null) {
  const place = { opcode: 'bar.sync', file: 'kernel.cu', line, column: 3, ptxLine, ptxColumn: 2 };
  const isFree = verdict === 'unnecessary';
  return {
    ...place,
    does: 'barrier',
    partners: [],
    unreached: [],
    verdict,
    change: isFree ? 'delete' : null,
    executions: 2,
    cycles: 40,
    gain: isFree ? { cycles: 20, least: 20, most: 20 } : null,
    rule: null,
    why,
    instead: [],
  } satisfies SynchronizationAdvice;
}

test('copies of a line with the same answer are one entry', () => {
  const entries = entriesOf([
    advice(7, 30, 'unnecessary'),
    advice(7, 50, 'unnecessary'),
    advice(9, 40, 'necessary', 'a race'),
  ]);
  assert.deepEqual(
    entries.map(({ answer, executions, cycles, gain }) => [answer, executions, cycles, gain]),
    [
      // Gains of several do not add up.
      ['unnecessary', 4, 80, null],
      ['necessary', 2, 40, null],
    ],
  );
  assert.equal(placeText(entries[0]!), 'kernel.cu:7:3 (PTX lines 30, 50)');
});

test('what is free in some copies of a line is nothing to delete from the source', () => {
  for (const other of ['necessary', 'undecided', 'practice', 'alternative'] as const) {
    const all = [advice(7, 30, 'unnecessary'), advice(7, 50, other), advice(7, 70, other)];
    const [entry] = entriesOf(all);
    assert.equal(entry?.answer, 'copies');
    assert.deepEqual(
      stayingCopies(all[0]!, all).map(({ ptxLine }) => ptxLine),
      [50, 70],
    );
    assert.match(remarksOfEntry(entry, all).join(), /has to stay in PTX lines 50, 70/);
  }
  // Of copies that no size reached nothing is known, and a remark says so.
  const [entry] = entriesOf([advice(7, 30, 'unnecessary'), advice(7, 50, 'unreached')]);
  assert.equal(entry?.answer, 'unnecessary');
});

test('reasons of copies are listed once, and no more than a few', () => {
  const all = [1, 1, 2, 3, 4, 5, 6].map((reason, at) =>
    advice(7, 30 + at, 'necessary', `reason ${reason}`),
  );
  const [entry] = entriesOf(all);
  const remarks = remarksOfEntry(entry!, all);
  assert.equal(remarks[0], 'reason 1');
  assert.equal(remarks.at(-1), '… and 3 more reasons');
});

test('every answer has a heading', () => {
  const answers: ReadonlySet<string> = new Set(HEADINGS.map(([answer]) => answer));
  for (const answer of ['unnecessary', 'copies', 'weaker', 'alternative', 'practice'])
    assert.ok(answers.has(answer));
});
