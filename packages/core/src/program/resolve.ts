// Resolves operations to instructions: every declared id becomes the physical id of its CTA.
import { InvariantError } from '../base/index.ts';
import type { Instruction, Machine } from '../machine/index.ts';
import { UNITS, type Op, type Unit } from '../op/index.ts';
import { OpLowering } from './lowering.ts';
import { hashOf, isSameKey, keyOf } from './op-key.ts';
import type { Program } from './program.ts';
import { READING_UNITS } from './stores.ts';

/** An operation that was resolved before; others with its hash follow it. */
interface Known {
  readonly op: Op;
  readonly key: readonly number[];
  readonly role: number;
  readonly instruction: Instruction;
  readonly next: Known | undefined;
}

/** Interns instructions, so that equal operations of a role are the same object. */
export class Resolver {
  readonly units: Unit[] = [...Object.values(UNITS), ...READING_UNITS];
  readonly #lowering: OpLowering;
  readonly #known = new Map<number, Known>();
  /** The key of the operation that is resolved; the array is reused. */
  readonly #key: number[] = [];
  readonly #unitOf = (unit: Unit): number => {
    for (let i = 0; i < this.units.length; i++) if (this.units[i]!.name === unit.name) return i;
    return this.units.push(unit) - 1;
  };

  constructor(program: Program, machine: Machine) {
    this.#lowering = new OpLowering(program, machine, this.#unitOf);
  }

  /** The instruction that `op` is when the role with index `role` makes it. */
  resolve(op: Op, role: number): Instruction {
    const resolved = op.resolved as Instruction | null;
    if (resolved !== null && resolved.role === role) return resolved;
    return this.resolveShared(op, role);
  }

  /** The same of an operation that roles of one call of the kernel share. */
  resolveShared(op: Op, role: number): Instruction {
    const key = this.#key;
    key.length = 0;
    keyOf(op, key, this.#unitOf);
    const hash = hashOf(key, role);
    const first = this.#known.get(hash);
    let known = first;
    while (known !== undefined && !(known.role === role && isSameKey(known.key, key)))
      known = known.next;
    if (known === undefined) {
      const instruction = this.#lowering.lower(op, role);
      known = { op, key: key.slice(), role, instruction, next: first };
      this.#known.set(hash, known);
    }
    op.resolved = known.instruction;
    return known.instruction;
  }

  /** An operation that was resolved to `instruction`. */
  opOf(instruction: Instruction): Op {
    for (const first of this.#known.values()) {
      for (let known: Known | undefined = first; known !== undefined; known = known.next) {
        if (known.instruction === instruction) return known.op;
      }
    }
    throw new InvariantError('an instruction has the operation that it was created from');
  }
}
