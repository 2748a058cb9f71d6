// Roles that do the same: states that differ only in which of them does what are one.
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind } from '@poundlock/core/internal/op';
import type { Program, StepId, Steps } from '@poundlock/core/internal/program';

/** Thrown when a role turns out not to be symmetric: it is excluded, and the search restarts. */
export class SymmetryBroken extends Error {}

/**
 * Groups of interchangeable roles. All roles of a group are at steps of its first one; what a
 * step is for another member is that member's own step, which must do the same. That is compared
 * for every member at every step that any of them takes; a role that does something else is
 * excluded from then on, and what was found while it was in the group has to be found again.
 */
export class Symmetry {
  /** Groups of two roles or more, each in order. */
  readonly groups: readonly (readonly number[])[];
  readonly #shapes = new Map<Instruction, string>();
  readonly #steps: Steps;
  readonly #machine: Machine;
  readonly #asymmetric: Set<number>;
  /** By role: the group it belongs to, `undefined` for a role of its own. */
  readonly #groupOf: (readonly number[] | undefined)[] = [];
  /** By role: its own step for each step of its group's first role. */
  readonly #own: Map<StepId, StepId>[];
  /** Steps after a step of a group by answer, once all members were compared there. */
  readonly #next = new Map<StepId, Map<number, StepId>>();

  /** `asymmetric`: roles in no group, to which more are added as they turn out to be different. */
  constructor(program: Program, machine: Machine, steps: Steps, asymmetric: Set<number>) {
    this.#steps = steps;
    this.#machine = machine;
    this.#asymmetric = asymmetric;
    this.#own = program.roles.map(() => new Map());
    this.groups = this.#findGroups(program);
    for (const group of this.groups) {
      for (const role of group) {
        this.#groupOf[role] = group;
        this.#own[role]!.set(steps.entry(group[0]!), steps.entry(role));
      }
    }
  }

  /** The first step of a role, as one of its group. */
  entry(role: number): StepId {
    return this.#steps.entry(this.#groupOf[role]?.[0] ?? role);
  }

  /** A role's own step where it stands at `step` of its group. */
  own(role: number, step: StepId): StepId {
    return this.#groupOf[role] === undefined ? step : this.#own[role]!.get(step)!;
  }

  /** The members that do what `role` does, itself included. */
  members(role: number): readonly number[] {
    return this.#groupOf[role] ?? [role];
  }

  /** Whether all members were compared at what comes after `step` of their group. */
  isFollowed(step: StepId, answer: number): boolean {
    return this.#next.get(step)?.has(answer) === true;
  }

  /** The step after `step` of the group of `role`. */
  follow(role: number, step: StepId, answer: number): StepId {
    const group = this.#groupOf[role];
    if (group === undefined) return this.#steps.follow(step, answer);
    const known = this.#next.get(step) ?? new Map<number, StepId>();
    this.#next.set(step, known);
    const next = known.get(answer);
    if (next !== undefined) return next;
    const first = this.#steps.follow(step, answer);
    for (const member of group) {
      const own = this.#steps.follow(this.own(member, step), answer);
      const before = this.#own[member]!.get(first);
      if ((before ?? own) !== own || !this.#isSame(first, own)) this.breakSymmetry(member);
      this.#own[member]!.set(first, own);
    }
    known.set(answer, first);
    return first;
  }

  /** A role is waited for by its number: no other one does what it does in its place (L01). */
  excludeRole(role: number): void {
    if (this.#groupOf[role] !== undefined) this.breakSymmetry(role);
  }

  /** Takes roles out of their groups. */
  breakSymmetry(...roles: readonly number[]): never {
    for (const role of roles) this.#asymmetric.add(role);
    throw new SymmetryBroken();
  }

  #findGroups({ roles, declarations }: Program): number[][] {
    const groups: number[][] = [];
    // R09 compares the registers of copies, which only fall together where all are in use.
    if (declarations.rings.some((ring, id) => ring.group !== id)) return [];
    for (const [role, { cta, lanes, spawned }] of roles.entries()) {
      if (spawned || this.#asymmetric.has(role)) continue;
      const group = groups.find(([first]) => {
        const other = roles[first!]!;
        const entries = [this.#steps.entry(first!), this.#steps.entry(role)] as const;
        const isAlike = other.cta === cta && other.lanes === lanes && this.#isSame(...entries);
        return isAlike && this.#goOnAlike(declarations, ...entries);
      });
      if (group === undefined) groups.push([role]);
      else group.push(role);
    }
    return groups.filter((group) => group.length > 1);
  }

  /**
   * Whether roles that begin with `more`, which succeeds, do the same with their item: since most
   * roles begin so, it distinguishes none, and to exclude a role later costs all that was done.
   */
  #goOnAlike({ counts }: Program['declarations'], step: StepId, other: StepId): boolean {
    const instruction = this.#steps.instruction(step);
    if (instruction?.kind !== OpKind.more || counts[instruction.target]!.total < 1) return true;
    return this.#isSame(this.#steps.follow(step, 1), this.#steps.follow(other, 1));
  }

  /** Whether two steps of different roles do the same. */
  #isSame(step: StepId, other: StepId): boolean {
    if (step === other) return true;
    const steps = this.#steps;
    if (steps.misuse(step)?.rule !== steps.misuse(other)?.rule) return false;
    if (steps.isRetry(step) !== steps.isRetry(other)) return false;
    const [one, two] = [steps.instruction(step), steps.instruction(other)];
    if (one === null || two === null) return one === two;
    if (CATALOGUE[one.kind]!.names === 'role') return false;
    return this.#shape(one) === this.#shape(two);
  }

  /** What an instruction does, without its role. */
  #shape(instruction: Instruction): string {
    const known = this.#shapes.get(instruction);
    if (known !== undefined) return known;
    const shape = this.#makeShape(instruction);
    this.#shapes.set(instruction, shape);
    return shape;
  }

  #makeShape(instruction: Instruction): string {
    const flights = instruction.flights.map((id) => {
      return { ...this.#machine.flights.flights[id]!, role: 0 };
    });
    return JSON.stringify({ ...instruction, role: 0, flights });
  }
}
