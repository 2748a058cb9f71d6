// Knowledge as bits is knowledge as sets of events, however bits are shared and swept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Knowledge } from '#src/check/certify/knowledge';
import { SEED } from '../../fuzz/runs.ts';

const ROLES = 3;
const ROWS = 6;
const LISTS = 4;

/** The same with an object per event, and nothing that is ever forgotten. */
class Naive {
  readonly rows = Array.from({ length: ROWS }, () => new Set<object>());
  readonly lists = Array.from({ length: LISTS }, () => new Set<object>());

  put(list: number, role: number): void {
    const event = {};
    this.rows[role]!.add(event);
    this.lists[list]!.add(event);
  }

  join(to: number, from: number): void {
    for (const event of this.rows[from]!) this.rows[to]!.add(event);
  }

  knows(row: number, list: number): boolean {
    return [...this.lists[list]!].every((event) => this.rows[row]!.has(event));
  }
}

const row = fc.nat(ROWS - 1);
const role = fc.nat(ROLES - 1);
const list = fc.nat(LISTS - 1);
const action = fc.oneof(
  { arbitrary: fc.tuple(fc.constant('put' as const), list, role), weight: 4 },
  { arbitrary: fc.tuple(fc.constant('join' as const), row, row), weight: 4 },
  { arbitrary: fc.tuple(fc.constant('clearRow' as const), row, row), weight: 1 },
  { arbitrary: fc.tuple(fc.constant('clearList' as const), list, list), weight: 2 },
);

test('bits know what sets know', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  fc.assert(
    fc.property(fc.array(action, { maxLength: 400 }), (actions) => {
      const naive = new Naive();
      const know = new Knowledge(ROLES);
      while (know.sets < ROWS) know.addRow();
      const lists = Array.from({ length: LISTS }, () => know.addList());
      for (const [what, one, other] of actions) {
        if (what === 'put') {
          naive.put(one, other);
          know.event(other);
          know.put(lists[one]!, other);
        } else if (what === 'join') {
          naive.join(one, other);
          know.join(one, other);
        } else if (what === 'clearList') {
          naive.lists[one]!.clear();
          know.clear(lists[one]!);
        } else if (one >= ROLES) {
          // What a role knows is never forgotten.
          naive.rows[one]!.clear();
          know.clear(one);
        }
        for (let list = 0; list < LISTS; list++) {
          for (let asker = 0; asker < ROLES; asker++) {
            assert.equal(know.knows(asker, lists[list]!), naive.knows(asker, list));
          }
        }
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('events that all roles know take no room', () => {
  const know = new Knowledge(2);
  const news = know.addList();
  for (let round = 0; round < 10_000; round++) {
    const from = round % 2;
    know.event(from);
    know.put(news, from);
    know.join(1 - from, from);
  }
  assert.equal(know.words, 1);
});
