// Launches of dependent grids in a certificate: what the first one in a CTA knows (D01).
import { CertificateFailure } from './certificate-failure.ts';
import type { Knowledge, SetId } from './knowledge.ts';
import type { LearnedTraits } from './run-state.ts';

/** The launches of all CTAs. */
export class Launches {
  readonly #know: Knowledge;
  readonly #launchers: LearnedTraits['launchers'];
  /** By CTA: what its one launching role knows as it launches. */
  readonly #rows = new Map<number, SetId>();

  constructor(know: Knowledge, { launchers }: LearnedTraits) {
    this.#know = know;
    this.#launchers = launchers;
  }

  /** A role launches; of several roles of a CTA, which is first is open. */
  launch(role: SetId, cta: number): void {
    const roles = this.#launchers.get(cta) ?? new Set();
    this.#launchers.set(cta, roles);
    const isNew = !roles.has(role);
    roles.add(role);
    if (isNew && roles.size === 2) {
      throw new CertificateFailure('again', 'several roles of a CTA launch the next grid');
    }
    this.#know.event(role);
    if (this.#rows.has(cta)) return;
    const row = this.#know.addRow();
    this.#rows.set(cta, row);
    this.#know.copy(row, role);
  }

  /** A role begins after the launch in a CTA. */
  follow(role: SetId, cta: number): void {
    const row = this.#rows.get(cta);
    if (row !== undefined && this.#launchers.get(cta)?.size === 1) this.#know.join(role, row);
  }
}
