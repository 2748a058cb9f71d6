// Variables that a role changes and its loop state does not hold: noticed in the run's second instance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { arrive, barrier, buffer, count, end, kernel, loop, read, role } from '#src/public';
import { waitParity, write } from '#src/public';

/**
 * A ring whose roles keep the lap in a variable from outside, or in the state of their loop. Where
 * the state counts, no round has the state of an earlier one, which would have to do the same.
 */
function ring(S: number, T: number, isCaptured: boolean, counts: boolean) {
  return kernel('ring', {}, () => {
    const stages = Array.from({ length: S }, (_, s) => s);
    const full = stages.map((s) => barrier(`full[${s}]`));
    const empty = stages.map((s) => barrier(`empty[${s}]`));
    const slot = stages.map((s) => buffer(`slot[${s}]`));
    const tiles = count(T);
    const stage = (name: string, first: number, work: (s: number, p: number) => void) =>
      role(name, function* () {
        let lap = first;
        yield* loop({ s: 0, p: first, t: 0 }, function* (at) {
          if (!(yield* tiles.more())) return end(0);
          const p = isCaptured ? lap : at.p;
          yield* waitParity((first === 1 ? empty : full)[at.s]!, p);
          work(at.s, p);
          const isLast = at.s + 1 === S;
          if (isLast) lap = 1 - lap;
          const next = isLast && !isCaptured ? 1 - at.p : at.p;
          return { s: isLast ? 0 : at.s + 1, p: next, t: counts ? at.t + 1 : 0 };
        });
      });
    return [
      stage('producer', 1, (s) => (write(slot[s]!), arrive(full[s]!))),
      stage('consumer', 0, (s) => (read(slot[s]!), arrive(empty[s]!))),
    ];
  });
}

for (const stages of [2, 3, 4, 16, 17, 40, 64]) {
  test(`a captured lap of ${stages} stages is noticed`, async () => {
    for (const tiles of [2 * stages + 1, 1_000]) {
      for (const counts of [false, true]) {
        const { verdict, findings } = await check(ring(stages, tiles, true, counts));
        assert.equal(verdict, 'counterexample');
        assert.match(findings[0]!.rule, /^(loop-captures|nondeterministic-role)$/);
      }
    }
    const { verdict } = await check(ring(stages, 1_000, false, false));
    assert.equal(verdict, 'certified');
  });
}
