// Registers in a certificate: the order in which roles give and take them must not matter (Q04).
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { CertificateFailure } from './certificate-failure.ts';
import type { Knowledge, SetId } from './knowledge.ts';

/** What roles of each CTA have taken. */
export class RegisterTurns {
  readonly #know: Knowledge;
  readonly #program: Program;
  /** By CTA and role: its first taking. One event on each list: keys of states keep it. */
  readonly #takes = new Map<number, Map<number, SetId>>();
  /** By role: the most registers that all of its threads had at one time. */
  readonly #most = new Map<number, number>();
  /** CTAs in which registers are given back after others were taken. */
  readonly #late = new Set<number>();

  constructor(know: Knowledge, program: Program) {
    this.#know = know;
    this.#program = program;
  }

  /**
   * Nothing is given that waits for something to be taken: so all of it is given in every order,
   * and what is taken fits then, since it did in this one. Or there is enough for the most that
   * each role has at any time: then none ever waits.
   */
  turn({ role, cta, units, threads }: Instruction, held: number, isTaking: boolean): void {
    if (units === held) return;
    if (isTaking) {
      this.#most.set(role, Math.max(this.#most.get(role) ?? 0, units * threads));
      this.#take(role, cta);
      if (this.#late.has(cta)) this.#requireEnough(cta);
      return;
    }
    const know = this.#know;
    for (const list of this.#takes.get(cta)?.values() ?? []) {
      if (know.isEmpty(list) || !know.knows(role, list)) continue;
      this.#late.add(cta);
      return this.#requireEnough(cta);
    }
  }

  #requireEnough(cta: number): void {
    const { roles, declarations } = this.#program;
    const { perThread, threads } = declarations.registers!;
    let most = 0;
    for (const [index, role] of roles.entries())
      if (role.cta === cta) most += Math.max(this.#most.get(index) ?? 0, perThread * role.lanes);
    if (most <= perThread * threads) return;
    const why = 'registers are given back after others were taken';
    throw new CertificateFailure('unsupported', why);
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
