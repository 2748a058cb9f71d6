// What a kernel declares before its roles run: barriers, buffers, cells, pools, rings and counts.
import { InputError, currentPosition } from '../base/index.ts';
import { MAX_PENDING, type BarrierMode } from '../machine/index.ts';
import type { Side } from '../op/index.ts';
import { requireWhole } from './whole.ts';
import { symbolicOf } from './symbolic-parameter.ts';
import type { StageHandle } from './handle.ts';

export interface DeclaredBarrier {
  readonly name: string;
  readonly count: number;
  readonly mode: BarrierMode;
  /** Whether it is one for all CTAs (C02). */
  readonly isGlobal: boolean;
}

/** What a role waits for in vain, for its finding. */
export interface Lack {
  /** What it waits for: `another value of turn`. */
  readonly what: string;
  /** A sentence that begins with the role, and that it never gets it. */
  readonly why: string;
}

/** A shared integer. */
export interface DeclaredCell {
  readonly name: string;
  readonly initial: number;
  /** Whether it is one for all CTAs (C02). */
  readonly isGlobal: boolean;
}

/** A ring of stages: a full and an empty barrier each, and registers that count through them. */
export interface DeclaredRing {
  readonly name: string;
  readonly stages: number;
  /** The size of a stage, 0 where it is not declared. */
  readonly stageBytes: number;
  /** Declared ids of the barriers by stage. */
  readonly full: readonly number[];
  readonly empty: readonly number[];
  /** The ring that it is a copy of: its own id where it is none (R09). */
  readonly group: number;
  /** Makes the handle of a stage again in a fresh instance of the role. */
  readonly revive: (side: Side, stage: number, id: number) => StageHandle;
}

/**
 * A number of items; `isAny`: any number of them from `least` on, the same for counts with the same
 * total.
 */
export interface DeclaredCount {
  readonly name: string;
  readonly total: number;
  readonly isAny: boolean;
  readonly least: number;
}

/** Counts with so many items stand for any number of them, from `least` on. */
export interface OpenCounts {
  readonly from: number;
  readonly to: number;
  readonly least: number;
}

export const NO_OPEN_COUNTS: OpenCounts = { from: Infinity, to: -Infinity, least: 0 };

/** How the kernel is run: what `simulate` alone looks at. */
export interface Launch {
  /** CTAs that run it at the same time and share the memory. */
  readonly ctas: number;
  /** Where the copied data is. */
  readonly source: 'l2' | 'hbm';
  /** How copies without a tensor map are made; `tiled`: as `tensor`, but not for tensor cores. */
  readonly copies: 'bulk' | 'tensor' | 'tiled';
  /** Whether the CTAs of a cluster may begin one after the other (X01). */
  readonly begin: 'together' | 'apart';
  /** Whether the code is of PTX before 9.3, which wants inits fenced for copies (I04). */
  readonly isOldPtx: boolean;
  /** Registers of each thread, which limit how many CTAs an SM holds; `null`: not declared. */
  readonly registers: number | null;
  /** Shared memory of a CTA; `null`: what its buffers and barriers take. */
  readonly sharedBytes: number | null;
}

/** The memories that a buffer can be in. */
export const SPACES = ['shared', 'tmem', 'global', 'registers', 'tensormap'] as const;
/** One of the memories that a buffer can be in. */
export type Space = (typeof SPACES)[number];

/** Where a buffer is: its memory, and the bytes from `at` on; −1 for a place of its own. */
export interface Place {
  readonly space: Space;
  readonly at: number;
  readonly bytes: number;
  /** What the stages of its ring have in common, where its name does not say so. */
  readonly family?: string;
}

/** The state of so many barriers, buffers and cells is all that engines have room for. */
const MAX_DECLARED = 50_000;

/** Everything one call of the kernel declared, in order. */
export class Declarations {
  /** Whether roles note where they are declared. */
  readonly locate: boolean;
  readonly open: OpenCounts;
  readonly barriers: DeclaredBarrier[] = [];
  readonly buffers: string[] = [];
  /** By buffer: its size, for real memory. */
  readonly bufferBytes: number[] = [];
  /** By buffer: where it is. */
  readonly places: Place[] = [];
  /** By barrier that has a place: its first byte in shared memory. */
  readonly barrierPlaces = new Map<number, number>();
  /** Barriers that stand for something else, which messages do not name as barriers. */
  readonly hiddenBarriers = new Set<number>();
  /** Barriers that stand for what a role of a kernel as built waits for in vain. */
  readonly lacks = new Map<number, Lack>();
  /** By barrier that counts a word of global memory: the buffers that are the word. */
  readonly words = new Map<number, readonly number[]>();
  readonly grids: string[] = [];
  /** The registers of each thread at the launch, and the threads of a CTA; `null`: not modeled. */
  registers: { readonly perThread: number; readonly threads: number } | null = null;
  readonly cells: DeclaredCell[] = [];
  readonly pools: { name: string; capacity: number; buffers: readonly number[] }[] = [];
  readonly rings: DeclaredRing[] = [];
  readonly counts: DeclaredCount[] = [];
  launch: Launch = {
    ctas: 1,
    source: 'l2',
    copies: 'bulk',
    begin: 'together',
    isOldPtx: false,
    registers: null,
    sharedBytes: null,
  };
  /** The names, which are looked at in the first call of a kernel; others declare the same. */
  readonly #names: Set<string> | null;
  readonly #once = new Set<string>();
  /** What the first call of the kernel declared; `null` in the first one. */
  readonly #first: Declarations | null;

