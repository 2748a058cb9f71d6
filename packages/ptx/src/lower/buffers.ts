// The buffers of a plan: one for each piece of memory, or one for each agent of a shared piece.
import type { ReferenceRun } from '../steps/run.ts';
import { isGlobal, offsetOf, rankOf, TENSOR_MEMORY } from '../steps/step.ts';
import { isFirst, ORDERED_CLASS } from './equal-stores.ts';
import type { Owner, Writer } from './equal-stores.ts';
import type { Piece } from './pieces.ts';
import { flat } from './plan.ts';
import { areApart } from './reach.ts';
import type { Places } from './reach.ts';
import type { Action, Plan, Uses } from './plan.ts';

/** A buffer that the kernel declares. */
export interface PlannedBuffer {
  readonly name: string;
  readonly bytes: number;
  readonly space: 'shared' | 'tmem' | 'global';
  /** Where it begins. */
  readonly address: number;
  /** The instruction that copies into it: stages of a ring have it in common. */
  readonly family?: string;
}

/** A buffer, by its index among the declared ones, in a CTA. */
export interface BufferPlace {
  readonly buffer: number;
  readonly rank: number;
  /** Whether it is read for a store, which is compared with others. */
  readonly isOfStore?: boolean;
}

/** Buffers that an action reads and writes. */
export interface Touched {
  readonly reads: readonly BufferPlace[];
  readonly writes: readonly BufferPlace[];
}

/** More than the CTAs that are executed together. */
const MAX_RANKS = 256;
const ORDERED = [ORDERED_CLASS];
const UNTOUCHED: Touched = { reads: [], writes: [] };

/** The buffers of all actions of a plan. */
export class PlannedBuffers {
  readonly buffers: PlannedBuffer[] = [];
  readonly #byName = new Map<string, number>();
  readonly #touched = new Map<Action, Touched>();
  readonly #run: ReferenceRun;
  readonly #roles: readonly string[];
  readonly #places: Places;
  /** By piece: the first instruction that copies into it. */
  readonly #copied = new Map<number, number>();

  /** Words that hold addresses of tensor memory. */
  readonly #allocated: ReadonlySet<number>;

