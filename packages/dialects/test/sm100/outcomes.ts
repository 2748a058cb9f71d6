// How the schedules of a program end: by a walk over all states, which knows nothing of findings.
import { Program, Unfolding } from '@poundlock/core/internal/program';
import { System } from '@poundlock/core/internal/system';
import type { Kernel } from 'poundlock';

/** The most states of such a walk. */
const MAX_STATES = 200_000;

export interface Outcomes {
  /** States in which every role has ended. */
  readonly ends: number;
  /** States in which nothing can move, and not every role has ended. */
  readonly stuck: number;
  /** What the system notices in any state on the way, whether or not a schedule would end there. */
  readonly rules: ReadonlySet<string>;
}

/** Counts the ends of all schedules of a small program. */
export function outcomesOf(kernel: Kernel, params: Record<string, number | string>): Outcomes {
  const program = new Program(kernel, params);
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const first = system.initial();
  const seen = new Set([first.join()]);
  const open = [first];
  const moves = new Int32Array(1024);
  const outcomes = { ends: 0, stuck: 0, rules: new Set<string>() };
  for (let words = open.pop(); words !== undefined; words = open.pop()) {
    const count = system.moves(words, moves);
    if (count === 0) outcomes[system.isFinal(words) ? 'ends' : 'stuck']++;
    for (const move of moves.slice(0, count)) {
      const next = words.slice();
      system.apply(next, move);
      for (const { rule } of system.symptoms) outcomes.rules.add(rule);
      const key = next.join();
      if (seen.has(key)) continue;
      if (seen.size >= MAX_STATES) throw new Error(`more than ${MAX_STATES} states`);
      seen.add(key);
      open.push(next);
    }
  }
  return outcomes;
}
