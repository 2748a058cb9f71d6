// Buffers, pools and cells in a certificate: accesses that must be ordered (R).
import { unreachable } from '@poundlock/core/internal/base';
import { Fault, type Instruction } from '@poundlock/core/internal/machine';
import { OpKind, type PoolKind } from '@poundlock/core/internal/op';
import type { SetId } from './knowledge.ts';
import { Location } from './memory.ts';
import { ENDS_IN_USE, type RunState } from './run-state.ts';
import { CertificateFailure } from './certificate-failure.ts';

const NO_ROLE = -1;

/** The buffers that are there from an operation on a pool on, or no longer. */
function changedBuffers(
  kind: PoolKind,
  { cta, writes }: Instruction,
  answer: number,
  ctas: number,
): readonly number[] {
  switch (kind) {
    case OpKind.alloc:
      return [answer * ctas + cta];
    case OpKind.free:
      return writes;
    case OpKind.relinquish:
      return [];
    default:
      return unreachable(kind);
  }
}

/** All memory of a run. */
export class AccessChecks {
  readonly #run: RunState;
  readonly #buffers: Location[];
  readonly #cells: Location[];
  /** By cell and by pool: what roles that took turns at it know; unset before the first. */
  readonly #turnsOfCell: (SetId | undefined)[] = [];
  readonly #turnsOfPool: (SetId | undefined)[] = [];
  /** By pool: the one role that uses it, while turns are not taken. */
  readonly #owners: Int32Array;

  constructor(run: RunState) {
    const { program, know } = run;
    this.#run = run;
    const each = (count: number): Location[] =>
      Array.from({ length: count * program.ctas }, () => new Location(know));
    const { cells, pools } = program.declarations;
    this.#buffers = each(program.pieces.count);
    this.#cells = each(cells.length);
    this.#owners = new Int32Array(pools.length * program.ctas).fill(NO_ROLE);
  }

  /** The last event of `row`, which is one of CTA `cta`, reads and writes buffers. */
  access(
    row: SetId,
    cta: number,
    { reads, writes }: Pick<Instruction, 'reads' | 'writes'>,
    isPossible: boolean,
  ): void {
    const { memory } = this.#run;
    for (let i = 0; i < reads.length; i++) {
      const buffer = reads[i]!;
      if (!this.#buffers[buffer]!.read(row)) this.#race(row, buffer);
      if (this.#run.mayBeGone) this.#touch(row, cta, buffer);
    }
    for (let i = 0; i < writes.length; i++) {
      const buffer = writes[i]!;
      if (!this.#buffers[buffer]!.write(row)) this.#race(row, buffer);
      if (this.#run.mayBeGone) this.#touch(row, cta, buffer);
    }
    memory?.accesses.access(reads, writes, isPossible);
  }

  /** A cell is certified where its stores and loads are ordered; then its value is one. */
  useCell(row: SetId, cell: number, isLoad: boolean): void {
    const location = this.#cells[cell]!;
    if (isLoad ? location.read(row) : location.write(row)) return;
    throw new CertificateFailure('unsupported', 'a store and a load of a cell are not ordered');
  }

  /** C01: `row` takes its turn at adding to a cell, after all that had theirs. */
  addToCell(row: SetId, cell: number): void {
    const { know } = this.#run;
    const turns = (this.#turnsOfCell[cell] ??= know.addRow());
    know.join(row, turns);
    know.event(row);
    this.useCell(row, cell, false);
    know.join(turns, row);
    this.#run.memory?.loadFrom(row, cell);
    this.#run.memory?.storeTo(cell, true);
  }

  /**
   * A01–A03 with `takesTurns`: in the order in which the roles come; otherwise one role alone may
   * use a pool. Both are a write of the buffer, which every access must precede or follow.
   */
  usePool(role: number, kind: PoolKind, instruction: Instruction, takesTurns: boolean): number {
    const { know, machine, words, program } = this.#run;
    const { target } = instruction;
    const turns = takesTurns
      ? (this.#turnsOfPool[target] ??= know.addRow())
      : this.#own(role, target);
    if (turns >= 0) know.join(role, turns);
    know.event(role);
    const answer = machine.issue(words, instruction);
    this.#run.requireNoFault();
    for (const buffer of changedBuffers(kind, instruction, answer, program.ctas)) {
      if (!this.#buffers[buffer]!.write(role)) this.#race(role, buffer);
    }
    if (turns >= 0) know.join(turns, role);
    return answer;
  }

  /** Every access to buffers of a CTA must come before where `row` stands (L02). */
  requireLeft(row: SetId, cta: number): void {
    const { ctas } = this.#run.program;
    for (let buffer = cta; buffer < this.#buffers.length; buffer += ctas) {
      if (this.#buffers[buffer]!.isLeftBefore(row)) continue;
      const lack = this.#buffers[buffer]!.lackOf(row);
      const place = this.#nameOf(buffer);
      throw new CertificateFailure('R', ENDS_IN_USE, { place, lack });
    }
  }

  #own(role: number, pool: number): number {
    const owner = this.#owners[pool]!;
    if (owner >= 0 && owner !== role) {
      throw new CertificateFailure('choice', 'several roles allocate from one pool');
    }
    this.#owners[pool] = role;
    return NO_ROLE;
  }

  #touch(row: SetId, cta: number, buffer: number): void {
    const { machine, words, program } = this.#run;
    machine.fault = Fault.none;
    machine.touchBuffer(words, buffer, cta);
    this.#run.requireNoFault();
    const isOfCta = program.ctas > 1 && !program.isGlobal(buffer);
    if (isOfCta) this.#run.touch(row, cta, buffer % program.ctas);
  }

  #race(row: SetId, buffer: number): never {
    const lack = this.#buffers[buffer]!.lackOf(row);
    const place = this.#nameOf(buffer);
    throw new CertificateFailure('R', `two accesses to ${place} are not ordered`, { place, lack });
  }

  #nameOf(buffer: number): string {
    const { pieces, ctas } = this.#run.program;
    return pieces.nameOf(Math.floor(buffer / ctas));
  }
}
