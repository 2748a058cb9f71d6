// Compares roles with other results of their tries, once a run in which all of them fail is over.
import type { Assumption } from '@poundlock/core/internal/finding';
import type { Program, Resolver } from '@poundlock/core/internal/program';
import { markPolls } from './poll-tries.ts';
import { rejoins, type Pattern } from './rejoin.ts';
import { patternsOf } from './try-patterns.ts';
import { failChoice, type OpenTries, type TryLog } from './try-log.ts';

/** Operations that comparisons of a role make, or as many as the run has events (T7). */
const FEWEST_COMPARED = 50_000;
const MOST_COMPARED = 2_000_000;
/** The fewest patterns of a role, however long it is. */
const FEWEST_PATTERNS = 3;

interface Comparison {
  readonly role: number;
  readonly log: TryLog;
  readonly pattern: Pattern;
}

/** The comparisons of all roles of a run, made one by one. */
export class SampledTries {
  readonly #program: Program;
  readonly #resolver: Resolver;
  readonly #left: Comparison[] = [];
  /** What was not compared in every combination, for each role. */
  readonly assumptions: Assumption[] = [];

  constructor(program: Program, resolver: Resolver, tries: OpenTries, events: number) {
    this.#program = program;
    this.#resolver = resolver;
    const operations = Math.min(Math.max(FEWEST_COMPARED, events), MOST_COMPARED);
    program.roles.forEach(({ name }, role) => {
      const log = tries.logOf(role);
      if (log === undefined) return;
      markPolls(program, role, log);
      if (log.tries === 0) return;
      const share = operations / tries.rolesWithTries / Math.max(1, log.instructions.length);
      const most = Math.max(FEWEST_PATTERNS, Math.floor(share));
      const { list, areAll } = patternsOf(log.tries, most);
      for (const pattern of list) this.#left.push({ role, log, pattern });
      if (areAll && !log.isFull) return;
      const text =
        `the results of tries only decide whether role ${name} waits: ` +
        `${list.length + 1} sequences of results were compared`;
      this.assumptions.push({ name: 'try-results', text });
    });
  }

  /** Makes comparisons of about `budget` operations; `false` when there are no more. */
  run(budget: number): boolean {
    for (let left = budget; left > 0;) {
      const next = this.#left.pop();
      if (next === undefined) return false;
      const { role, log, pattern } = next;
      if (!rejoins(this.#program, this.#resolver, role, log, pattern)) failChoice();
      left -= log.instructions.length + 1;
    }
    return this.#left.length > 0;
  }
}
