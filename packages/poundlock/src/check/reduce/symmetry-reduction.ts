// Symmetry reduction: states that differ only in the order of equal roles become one.
import { CATALOGUE, OpKind } from '@poundlock/core/internal/op';
import type { StepId } from '@poundlock/core/internal/program';
import type { System } from '@poundlock/core/internal/system';
import { Symmetry } from '../symmetry.ts';

/** A step of a group of which more answers may become known. */
interface OpenStep {
  readonly group: readonly number[];
  readonly step: StepId;
}

/**
 * Exchanges roles that do the same. Such roles start no asynchronous work, no other role waits for
 * one of them by its number, and whatever is known of one role's steps is compared with every
 * other's: then a state and the same with two of them exchanged have the same futures but for their
 * names.
 */
export class SymmetryReduction {
  readonly #system: System;
  readonly #symmetry: Symmetry;
  /** By step of a member: the step of its group, −1 where it is not known. */
  readonly #groupSteps: StepId[] = [];
  readonly #open: OpenStep[] = [];
  /** Of one role alone: where words begin, the distance between roles, and how many words. */
  readonly #blocks: readonly { readonly at: number; readonly width: number }[];
  readonly #before: Int32Array;
  /** By role of the state that was arranged last: which it was before. */
  readonly order: number[];

  /** `asymmetric`: roles in no group, to which more are added as they turn out to be different. */
  constructor(system: System, asymmetric: Set<number>) {
    const { layout, machine, program, roles, steps } = system;
    const { rings, counts } = program.declarations;
    const { ctas, registers } = machine.shape;
    this.#system = system;
    this.#symmetry = new Symmetry(program, machine, steps, asymmetric);
    this.#blocks = [
      { at: layout.registers, width: rings.length * 2 },
      { at: layout.counts, width: counts.length },
      { at: machine.layout.sync, width: 1 },
      { at: machine.layout.cluster, width: 1 },
      { at: machine.layout.registers + ctas, width: registers === null ? 0 : 1 },
    ];
    this.#before = new Int32Array(machine.layout.flights);
    this.order = Array.from({ length: roles }, (_, role) => role);
    for (const group of this.#symmetry.groups) this.#match(group, steps.entry(group[0]!));
  }

  /** Whether there are any. */
  get isActive(): boolean {
    return this.#symmetry.groups.length > 0;
  }

  /** The step of its group that a role's step is, or the step itself. */
  groupStep(step: StepId): StepId {
    return this.#groupSteps[step] ?? step;
  }

  /** L01: a role that another one joins by its number is not symmetric to others. */
  excludeJoined(words: Int32Array): void {
    for (let role = 0; role < this.#system.roles; role++) {
      const step = words[role]!;
      const instruction = step < 0 ? null : this.#system.instruction(step);
      if (instruction?.kind === OpKind.join) this.#symmetry.excludeRole(instruction.target);
    }
  }

  /** Sorts the roles of each group by their state; whether any were exchanged. */
  arrange(words: Int32Array): boolean {
    let hasMoved = false;
    for (const group of this.#symmetry.groups) {
      for (const role of group) this.order[role] = role;
      if (!this.#areKnown(words, group)) this.close();
      if (this.#areKnown(words, group) && this.#sort(words, group)) hasMoved = true;
    }
    return hasMoved;
  }

  /** Compares the roles of each group at every answer that is known by now of one of them. */
  close(): void {
    for (let isOver = false; !isOver;) {
      isOver = true;
      for (let at = 0; at < this.#open.length; at++) {
        if (this.#follow(this.#open[at]!)) isOver = false;
      }
      const isSettled = ({ step }: OpenStep): boolean => {
        const instruction = this.#system.steps.instruction(step);
        if (instruction === null) return true;
        // After an operation without an answer there is one step.
        const isUnanswered = CATALOGUE[instruction.kind]!.answer === 'none';
        return isUnanswered && this.#symmetry.isFollowed(step, 0);
      };
      let count = 0;
      for (const one of this.#open) if (!isSettled(one)) this.#open[count++] = one;
      this.#open.length = count;
    }
  }

  /** Follows what is known of one step; whether anything was new. */
  #follow({ group, step }: OpenStep): boolean {
    const { steps } = this.#system;
    let isNew = false;
    for (const member of group) {
      for (const answer of steps.answers(this.#symmetry.own(member, step))) {
        if (this.#symmetry.isFollowed(step, answer)) continue;
        this.#match(group, this.#symmetry.follow(group[0]!, step, answer));
        isNew = true;
      }
    }
    return isNew;
  }

  #match(group: readonly number[], step: StepId): void {
    if (this.#groupSteps[step] === step) return;
    const instruction = this.#system.steps.instruction(step);
    // Flights belong to one role: a role with flights is not exchanged.
    if ((instruction?.flights.length ?? 0) > 0) this.#symmetry.breakSymmetry(...group);
    for (const member of group) {
      const own = this.#symmetry.own(member, step);
      if ((this.#groupSteps[own] ?? step) !== step) this.#symmetry.breakSymmetry(member);
      this.#groupSteps[own] = step;
    }
    this.#open.push({ group, step });
  }

  #areKnown(words: Int32Array, group: readonly number[]): boolean {
    return group.every((role) => this.#groupSteps[words[role]!] !== undefined);
  }

  #sort(words: Int32Array, group: readonly number[]): boolean {
    const sorted = [...group].sort((one, other) => this.#compare(words, one, other));
    if (sorted.every((role, at) => role === group[at])) return false;
    const { registers } = this.#system;
    // A register that was not seen in use does not decrease with the others (R06).
    if (!group.every((role) => registers.areUsedAlike(group[0]!, role))) return false;
    this.#before.set(words.subarray(0, this.#before.length));
    for (const [at, role] of group.entries()) {
      const was = sorted[at]!;
      this.order[role] = was;
      words[role] = this.#symmetry.own(role, this.#groupSteps[this.#before[was]!]!);
      for (const { at: first, width } of this.#blocks) {
        const from = first + was * width;
        for (let i = 0; i < width; i++) words[first + role * width + i] = this.#before[from + i]!;
      }
    }
    return true;
  }

  #compare(words: Int32Array, one: number, other: number): number {
    const step = this.#groupSteps[words[one]!]! - this.#groupSteps[words[other]!]!;
    if (step !== 0) return step;
    for (const { at, width } of this.#blocks) {
      for (let i = 0; i < width; i++) {
        const differ = words[at + one * width + i]! - words[at + other * width + i]!;
        if (differ !== 0) return differ;
      }
    }
    return one - other;
  }
}
