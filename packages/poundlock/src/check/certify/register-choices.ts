// Registers where a program has choices: whether the order of takings is one more choice (Q04).
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { CertificateFailure } from './certificate-failure.ts';
import type { Knowledge, SetId } from './knowledge.ts';
import type { Practice } from './memory/fault.ts';
import type { RegisterChecks } from './register-order.ts';
import type { LearnedTraits } from './run-state.ts';
import { Warpgroups } from './warpgroups.ts';

/**
 * T10: where nothing is given back that knows something to be taken, all takings fit in any order.
 * Otherwise the order in which they are made is a choice of the next exploration.
 */
export class FirstTakings implements RegisterChecks {
  readonly #know: Knowledge;
  readonly #learned: LearnedTraits;
  readonly #program: Program;
  readonly #warpgroups: Warpgroups;
  /** By role: what changes its registers. */
  readonly #instructions = new Map<number, Set<Instruction>>();
  /** By CTA and role: its first taking. One event on each list: keys of states keep it. */
  readonly #takings = new Map<number, Map<number, SetId>>();

  constructor(program: Program, know: Knowledge, learned: LearnedTraits) {
    this.#know = know;
    this.#learned = learned;
    this.#program = program;
    this.#warpgroups = new Warpgroups(program, learned.memory);
  }

  get practices(): ReadonlyMap<Practice, ReadonlySet<string>> {
    return this.#warpgroups.practices;
  }

  change(instruction: Instruction, held: number): void {
    const { role, cta, units } = instruction;
    this.#note(instruction, held);
    if (units === held || this.#learned.doTakingsTakeTurns) return;
    if (units > held) return this.#take(role, cta);
    const know = this.#know;
    for (const taking of this.#takings.get(cta)?.values() ?? [])
      if (!know.isEmpty(taking) && know.knows(role, taking)) this.#takeTurns();
  }

  /** Q06: whether warps join between two changes is not followed here. */
  #note(instruction: Instruction, held: number): void {
    const { role } = instruction;
    const { roles, declarations } = this.#program;
    const known = this.#instructions.get(role) ?? new Set<Instruction>();
    this.#instructions.set(role, known.add(instruction));
    const isFirst = known.size === 1 && held === declarations.registers!.perThread;
    const isAlone = roles.every((_, other) => {
      return other === role || !this.#warpgroups.areTogether(role, other);
    });
    if (!isFirst && !isAlone) this.#warpgroups.rely(role, 0);
  }

  #takeTurns(): never {
    this.#learned.doTakingsTakeTurns = true;
    throw new CertificateFailure('again', 'registers are given back after others were taken');
  }

  requireEnd(): void {}

  #take(role: SetId, cta: number): void {
    // The lists are of roles by their number: roles that are exchanged take turns.
    if (this.#learned.asymmetric.size < this.#program.roles.length) this.#takeTurns();
    const know = this.#know;
    const takings = this.#takings.get(cta) ?? new Map<number, SetId>();
    this.#takings.set(cta, takings);
    const taking = takings.get(role) ?? know.addList(true);
    takings.set(role, taking);
    if (!know.isEmpty(taking)) return;
    know.event(role);
    know.add(taking);
    know.share(role);
  }
}
