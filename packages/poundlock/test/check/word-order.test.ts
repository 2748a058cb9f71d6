// A word whose writes have an order that is not proved: which results rest on that order.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordOutOfOrder } from '#src/check/word-order';
import type {
  CheckResult,
  EngineName,
  Finding,
  Standing,
  TraceStep,
} from '@poundlock/core/internal/finding';
import type { KernelReference, OrderedWord } from '@poundlock/core/internal/program';

/** A lock that one block takes and releases: it is free before and after. */
const LOCK: OrderedWord = {
  name: 'lock',
  arrivals: 1,
  writers: [
    { role: 'cta0', count: 1 },
    { role: 'cta0', count: 1 },
  ],
  free: [0, 2],
  open: { text: 'the order of lock is not proved' },
};

describe('an order of writes that is not proved', () => {
  it('is open where a role waits for a lock that is free', () => {
    assert.equal(openIn(deadlock(['lock'])), LOCK);
  });

  it('is not open where a role waits for another word whose name has that of the lock in it', () => {
    assert.equal(openIn(deadlock(['lock2'])), null);
  });

  it('does not depend on the words of a finding', () => {
    const { standing = [], ...finding } = deadlock(['other']);
    const worded = standing.map((one) => ({ ...one, text: 'waits beside lock' }));
    assert.equal(openIn({ ...finding, standing: worded }), null);
  });

  it('is open where the schedule has other writers', () => {
    const [first, second] = deadlock([]).trace!;
    const trace = [{ ...first!, agent: 'cta1' }, second!];
    assert.equal(openIn({ ...deadlock([]), trace }), LOCK);
  });

  it('is open in each certificate of a search, and in none of happens-before', () => {
    const certified = (engine: EngineName): CheckResult => ({
      ...resultOf([]),
      verdict: 'certified',
      stats: { ...resultOf([]).stats, engine },
    });
    assert.equal(wordOutOfOrder(certified('search'), REFERENCE), LOCK);
    assert.equal(wordOutOfOrder(certified('certify'), REFERENCE), null);
  });
});

const REFERENCE: KernelReference = {
  undecided: null,
  faults: [],
  assumptions: [],
  possible: [],
  coverage: null,
  words: [LOCK],
};

function openIn(finding: Finding): OrderedWord | null {
  return wordOutOfOrder(resultOf([finding]), REFERENCE);
}

function resultOf(findings: readonly Finding[]): CheckResult {
  return {
    kernel: 'locked',
    params: {},
    verdict: 'counterexample',
    scope: { params: {}, every: [], assumptions: [], sizes: [] },
    findings,
    stats: { engine: 'search', events: 0, states: 1, transitions: 0, elapsedMs: 0 },
  };
}

/** Both writes of the lock have the order of the run; then one role waits. */
function deadlock(barriers: readonly string[]): Finding {
  const primary = { file: 'locked.ts', line: 1, column: 1, text: 'it waits here' };
  const waits: Standing = {
    agent: 'cta1',
    kind: 'role',
    state: 'starves',
    barriers,
    text: `waits for ${barriers.join()} phase 1`,
  };
  return {
    rule: 'deadlock',
    severity: 'error',
    message: 'cta1 waits forever',
    primary,
    labels: [],
    notes: [],
    helps: [],
    trace: [write(1), write(2)],
    standing: [waits],
  };
}

function write(phase: number): TraceStep {
  const state = { phase, parity: 0, pending: 1, expected: 2, txBytes: 0 } as const;
  return {
    agent: 'cta0',
    kind: 'role',
    verb: 'arrive',
    text: 'arrive on lock',
    effects: [],
    barriers: [{ name: 'lock', ...state }],
    slots: [],
  };
}