  constructor(plan: Plan, run: ReferenceRun) {
    plan.divide();
    this.#allocated = allocatedIn(run);
    this.#run = run;
    this.#roles = plan.roles.map(({ name }) => name);
    const warps = plan.roles.filter(({ isEarlier = false }) => !isEarlier);
    this.#places = { warps, clusterSize: run.clusterSize };
    const all = plan.roles.flatMap(({ actions }) => flat(actions));
    for (const action of all) {
      if (action.kind !== 'copy') continue;
      for (const { id } of piecesOf(action.writes))
        if (!this.#copied.has(id)) this.#copied.set(id, action.at);
    }
    for (const action of all) {
      const touched = this.#touch(action);
      if (touched !== UNTOUCHED) this.#touched.set(action, touched);
    }
  }

  /** The indices of the buffers that the word of a counter is in. */
  ofCounter(index: number): number[] {
    const address = [...this.#run.counters.words.keys()][index];
    // The barrier of a cluster is in no memory.
    if (address === undefined) return [];
    return this.buffers.flatMap((each, buffer) => {
      const isIn = each.address <= address && address < each.address + each.bytes;
      return isIn ? [buffer] : [];
    });
  }

  /** What an action reads and writes. */
  of(action: Action): Touched {
    return this.#touched.get(action) ?? UNTOUCHED;
  }

  #touch(action: Action): Touched {
    const reads: BufferPlace[] = [];
    const writes: BufferPlace[] = [];
    if (action.kind === 'store') {
      for (const piece of piecesOf(action.reads)) this.#read(piece, action.reads, reads);
      for (const piece of piecesOf(action.writes)) this.#write(piece, action.writes, reads, writes);
      return { reads, writes };
    }
    if (action.kind !== 'access' && action.kind !== 'use' && action.kind !== 'copy')
      return UNTOUCHED;
    for (const piece of piecesOf(action.reads)) this.#read(piece, action.reads, reads);
    for (const piece of piecesOf(action.writes)) this.#write(piece, action.writes, reads, writes);
    if (action.kind !== 'access') return { reads, writes };
    // A write includes the read.
    const keyOf = ({ buffer, rank }: BufferPlace): number => buffer * MAX_RANKS + rank;
    const seen = new Set(writes.map(keyOf));
    const first = reads.filter((place) => {
      const isNew = !seen.has(keyOf(place));
      seen.add(keyOf(place));
      return isNew;
    });
    return { reads: first, writes };
  }

  /** Reads all buffers of a piece; a volatile or atomic access all but those of its kind. */
  #read(piece: Piece, { writer }: Uses, reads: BufferPlace[]): void {
    reads.push(this.#place(piece, null));
    for (const owner of piece.owners)
      if (isFirst(owner) && (writer?.isOrdered !== true || owner.class !== ORDERED_CLASS))
        reads.push(this.#place(piece, owner));
    if (writer?.isOrdered === true) this.#readApart(piece, writer, reads);
  }

  /** Reads what is written with a scope that does not include both. */
  #readApart(piece: Piece, writer: Writer, reads: BufferPlace[]): void {
    for (const owner of piece.owners)
      if (owner.class === ORDERED_CLASS && areApart(this.#places, writer, owner))
        reads.push({ ...this.#place(piece, owner), isOfStore: true });
  }

  /**
   * Writes all buffers of a piece. An access with a class writes the buffers of its agent and of
   * the digits of its class only. Where its digit is 1 it reads those of the digit 0, so that it
   * conflicts with all accesses but those of other agents in its class.
   */
  #write(piece: Piece, { agent, writer }: Uses, reads: BufferPlace[], writes: BufferPlace[]): void {
    const own = writer?.isOrdered === true ? ORDERED : writer?.classes.get(piece.id);
    const places = piece.owners.filter((owner) => {
      const isOwn = owner.agent === agent && owner.reach === writer?.reach;
      return isOwn && own?.includes(owner.class) === true;
    });
    if (own === undefined || places.length === 0) {
      writes.push(this.#place(piece, null));
      for (const owner of piece.owners) if (isFirst(owner)) writes.push(this.#place(piece, owner));
      return;
    }
    for (const owner of places) writes.push(this.#place(piece, owner));
    reads.push({ ...this.#place(piece, null), isOfStore: true });
    const met = new Set(own.filter((digit) => digit > 0 && digit % 2 === 0).map((one) => one - 1));
    if (own !== ORDERED) met.add(ORDERED_CLASS);
    else this.#readApart(piece, writer!, reads);
    for (const owner of piece.owners)
      if (met.has(owner.class)) reads.push({ ...this.#place(piece, owner), isOfStore: true });
  }

  /** The buffer of an agent and a class of a piece, or that of all other accesses. */
  #place(piece: Piece, owner: Owner | null): BufferPlace {
    let suffix = '';
    if (owner !== null) {
      const name = this.#roles[owner.agent] ?? String(owner.agent);
      suffix = `@${name}${owner.class === ORDERED_CLASS ? '' : `.${owner.class}`}`;
      if (owner.reach !== undefined) suffix += `.${owner.reach}`;
    }
    const rank = isGlobal(piece.address) ? 0 : rankOf(piece.address);
    return { buffer: this.#index(piece, suffix), rank };
  }

  #index(piece: Piece, suffix: string): number {
    const name = `${this.#nameOf(piece)}${suffix}`;
    let index = this.#byName.get(name);
    if (index === undefined) {
      index = this.buffers.length;
      this.#byName.set(name, index);
      const copied = this.#copied.get(piece.id);
      const ring = copied === undefined ? {} : { family: `copied at ${copied}` };
      const space = spaceOf(piece.address);
      const { address, bytes } = piece;
      this.buffers.push({ name, address, bytes, space, ...ring });
    }
    return index;
  }

  /** Pieces at the same offset of several CTAs are one declaration. */
  #nameOf({ address, bytes }: Piece): string {
    if (this.#run.earlier.includes(address)) return this.#run.nameOf(address);
    if (isGlobal(address)) return `${this.#run.nameOf(address)}/${bytes}`;
    const offset = offsetOf(address);
    if (offset >= TENSOR_MEMORY) return `tmem[${(offset - TENSOR_MEMORY) / 4}]/${bytes}`;
    const name = `${this.#run.nameOf(offset).replace(/^cta\d+\./, '')}/${bytes}`;
    return this.#allocated.has(address) ? `${name} (of tcgen05.alloc)` : name;
  }
}

/** Where allocations of tensor memory store its addresses. */
function allocatedIn({ warps, effectOf }: ReferenceRun): ReadonlySet<number> {
  const isAllocation = (at: number): boolean => {
    const effect = effectOf(at);
    return effect?.kind === 'tcgen05' && effect.op === 'alloc';
  };
  const stores = warps.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.op === 'access' && isAllocation(step.at) ? step.writes : [])),
  );
  return new Set(stores);
}

function spaceOf(address: number): PlannedBuffer['space'] {
  if (isGlobal(address)) return 'global';
  return offsetOf(address) >= TENSOR_MEMORY ? 'tmem' : 'shared';
}

function piecesOf({ sets }: Uses): Set<Piece> {
  return new Set(sets.flatMap((set) => set.pieces));
}
