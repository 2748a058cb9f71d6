// Where a run could have gone another way: cuts of it, each with who is to be early or late there.
import type { Clock } from './log.ts';

/** The condition of docs/explanation/certificate.md that a cut shows to be broken. */
export type Condition = 'M' | 'L' | 'U' | 'E' | 'X' | 'R';

/** A cut: by thread, how many of its events happen before anything else does. */
export interface Suspect {
  readonly condition: Condition;
  readonly cut: Clock;
  /** The agent whose next move could come too early or too late: a role, or roles plus a unit. */
  readonly agent: number;
}

/** The most suspects that are kept of one run (bound `suspects`). */
export const MAX_SUSPECTS = 24;

/** The suspects of one run, each kind of place once. */
export class Suspects {
  readonly list: Suspect[] = [];
  readonly #known = new Set<string>();

  /** `place` says what it is about, so that a loop does not fill the list with one place. */
  add(condition: Condition, place: string, agent: number, cut: Clock): void {
    const key = `${condition} ${place} ${agent}`;
    if (this.list.length >= MAX_SUSPECTS || this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push({ condition, cut, agent });
  }
}
