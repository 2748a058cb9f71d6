// Accesses of a run, asked at their levels: what is missing is an error, or a practice (K04).
import type { Flight } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { severityOf, type MemoryRule } from '@poundlock/core/internal/finding';
import type { MemoryProfile } from '../../options.ts';
import { CertificateFailure } from '../certificate-failure.ts';
import type { Knowledge, SetId } from '../knowledge.ts';
import { keyOfWarning } from './fault.ts';
import type { MemoryFault, MemoryPlace, Practice } from './fault.ts';
import { Lack, PieceLists, Proxy, TensorLists } from './locations.ts';
import {
  FENCED,
  MAPS_ACQUIRED,
  MAPS_OF_CTA,
  RELEASED,
  TENSOR,
  TENSOR_FENCED,
  VISIBLE,
} from './rows.ts';

/** What a lack is called, and the practice that does without. */
const LACKS = {
  [Lack.release]: { rule: 'relaxed-signal', practice: null },
  [Lack.scope]: { rule: 'scope-too-narrow', practice: null },
  [Lack.proxyFence]: { rule: 'missing-proxy-fence', practice: null },
  [Lack.strictScope]: { rule: 'scope-too-narrow', practice: 'H2' },
  [Lack.strictFence]: { rule: 'unfenced-reuse', practice: 'H1' },
  [Lack.strictCopyFence]: { rule: 'missing-proxy-fence', practice: 'H6' },
  [Lack.strictRelease]: { rule: 'relaxed-signal', practice: 'H2' },
  [Lack.strictWriteFence]: { rule: 'missing-proxy-fence', practice: 'H1' },
  [Lack.tensorFence]: { rule: 'missing-tcgen05-fence', practice: 'H3' },
} as const satisfies Readonly<
  Record<Exclude<Lack, 0>, { rule: MemoryRule; practice: Practice | null }>
>;

/** How work of a unit reaches what is no tensor memory: that of a tensor unit is registers. */
const PROXIES = {
  async: Proxy.async,
  generic: Proxy.copy,
  tensor: Proxy.generic,
} as const satisfies Readonly<Record<Flight['proxy'], Proxy>>;

/** A write of a piece after reads of threads, in one family of pieces: fenced, or not (H1). */
interface Reuse {
  fenced: MemoryPlace | null;
  unfenced: MemoryFault | null;
}

/** The accesses of all threads and flights. */
export class Accesses {
  /** What the profile `isa` warns of, and uneven fences. */
  readonly warnings = new Map<string, MemoryFault>();
  /** By practice: the operations that rely on it, as role and place in the text. */
  readonly practices = new Map<Practice, Set<string>>();
  /** A row with the accesses to tensor memory of the flight that is issued. */
  readonly own: SetId;
  /** The event that the order of accesses is at, while there are others. */
  readonly #pinned: SetId;
  readonly #program: Program;
  readonly #know: Knowledge;
  readonly #isStrict: boolean;
  readonly #warned: ReadonlySet<string> | null;
  readonly #threads: readonly SetId[];
  readonly #pieces: (PieceLists | undefined)[] = [];
  readonly #tensor: (TensorLists | undefined)[] = [];
  readonly #maps = new Map<number, SetId>();
  readonly #inits = new Map<number, SetId>();
  readonly #reuses = new Map<string, Reuse>();
  /** By role: the families that it has read since its last signal and has not written since. */
  readonly #recent = new Map<number, Set<string>>();
  /** Families with a read that is fenced before it is given back. */
  readonly #fencedReads = new Set<string>();
  /** Registers that a thread has touched since its last wgmma fence, and where. */
  readonly #touched = new Map<string, MemoryPlace>();
  /** By event: where it was made. */
  readonly #places = new Map<number, MemoryPlace>();
  #here: MemoryPlace = { role: 0, at: 0 };
  #row: SetId = 0;
  #isPossible = false;
  #flight: Flight | null = null;
  #proxy: Proxy = Proxy.generic;

  constructor(
    program: Program,
    know: Knowledge,
    profile: Exclude<MemoryProfile, 'none'>,
    threads: readonly SetId[],
    warned: ReadonlySet<string> | null,
  ) {
    this.#warned = warned;
    this.#program = program;
    this.#know = know;
    this.#isStrict = profile === 'isa';
    this.#threads = threads;
    this.own = know.addRow();
    this.#pinned = know.addList(true);
  }

