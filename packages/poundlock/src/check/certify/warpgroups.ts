// Warps of a warpgroup that change their registers: between two changes they synchronize (Q06).
import type { Program } from '@poundlock/core/internal/program';
import { CertificateFailure } from './certificate-failure.ts';
import type { Practice } from './memory/fault.ts';
import type { MemoryProfile } from '../options.ts';

/** Which roles are of one warpgroup, and where the practice of those that do not join is needed. */
export class Warpgroups {
  readonly practices = new Map<Practice, Set<string>>();
  readonly #profile: MemoryProfile;
  /** By role: a number for its warpgroup. */
  readonly #groups: readonly number[];

  constructor({ roles }: Program, profile: MemoryProfile) {
    this.#profile = profile;
    const keys = roles.map(({ cta, warpgroup, part }, role) => {
      if (warpgroup !== null) return `${cta} ${warpgroup}`;
      return part === null ? `role ${role}` : `part ${part.written}`;
    });
    this.#groups = keys.map((key) => keys.indexOf(key));
  }

  areTogether(role: number, other: number): boolean {
    return this.#groups[role] === this.#groups[other];
  }

  /** A role makes its `turn`th change, and a change before of its warpgroup may not be over. */
  rely(role: number, turn: number): void {
    if (this.#profile === 'isa')
      throw new CertificateFailure(
        'unsupported',
        'all warps of a warpgroup must synchronize between two setmaxnreg, and these do not',
      );
    const places = this.practices.get('H22') ?? new Set();
    this.practices.set('H22', places.add(`${this.#groups[role]} ${turn}`));
  }
}
