// Follows a reference run beside its steps: what lanes of a warp exchange, and global memory.
import { LOCAL_WINDOW, MODULE_WINDOW, SHARED_WINDOW } from '../launch/windows.ts';
import type { Observer } from '../exec/machine/observer.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { lanesOf } from '../values/lane-mask.ts';
import type { Warp } from '../exec/warp/warp.ts';
import type { Wide } from '../values/wide.ts';
import { basicBlocks } from '../flow/blocks.ts';
import { exchangesValues } from '../isa/questions.ts';
import { AddressOrigins } from '../flow/address-origin.ts';
import { EVERY_LANE, LanePairs } from './lane-pairs.ts';
import type { LaneSpan, PairCounts } from './lane-pairs.ts';
import { passedOver } from './passed-over.ts';
import { watchedIn } from './watched.ts';
import type { Watched, WatchedAccess } from './watched.ts';

/** An access of a warp to global memory. */
export interface GlobalAccess {
  /** How many steps the warp had made before it. */
  readonly position: number;
  readonly at: number;
  readonly isRead: boolean;
  readonly isWrite: boolean;
  readonly isOrdered: boolean;
  readonly isSignal: boolean;
  readonly commutes: string | null;
  /** Bytes `[from, to, …)`; `null` if they are unknown data, or a copy's that a map determines. */
  readonly ranges: readonly number[] | null;
  /** What its address is derived from; `null`: any memory. */
  readonly origins: ReadonlySet<string> | null;
  /** Whether a copy makes it, which is complete later. */
  readonly isCopy: boolean;
  /** The tile of a tensor map that a copy writes; absent if it is unknown data. */
  readonly tile?: string;
}

/** A kernel's warp, and what it does to global memory. */
export interface WarpLedger {
  readonly accesses: GlobalAccess[];
  /** Steps before its first wait for the kernel before; -1 without one. */
  gridWait: number;
}

/** The most accesses to global memory that are followed. */
const MAX_ACCESSES = 2_000_000;
const HALF = 2 ** 32;
const word: Wide = { low: 0, high: 0 };

interface State {
  readonly pairs: LanePairs;
  /** How often it executed barriers of its lanes, which are no steps. */
  readonly meetings: Map<number, number>;
  readonly ledger: WarpLedger;
  /** Where lanes have parted since they were joined; -1: nowhere. */
  partedAt: number;
  /** Copies of lanes whose group is open: those of each group, the last one being filled. */
  groups: { readonly access: WatchedAccess; readonly mask: number; readonly spans: LaneSpan[] }[][];
}

/** How lanes meet at an instruction: not at all, because it joins them, or because it needs all. */
const APART = 0;
const JOINED = 1;
const TOGETHER = 2;

function meets(instruction: Instruction): number {
  const { effect, joins } = instruction;
  const isBarrier = effect.kind === 'barrier' && effect.isAligned;
  if (joins === 'warp' || isBarrier) return TOGETHER;
  return exchangesValues(instruction) && joins === 'mask' ? JOINED : APART;
}

/** The ledger of one run. */
export class RunLedger implements Observer {
  readonly follows: Uint8Array;
  readonly #watched: readonly (Watched | null)[];
  readonly #meets: Uint8Array;
  readonly #origins: AddressOrigins;
  /** Bytes of the smallest access: those of a unit. */
  readonly #unit: number;
  readonly #counts = new Map<string, number>();
  readonly #states = new Map<Warp, State>();
  #total = 0;
  /** Whether the kernel has a fence that reaches beyond the cluster. */
  hasWideFence = false;
  /** Whether there were too many accesses. */
  isOver = false;

  constructor(code: PtxFunction) {
    this.#watched = watchedIn(code);
    this.#meets = Uint8Array.from(code.instructions, meets);
    this.follows = Uint8Array.from(this.#watched, (one, at) =>
      one === null && this.#meets[at] === APART ? 0 : 1,
    );
    // Each way of a branch has a block of its own.
    for (const start of basicBlocks(code).starts) this.follows[start] = 1;
    this.#origins = new AddressOrigins(code);
    const sizes = this.#watched.flatMap((one) => (one?.kind === 'access' ? [one.bytes] : []));
    this.#unit = sizes.some((size) => size % 2 !== 0)
      ? 1
      : sizes.some((size) => size % 4 !== 0)
        ? 2
        : 4;
  }