  begin(role: number, row: SetId, at: number): void {
    this.#here = { role, at };
    this.#row = row;
    this.#flight = null;
    this.#proxy = Proxy.generic;
  }

  beginFlight(flight: Flight, row: SetId): void {
    this.#row = row;
    this.#flight = flight;
    this.#proxy = PROXIES[flight.proxy];
    this.#know.clear(this.own);
  }

  /** Accesses of the one who acts; `isPossible`: the reads may not happen. */
  access(reads: readonly number[], writes: readonly number[], isPossible: boolean): void {
    const { last } = this.#know;
    this.#know.add(this.#pinned);
    this.#isPossible = isPossible;
    for (const piece of reads) this.#access(piece, false);
    for (const piece of writes) this.#access(piece, true);
    this.#unpin(last);
  }

  /** The order of accesses goes on with the event that it was at, which kept its bit. */
  #unpin(event: number): void {
    this.#know.select(event);
    this.#know.clear(this.#pinned);
  }

  #access(piece: number, isWrite: boolean): void {
    const space = this.#program.spaceOf(piece);
    switch (space) {
      case 'shared':
      case 'global':
        return this.#accessPiece(piece, isWrite);
      case 'tmem':
        return this.#accessTensor(piece, isWrite);
      case 'tensormap':
        return this.#accessMap(piece, isWrite);
      case 'registers':
        return this.#accessRegisters(piece);
    }
  }

  #accessPiece(piece: number, isWrite: boolean): void {
    const lists = (this.#pieces[piece] ??= new PieceLists(this.#know));
    this.#require(lists.lacksOfWrites(this.#row, this.#proxy, isWrite), lists, piece);
    if (this.#proxy === Proxy.generic) this.#noteRecent(piece, isWrite);
    if (!isWrite) {
      this.#introduce();
      return lists.read(this.#row, this.#proxy, this.#isPossible);
    }
    const isReuse = this.#proxy === Proxy.async && lists.isRead;
    const lack = lists.lacksOfReads(this.#row, this.#proxy);
    if (isReuse) this.#noteReuse(piece, lack, lists);
    this.#require(lack, lists, piece);
    this.#introduce();
    lists.write(this.#proxy);
  }

  #accessTensor(piece: number, isWrite: boolean): void {
    const lists = (this.#tensor[piece] ??= new TensorLists(this.#know));
    this.#require(lists.lacks(this.#row, isWrite), lists, piece);
    this.#know.introduce();
    this.#places.set(this.#know.last, this.#here);
    this.#know.add(this.#row + TENSOR);
    this.#know.add(this.#row + TENSOR_FENCED);
    this.#know.add(this.own);
    lists.access(this.#row, isWrite);
  }

  /**
   * V02: a copy reads its map through a proxy of its own, which its thread has acquired, or another
   * one of its CTA (H14). Threads write and read it as memory.
   */
  #accessMap(map: number, isWrite: boolean): void {
    const writes = this.#writesOf(map);
    const isOwn = this.#flight === null;
    const level = isOwn ? VISIBLE : MAPS_ACQUIRED;
    const row = isOwn ? this.#row : this.#threads[this.#here.role]!;
    const rule = isOwn ? 'scope-too-narrow' : 'unfenced-tensormap';
    const event = this.#know.missing(row + level, writes);
    if (event >= 0) {
      const fault = this.#faultOf(rule, event, map);
      const isOfCta = !isOwn && this.#know.knows(row + MAPS_OF_CTA, writes);
      if (this.#isStrict || !isOfCta) this.#fail(fault);
      this.#rely('H14', fault);
    }
    if (!isWrite) return;
    this.#introduce();
    this.#know.clear(writes);
    this.#know.add(writes);
  }

  #accessRegisters(piece: number): void {
    const key = `${this.#here.role} ${piece}`;
    if (this.#flight === null) {
      this.#touched.set(key, this.#here);
      return;
    }
    const first = this.#touched.get(key);
    if (first === undefined) return;
    const fault = { rule: 'missing-wgmma-fence', first, target: piece } as const;
    if (this.#isStrict) this.#warn({ ...fault, second: this.#here });
    this.#touched.delete(key);
  }

  /** G04: what a thread touched before is ordered before its next wgmma. */
  orderRegisters(role: number): void {
    const own = `${role} `;
    for (const key of this.#touched.keys()) if (key.startsWith(own)) this.#touched.delete(key);
  }

  /** The operation that is performed breaks a rule by itself. */
  failHere(rule: MemoryRule, target: number): never {
    this.#fail({ rule, first: null, second: this.#here, target });
  }

  warnHere(rule: MemoryRule, target: number): void {
    this.#warn({ rule, first: null, second: this.#here, target });
  }

  /** The operation that is performed relies on a practice. */
  relyHere(practice: Practice): void {
    this.#rely(practice, { second: this.#here });
  }

  /** I01: whether the initialization of a barrier is visible to the one who uses it. */
  useBarrier(barrier: number, row: SetId): void {
    const inits = this.#inits.get(barrier);
    if (inits === undefined) return;
    this.#requireKnown(row + VISIBLE, inits, 'unfenced-init', barrier);
    // I04, H5: for older PTX a copy needs the init fenced.
    const isCopy = this.#isStrict && this.#flight?.proxy === 'async' && this.#flight.bytes > 0;
    if (!isCopy || !this.#program.declarations.launch.isOldPtx) return;
    const event = this.#know.missing(row + FENCED, inits);
    if (event >= 0) this.#warn({ ...this.#faultOf('unfenced-init', event, barrier), isMild: true });
  }

  init(barrier: number, row: SetId): void {
    const list = this.#inits.get(barrier) ?? this.#know.addList(true);
    this.#inits.set(barrier, list);
    const { last } = this.#know;
    this.#know.add(this.#pinned);
    this.#know.clear(list);
    this.#row = row;
    this.#introduce();
    this.#know.add(list);
    this.#unpin(last);
  }

  /** The lists of all initializations. */
  inits(): Iterable<SetId> {
    return this.#inits.values();
  }

  /** The list of the writes to a tensor map, if there are some. */
  writesOfMap(map: number): SetId[] {
    const known = this.#maps.get(map);
    return known === undefined ? [] : [known];
  }

  /** S18: the accesses to a word that a thread knows, for what its arrival there carries. */
  joinWord(to: SetId, row: SetId, word: readonly number[]): void {
    for (const piece of word) {
      const lists = this.#pieces[piece];
      for (const list of lists === undefined ? [] : [...lists.generic, lists.reads])
        for (const level of [RELEASED, VISIBLE]) this.#know.joinOf(to + level, row + level, list);
    }
  }

  /** F01: a fence of one memory: what is visible of it is fenced. */
  fence(row: SetId, isGlobal: boolean): void {
    for (const [piece, lists] of this.#pieces.entries()) {
      if (lists === undefined) continue;
      if ((this.#program.spaceOf(piece) === 'global') !== isGlobal) continue;
      for (const list of [...lists.generic, lists.reads]) {
        this.#know.joinOf(row + FENCED, row + VISIBLE, list);
      }
    }
  }

  #writesOf(map: number): SetId {
    const known = this.#maps.get(map);
    if (known !== undefined) return known;
    const list = this.#know.addList(true);
    this.#maps.set(map, list);
    return list;
  }

  /** A new event of the one who acts, which knows it at every level of its own proxy. */
  #introduce(): void {
    const know = this.#know;
    know.introduce();
    this.#places.set(know.last, this.#here);
    know.add(this.#row + RELEASED);
    know.add(this.#row + VISIBLE);
    if (this.#proxy === Proxy.async) know.add(this.#row + FENCED);
  }

  #requireKnown(row: SetId, list: SetId, rule: MemoryRule, target: number): void {
    const event = this.#know.missing(row, list);
    if (event >= 0) this.#fail(this.#faultOf(rule, event, target));
  }

  #require(lack: Lack, { at, level }: Pick<PieceLists, 'at' | 'level'>, piece: number): void {
    if (lack === Lack.none) return;
    const { rule, practice } = LACKS[lack];
    const event = this.#know.missing(this.#row + level, at);
    const fault = this.#faultOf(rule, event, piece);
    const isAcross = this.#isAcrossGrids(fault);
    if (practice === null || this.#isStrict || isAcross) {
      if (isAcross) this.#fail({ ...fault, rule: 'missing-grid-dependency-wait' });
      if (severityOf(rule) === 'warning') return this.#warn(fault);
      const isJoined = !this.#isKnownToOther(level, at);
      this.#fail(isJoined ? fault : { ...fault, rule: 'unjoined-lanes' });
    }
    this.#rely(practice, fault);
  }

  /** W06: whether other strands of the role know what the one who acts does not. */
  #isKnownToOther(level: number, list: SetId): boolean {
    const { roles } = this.#program;
    const own = roles[this.#here.role]!.part;
    if (own === null || own.classes < 2) return false;
    return roles.some((role, index) => {
      const isSister = role.part?.written === own.written && index !== this.#here.role;
      return isSister && this.#know.knows(this.#threads[index]! + level, list);
    });
  }

  #isAcrossGrids({ first }: MemoryFault): boolean {
    const { roles } = this.#program;
    return first !== null && roles[first.role]!.grid !== roles[this.#here.role]!.grid;
  }

  #faultOf(rule: MemoryRule, event: number, target: number): MemoryFault {
    return { rule, first: this.#places.get(event) ?? null, second: this.#here, target };
  }

  /** H1 is given up for a family of pieces of which another reuse is fenced. */
  #noteReuse(piece: number, lack: Lack, lists: PieceLists): void {
    const family = this.#familyOf(piece);
    const reuse = this.#reuses.get(family) ?? { fenced: null, unfenced: null };
    this.#reuses.set(family, reuse);
    const isFenced = this.#know.knowsAny(this.#row + FENCED, lists.reads);
    if (isFenced && this.#fencedReads.has(family)) reuse.fenced ??= this.#here;
    if (lack === Lack.strictFence) {
      const event = this.#know.missing(this.#row + FENCED, lists.at);
      reuse.unfenced ??= this.#faultOf('unfenced-reuse', event, piece);
    }
    if (reuse.fenced === null || reuse.unfenced === null || this.#isStrict) return;
    this.#warn({ ...reuse.unfenced, other: reuse.fenced });
  }

  /**
   * F01: a role executes a proxy fence. Between a read and the signal that gives the memory back it
   * is for the read, unless the role has written to the same memory since.
   */
  noteFence(role: number): void {
    for (const family of this.#recent.get(role) ?? []) this.#fencedReads.add(family);
  }

  /** A role signals: what it read before is given back. */
  noteSignal(role: number): void {
    this.#recent.get(role)?.clear();
  }

  /** A thread reads or writes a piece. */
  #noteRecent(piece: number, isWrite: boolean): void {
    const { role } = this.#here;
    const recent = this.#recent.get(role) ?? new Set();
    this.#recent.set(role, recent);
    if (isWrite) recent.delete(this.#familyOf(piece));
    else recent.add(this.#familyOf(piece));
  }

  #familyOf(piece: number): string {
    return this.#program.pieces.familyOf(Math.floor(piece / this.#program.ctas));
  }

  #rely(practice: Practice, { second }: Pick<MemoryFault, 'second'>): void {
    const places = this.practices.get(practice) ?? new Set();
    this.practices.set(practice, places.add(`${second.role} ${this.#textOf(second)}`));
  }

  /** What names an operation in the text of a role: its instruction. */
  #textOf(_place: MemoryPlace): number {
    return this.#instruction;
  }

  /** The instruction that acts, as a number. */
  #instruction = 0;

  /** Says which instruction acts: places are counted by it. */
  set instruction(id: number) {
    this.#instruction = id;
  }

  #warn(fault: MemoryFault): void {
    const key = keyOfWarning(fault);
    if (this.#warned !== null && !this.#warned.has(key)) this.#fail(fault);
    if (!this.warnings.has(key)) this.warnings.set(key, fault);
  }

  #fail(fault: MemoryFault): never {
    throw new CertificateFailure('memory', `memory is not ordered: ${fault.rule}`, {
      memory: fault,
    });
  }
}