  constructor(locate: boolean, open: OpenCounts, first: Declarations | null) {
    this.locate = locate;
    this.open = open;
    this.#names = first === null ? new Set() : null;
    this.#first = first;
  }

  /** Declares a barrier and returns its id; calls that declare the same one share what is said. */
  addBarrier(name: string, count: number, mode: BarrierMode, isGlobal = false): number {
    const id = this.barriers.length;
    if (count > MAX_PENDING) requireWhole(`the count of barrier ${name}`, count, 0, MAX_PENDING);
    const before = this.#first?.barriers[id];
    const isAlikeBefore = before?.count === count && before.mode === mode;
    const isSame = before?.name === name && isAlikeBefore && before.isGlobal === isGlobal;
    this.barriers.push(isSame ? before : { name, count, mode, isGlobal });
    return id;
  }

  /** Takes a name, which must be new in this kernel. */
  claimName(name: string): void {
    if (this.#names === null) return;
    if (this.#names.has(name)) {
      throw new InputError(`the name ${name} is declared twice in this kernel`, currentPosition());
    }
    this.#names.add(name);
    if (this.#names.size <= MAX_DECLARED) return;
    const what = `a kernel declares more than ${MAX_DECLARED} barriers, buffers and cells`;
    throw new InputError(`${what}: are there too many stages?`, currentPosition());
  }

  /** Notes a call that a kernel makes at most once: a second one would replace the first. */
  claimOnce(call: string): void {
    if (!this.#once.has(call)) return void this.#once.add(call);
    throw new InputError(`a kernel calls ${call} once`, currentPosition());
  }

  /** How many declarations there are that engines keep a state of. */
  get size(): number {
    return this.barriers.length + this.buffers.length + this.cells.length;
  }

  /** Whether another call of the kernel declared the same things. */
  isSame(other: Declarations): boolean {
    return (
      areAlike(this.barriers, other.barriers) &&
      areAlike(this.buffers, other.buffers) &&
      areAlike(this.bufferBytes, other.bufferBytes) &&
      areAlike(this.places, other.places) &&
      areAlike(this.grids, other.grids) &&
      isAlike(this.registers, other.registers) &&
      areAlike(this.cells, other.cells) &&
      areAlike(this.pools, other.pools) &&
      areAlike(this.rings, other.rings) &&
      areAlike(this.counts, other.counts) &&
      isAlike(this.launch, other.launch)
    );
  }

  /** Whether a call with other parameters declared the same things, but for how far it counts. */
  isSameShape(other: Declarations): boolean {
    const names = (all: Declarations): string[] => all.counts.map(({ name }) => name);
    return this.fingerprint(names(this)) === other.fingerprint(names(other));
  }

  /** Equal for two calls that declared the same things; with `counts`, but for their totals. */
  fingerprint(counts: unknown = this.counts): string {
    const rings = this.rings.map(({ name, full, empty, group }) => [name, full, empty, group]);
    const { barriers, buffers, bufferBytes, cells, pools, launch } = this;
    const { grids, registers } = this;
    const places = [...this.places, ...this.barrierPlaces];
    const memory = { barriers, buffers, bufferBytes, cells, pools, places, grids, registers };
    return JSON.stringify({ ...memory, rings, counts, launch });
  }
}

/** Whether two declarations say the same; functions do not count, each call makes its own. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'function') return typeof other === 'function';
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  if (Array.isArray(one)) return areAlike(one, other as readonly unknown[]);
  for (const key in one) if (!isAlike(one[key as never], other[key as never])) return false;
  return true;
}

function areAlike(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (!isAlike(one[at], other[at])) return false;
  return true;
}

let building: Declarations | null = null;

/** For a call of a kernel that was stopped from outside, so that it could not clean up. */
export function abandonDeclarations(): void {
  building = null;
}

/**
 * Runs `call` as one call of a kernel, which declares things in `declarations`. Where they locate,
 * roles note where they are declared, which is slow.
 */
export function declare<T>(declarations: Declarations, call: () => T): T {
  const outer = building;
  building = declarations;
  try {
    return call();
  } finally {
    building = outer;
  }
}

/** Whether a kernel function is being run. */
export function isDeclaring(): boolean {
  return building !== null;
}

/** Whether declarations are to note where they are made. */
export function isLocating(): boolean {
  return building?.locate === true;
}

/** The kernel call under way; `what` is the subject of the error when there is none. */
export function currentDeclarations(what: string): Declarations {
  if (building === null) {
    throw new InputError(`${what} must be called inside a kernel's callback`, currentPosition());
  }
  return building;
}

/**
 * Takes `name` for what the function `call` declares.
 *
 * @throws InputError outside a kernel's callback, and for a name that is taken.
 *
 * @example
 * claimName('declarePair()', 'pair');
 * const pair = [barrier('pair[0]'), barrier('pair[1]')];
 * return [
 *   role('both', function* () {
 *     for (const each of pair) arrive(each);
 *   }),
 * ];
 */
export function claimName(call: string, name: string): void {
  currentDeclarations(call).claimName(name);
}

/**
 * Throws unless `value` is a whole number from `least` to `most`.
 *
 * @throws InputError that calls the value `what`.
 *
 * @example
 * import { requireCount } from '@poundlock/core/dialect';
 *
 * requireCount('the stages of ab', 2, 1);
 */
export function requireCount(what: string, value: number, least: number, most?: number): void {
  symbolicOf(value)?.use();
  requireWhole(what, value, least, most);
}
