// Registers in a certificate: the order in which roles give and take them must not matter (Q04).
import type { SetId } from './knowledge.ts';
import type { Knowledge } from './knowledge.ts';
import { CertificateFailure } from './certificate-failure.ts';

/** What roles of each CTA have taken. */
export class RegisterTurns {
  readonly #know: Knowledge;
  readonly #takes = new Map<number, SetId>();

  constructor(know: Knowledge) {
    this.#know = know;
  }

  /** Whether some role of a CTA has taken registers. */
  hasTaken(cta: number): boolean {
    return this.#takes.has(cta);
  }

  /**
   * Nothing is given that waits for something to be taken: so all of it is given in every order,
   * and what is taken fits then, since it did in this one.
   */
  turn(role: SetId, cta: number, isTaking: boolean): void {
    const takes = this.#takes.get(cta);
    if (!isTaking) {
      if (takes === undefined || !this.#know.knowsAny(role, takes)) return;
      const why = 'registers are given back after others were taken';
      throw new CertificateFailure('unsupported', why);
    }
    const list = takes ?? this.#know.addList(true);
    this.#takes.set(cta, list);
    this.#know.event(role);
    this.#know.add(list);
    this.#know.share(role);
  }
}