  begin(): void {
    this.#counts.clear();
    this.#states.clear();
    this.#total = 0;
    this.hasWideFence = false;
  }

  /** Pairs of instructions that lanes of one warp execute with no barrier of the warp between. */
  get pairs(): PairCounts {
    return this.#counts;
  }

  /** What warps did to global memory, in the order of the run's warps. */
  warps(count: number): readonly WarpLedger[] {
    const ledgers = Array.from({ length: count }, (): WarpLedger => ({
      accesses: [],
      gridWait: -1,
    }));
    for (const [{ number }, { ledger }] of this.#states) ledgers[number - 1] = ledger;
    return ledgers;
  }

  /** How often each warp executed barriers of its lanes, by instruction. */
  get meetings(): readonly ReadonlyMap<number, number>[] {
    return [...this.#states.values()].map(({ meetings }) => meetings);
  }

  /** The operation of an atomic without a result that may come in any order; else `null`. */
  commutes(at: number): string | null {
    const one = this.#watched[at];
    return one?.kind === 'access' ? one.commutes : null;
  }

  executes(warp: Warp, at: number, mask: number): void {
    const state = this.#stateOf(warp);
    const one = this.#watched[at];
    this.#meet(warp, state, at, mask);
    if (one === null || one === undefined) return;
    switch (one.kind) {
      case 'access':
        return this.#access(warp, state, one, mask);
      case 'join':
        if (one.mask !== null) state.meetings.set(at, (state.meetings.get(at) ?? 0) + 1);
        if (this.#joinsAll(warp, one.mask, mask)) {
          state.pairs.join();
          state.partedAt = -1;
        } else state.pairs.other(at, mask, 'signal');
        return;
      case 'event':
        return state.pairs.other(at, mask, one.event);
      case 'copy group':
        state.groups.push([]);
        return;
      case 'copy wait':
        return this.#copyWait(state, one.pending);
      case 'bulk copy':
        return this.#bulkCopy(warp, state, one, mask);
      case 'grid wait':
        if (state.ledger.gridWait < 0) state.ledger.gridWait = warp.steps.length;
        return state.pairs.other(at, mask, 'wait');
      case 'wide fence':
        this.hasWideFence = true;
        return;
    }
  }

  /** Lanes part, or meet at an instruction that all of them execute. */
  #meet(warp: Warp, state: State, at: number, mask: number): void {
    if ((warp.live & ~mask) !== 0) {
      if (state.partedAt < 0) state.partedAt = at;
      return;
    }
    if (state.partedAt < 0 || this.#meets[at] === APART) return;
    if (this.#meets[at] === TOGETHER) state.pairs.unite(state.partedAt);
    state.partedAt = -1;
  }

  forgets(): void {}

  passesOver(warp: Warp, branch: number, mask: number): void {
    const state = this.#stateOf(warp);
    for (const at of passedOver(warp.program, branch)) {
      const one = this.#watched[at];
      if (one?.kind !== 'access') continue;
      const { instruction, isWrite, space, address } = one;
      if (space === 'shared') continue;
      state.pairs.access({ at, mask, isWrite, isShared: false, spans: null });
      this.#note(warp, state, {
        ...this.#plain(one),
        at,
        ranges: null,
        origins: this.#origins.pointersOf(instruction.index, address),
      });
    }
  }

  #plain({ isRead, isWrite, isOrdered, isSignal, commutes }: WatchedAccess) {
    return { isRead, isWrite, isOrdered, isSignal, commutes, isCopy: false };
  }

