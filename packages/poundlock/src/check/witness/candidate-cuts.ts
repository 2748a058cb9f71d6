// Candidate cuts: points of a run after which an early or a late agent may lead to a violation.
import type { Clock } from './log.ts';

/** The condition of docs/explanation/certificate.md that a cut shows to be broken. */
export type CutCondition = 'M' | 'L' | 'U' | 'E' | 'X' | 'R';

/** A cut: by thread, how many of its events happen before anything else does. */
export interface CandidateCut {
  readonly condition: CutCondition;
  readonly cut: Clock;
  /** The agent whose next move could come too early or too late: a role, or roles plus a unit. */
  readonly agent: number;
}

/** The most candidate cuts of one run (bound `candidate-cuts`). */
const MAX_CANDIDATE_CUTS = 24;

/** The candidate cuts of one run, each kind of place once. */
export class CandidateCuts {
  readonly list: CandidateCut[] = [];
  readonly #known = new Set<string>();

  /** `place` names what is affected, so that a loop does not fill the list with one place. */
  add(condition: CutCondition, place: string, agent: number, cut: Clock): void {
    const key = `${condition} ${place} ${agent}`;
    if (this.list.length >= MAX_CANDIDATE_CUTS || this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push({ condition, cut, agent });
  }
}
