// tier: deep
// Random programs of every kind, as a run at scale draws them: the verdicts are true.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_KINDS } from '@poundlock/fuzz/internal/order';
import { isDecided } from '@poundlock/fuzz';
import { RUNS, SEED } from './runs.ts';
import { checker } from './checker.ts';

/** Programs of the kinds that have a test of their own: this many of each, to keep them running. */
const FEW = 5;
const OWN_TEST: ReadonlySet<string> = new Set(['users', 'engines', 'captured', 'every']);
/** Of the programs that are run usually, one kind takes this part. */
const PART = { clusters: 10, polls: 8, derived: 25, around: 60, numbers: 12, performed: 3 };

const isPart = (name: string): name is keyof typeof PART => name in PART;

for (const [name, { draw, look, title }] of Object.entries(ORDER_KINDS)) {
  test(`no wrong verdict: ${title}`, async (t) => {
    t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
    assert.ok(isPart(name) !== OWN_TEST.has(name), `${name} needs a part`);
    const many = isPart(name) ? Math.max(FEW, Math.floor(RUNS / PART[name])) : FEW;
    const counted: Record<string, number> = {};
    let decided = 0;
    for (const program of draw(SEED, many)) {
      const looked = await look(checker, program as never);
      counted[looked.verdict] = (counted[looked.verdict] ?? 0) + 1;
      if (isDecided(looked)) decided++;
      assert.equal(looked.fault, '', JSON.stringify(program));
    }
    t.diagnostic(JSON.stringify(counted));
    assert.ok(many < 30 || decided > many / 2, 'too few programs are decided');
  });
}
