// Registers in a certificate: the order in which roles give and take them must not matter (Q04).
import { CertificateFailure } from './certificate-failure.ts';
import type { Knowledge, SetId } from './knowledge.ts';

/** What roles of each CTA have taken. */
export class RegisterTurns {
  readonly #know: Knowledge;
  /** By CTA and role: its first taking. One event on each list: keys of states keep it. */
  readonly #takes = new Map<number, Map<number, SetId>>();

  constructor(know: Knowledge) {
    this.#know = know;
  }

  /**
   * Nothing is given that waits for something to be taken: so all of it is given in every order,
   * and what is taken fits then, since it did in this one.
   */
  turn(role: SetId, cta: number, isTaking: boolean): void {
    if (isTaking) return this.#take(role, cta);
    const know = this.#know;
    for (const list of this.#takes.get(cta)?.values() ?? []) {
      if (know.isEmpty(list) || !know.knows(role, list)) continue;
      const why = 'registers are given back after others were taken';
      throw new CertificateFailure('unsupported', why);
    }
  }

  #take(role: SetId, cta: number): void {
    const know = this.#know;
    const takes = this.#takes.get(cta) ?? new Map<number, SetId>();
    this.#takes.set(cta, takes);
    const list = takes.get(role) ?? know.addList(true);
    takes.set(role, list);
    if (!know.isEmpty(list)) return;
    know.event(role);
    know.add(list);
    know.share(role);
  }
}
