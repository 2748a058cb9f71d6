// Copies of a CTA that may be going on as it ends: hardware keeps its memory for them (H7, H18).
import {
  FlightKind,
  READS_OWN_CTA,
  WRITES_OWN_CTA,
  type Flight,
} from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import type { Knowledge, SetId } from './knowledge.ts';
import type { Practice } from './memory/fault.ts';

/** Copies that the roles of their CTA do not know to be over: lists by CTA. */
export class OpenCopies {
  /** By practice: the CTAs that rely on it. */
  readonly practices = new Map<Practice, Set<string>>();
  /** Whether a CTA can end in the middle of a phase, whose bytes come no more. */
  isRestless = false;
  readonly #program: Program;
  readonly #know: Knowledge;
  readonly #reads: readonly SetId[];
  readonly #writes: readonly SetId[];
  /** Those that bring bytes to a barrier of the CTA. */
  readonly #signals: readonly SetId[];

  constructor(program: Program, know: Knowledge) {
    this.#program = program;
    this.#know = know;
    const lists = (): SetId[] => Array.from({ length: program.ctas }, () => know.addList(true));
    [this.#reads, this.#writes, this.#signals] = [lists(), lists(), lists()];
  }

  /** The last event of `row` is a copy that uses memory of its own CTA. */
  use(row: SetId, { kind, cta, barrier }: Flight, uses: number): void {
    if ((uses & READS_OWN_CTA) !== 0) this.#know.put(this.#reads[cta]!, row);
    if ((uses & WRITES_OWN_CTA) !== 0) this.#know.put(this.#writes[cta]!, row);
    const isSignal = kind === FlightKind.copy && barrier >= 0;
    if (isSignal && barrier % this.#program.ctas === cta) this.#know.put(this.#signals[cta]!, row);
  }

  /** What a role of its CTA knows to be over can not outlive the CTA. */
  removeKnown(cta: number): void {
    const lists = [this.#reads[cta]!, this.#writes[cta]!, this.#signals[cta]!];
    this.#program.roles.forEach((role, index) => {
      if (role.cta !== cta) return;
      for (const list of lists) this.#know.removeKnown(list, index);
    });
  }

  /** All roles have ended: what is left in the lists may go on. */
  end(): void {
    this.isRestless = this.#signals.some((list) => !this.#know.isEmpty(list));
    this.#rely('H7', this.#reads);
    this.#rely('H18', this.#writes);
  }

  #rely(practice: Practice, lists: readonly SetId[]): void {
    for (const [cta, list] of lists.entries()) {
      if (this.#know.isEmpty(list)) continue;
      const places = this.practices.get(practice) ?? new Set();
      this.practices.set(practice, places.add(String(cta)));
    }
  }
}