  #stateOf(warp: Warp): State {
    let state = this.#states.get(warp);
    if (state === undefined) {
      const ledger = { accesses: [], gridWait: -1 };
      this.#states.set(
        warp,
        (state = {
          pairs: new LanePairs(this.#counts),
          meetings: new Map(),
          ledger,
          partedAt: -1,
          groups: [[]],
        }),
      );
    }
    return state;
  }

  /** Whether all lanes that have not ended take part; a member mask has to name them. */
  #joinsAll(warp: Warp, operand: Operand | null, mask: number): boolean {
    if ((warp.live & ~mask) !== 0) return false;
    if (operand === null) return true;
    if (operand.kind === 'immediate') return (warp.live & ~operand.value.low) === 0;
    if (operand.kind !== 'register') return false;
    for (const lane of lanesOf(mask))
      if (!warp.registers.read(operand.register, lane, word) || (warp.live & ~word.low) !== 0)
        return false;
    return true;
  }

  #access(warp: Warp, state: State, one: WatchedAccess, mask: number): void {
    const { instruction, address, isWrite } = one;
    const { shared, global, ranges } = this.#touched(warp, one, mask);
    const at = instruction.index;
    if (shared === null || shared.length > 0)
      state.pairs.access({ at, mask, isWrite, isShared: true, spans: shared });
    if (one.isCopy && shared !== null)
      state.groups.at(-1)!.push({ access: one, mask, spans: shared });
    if (one.source !== null) this.#readsGlobal(warp, state, one, one.source, mask);
    if (global?.length === 0) return;
    state.pairs.access({ at, mask, isWrite, isShared: false, spans: global });
    const origins = this.#origins.pointersOf(at, address);
    this.#note(warp, state, { ...this.#plain(one), at, ranges, origins });
  }

  /** What lanes touch in shared and in global memory; `null` where an address is unknown. */
  #touched(
    warp: Warp,
    { address, bytes, space, rows }: WatchedAccess,
    mask: number,
  ): { shared: LaneSpan[] | null; global: LaneSpan[] | null; ranges: number[] | null } {
    const shared: LaneSpan[] = [];
    const global: LaneSpan[] = [];
    const ranges: number[] = [];
    let isUnknown = false;
    for (const lane of lanesOf(mask)) {
      if (rows > 0 && lane >= rows) break;
      const by = rows > 0 ? EVERY_LANE : lane;
      const from = this.#addressOf(warp, address, lane, space);
      if (from === null) {
        isUnknown = true;
        continue;
      }
      const window = Math.floor(from / HALF);
      if (window === SHARED_WINDOW) shared.push(this.#span(by, from, bytes));
      else if (window < LOCAL_WINDOW || window === MODULE_WINDOW) {
        global.push(this.#span(by, from, bytes));
        if (ranges.at(-1) === from) ranges[ranges.length - 1] = from + bytes;
        else ranges.push(from, from + bytes);
      }
    }
    const isGlobalUnknown = isUnknown && space !== 'shared';
    return {
      shared: isUnknown && space !== 'global' ? null : shared,
      global: isGlobalUnknown ? null : global,
      ranges: isGlobalUnknown ? null : ranges,
    };
  }

  /** A copy of lanes reads global memory, until it is complete. */
  #readsGlobal(
    warp: Warp,
    state: State,
    { instruction, bytes }: WatchedAccess,
    source: Extract<Operand, { kind: 'address' }>,
    mask: number,
  ): void {
    const at = instruction.index;
    const spans: LaneSpan[] = [];
    const ranges: number[] = [];
    let isUnknown = false;
    for (const lane of lanesOf(mask)) {
      const from = this.#addressOf(warp, source, lane, 'global');
      isUnknown ||= from === null;
      if (from === null) continue;
      spans.push(this.#span(lane, from, bytes));
      ranges.push(from, from + bytes);
    }
    const read = { at, mask, isWrite: false, isShared: false };
    state.pairs.access({ ...read, spans: isUnknown ? null : spans });
    this.#note(warp, state, {
      at,
      isRead: true,
      isWrite: false,
      isOrdered: false,
      isSignal: false,
      commutes: null,
      ranges: isUnknown ? null : ranges,
      origins: this.#origins.pointersOf(at, source),
      isCopy: true,
    });
  }

  #span(lane: number, from: number, bytes: number): LaneSpan {
    return {
      lane,
      from: Math.floor(from / this.#unit),
      to: Math.ceil((from + bytes) / this.#unit),
    };
  }

  /** Copies of lanes are complete here: what follows comes after them in their own lanes alone. */
  #copyWait(state: State, pending: number): void {
    const open = Math.max(0, state.groups.length - 1 - pending);
    for (const group of state.groups.splice(0, pending === 0 ? state.groups.length : open))
      for (const { access, mask, spans } of group) {
        const { index } = access.instruction;
        state.pairs.access({ at: index, mask, isWrite: true, isShared: true, spans });
      }
    if (state.groups.length === 0) state.groups.push([]);
  }

  #bulkCopy(
    warp: Warp,
    state: State,
    { instruction, global, size, isRead }: Extract<Watched, { kind: 'bulk copy' }>,
    mask: number,
  ): void {
    const at = instruction.index;
    state.pairs.other(at, mask, 'signal');
    for (const lane of lanesOf(mask)) {
      const from = this.#addressOf(warp, global, lane, 'generic');
      const bytes = size === null ? null : this.#number(warp, size, lane);
      const ranges = from === null || bytes === null ? null : [from, from + bytes];
      // A map in the parameters or in memory stands for the memory that it describes.
      const origins =
        size === null && from !== null
          ? new Set([`map ${from}`])
          : this.#origins.pointersOf(at, global);
      this.#note(warp, state, {
        at,
        isRead,
        isWrite: !isRead,
        isOrdered: false,
        isSignal: false,
        commutes: null,
        ranges,
        origins,
        isCopy: true,
        ...(from === null ? {} : this.#tileOf(warp, global, from, lane)),
      });
    }
  }

  /** The map and the coordinates of a copy through a tensor map, if all are known. */
  #tileOf(
    warp: Warp,
    { more }: Extract<Operand, { kind: 'address' }>,
    map: number,
    lane: number,
  ): { readonly tile?: string } {
    const elements = more.flatMap((each) => (each.kind === 'vector' ? each.elements : [each]));
    const numbers = elements.map((each) => this.#number(warp, each, lane));
    return numbers.includes(null) ? {} : { tile: `${map}:${numbers.join(',')}` };
  }

  #note(warp: Warp, { ledger }: State, access: Omit<GlobalAccess, 'position'>): void {
    if (++this.#total > MAX_ACCESSES) {
      this.isOver = true;
      return;
    }
    ledger.accesses.push({ ...access, position: warp.steps.length });
  }

  #number(warp: Warp, operand: Operand, lane: number): number | null {
    if (operand.kind === 'immediate') return operand.value.low;
    if (operand.kind !== 'register') return null;
    return warp.registers.read(operand.register, lane, word) ? word.low : null;
  }

  /** A generic address as one number; `null` if it is unknown data. */
  #addressOf(
    warp: Warp,
    { base, offset }: Extract<Operand, { kind: 'address' }>,
    lane: number,
    space: 'shared' | 'global' | 'generic',
  ): number | null {
    const start = this.#base(warp, base, lane);
    if (start === null) return null;
    const sum = start + offset;
    return space === 'shared' ? (sum % HALF) + SHARED_WINDOW * HALF : sum;
  }

  #base(warp: Warp, base: Operand, lane: number): number | null {
    if (base.kind === 'register')
      return warp.registers.read(base.register, lane, word) ? word.low + word.high * HALF : null;
    if (base.kind === 'immediate') return base.value.low + base.value.high * HALF;
    if (base.kind !== 'symbol') return null;
    const symbol = warp.machine.layout.symbols.get(base.name);
    if (symbol === undefined) return null;
    const rank = symbol.space === 'shared' ? warp.cta.rank * 2 ** 24 : 0;
    const window = symbol.space === 'module' ? MODULE_WINDOW * HALF : 0;
    return symbol.offset + base.offset + rank + window;
  }
}
