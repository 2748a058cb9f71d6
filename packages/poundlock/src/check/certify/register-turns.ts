// Registers in a certificate: the order in which roles give and take them must not matter (Q04).
import { CertificateFailure } from './certificate-failure.ts';

/** By CTA: whether some role has taken registers. */
export class RegisterTurns {
  readonly #hasTaken = new Set<number>();

  hasTaken(cta: number): boolean {
    return this.#hasTaken.has(cta);
  }

  /**
   * Everything that is given is given before anything is taken: then what is taken fits in every
   * order, since it did in this one.
   */
  turn(cta: number, isTaking: boolean): void {
    if (isTaking) this.#hasTaken.add(cta);
    else if (this.#hasTaken.has(cta)) {
      throw new CertificateFailure(
        'unsupported',
        'registers are given back after others were taken',
      );
    }
  }
}
