// A reference run in which accesses to global memory are steps, too, and atomics keep their order:
// a change that is certified for it takes away no order that the kernel had.
import type { Assumption } from '@poundlock/core/internal/finding';
import { TENSOR_MEMORY } from '../steps/step.ts';
import type { AccessStep, Step } from '../steps/step.ts';
import type { ReferenceRun, WarpSteps } from '../steps/run.ts';
import { meeting } from '../exec/footprints/meeting.ts';
import type { Span } from '../exec/footprints/meeting.ts';
import type { GlobalAccess, RunLedger, WarpLedger } from './run-ledger.ts';

/** Where units of global memory lie in the address space of the first CTA: behind shared memory. */
const REGION = 0x40_0000;
/** Where the region ends, below tensor memory. */
const REGION_END = 0x7f_0000;
/** The unit that signals to other blocks write, and all accesses read. */
const OUTSIDE = REGION_END;
/** Units for memory of unknown addresses, two for each parameter. */
const UNKNOWN = REGION_END + 16;
const MAX_PARAMETERS = 1024;

/** A run with all that a change may disturb, or why there is none. */
export interface StrictRun {
  readonly run: ReferenceRun;
  /** Whether accesses to global memory are among its steps: then all lanes of a warp make them. */
  readonly isMerged: boolean;
  /** Why threads of the block exchange what is not followed; `null` if all is. */
  readonly unfollowed: { readonly text: string; readonly at: number } | null;
  /** What the claim takes for granted about global memory. */
  readonly assumptions: readonly Assumption[];
}

const TILES: Assumption = {
  name: 'disjoint-data',
  text: 'copies out of shared memory write tiles that do not overlap',
};
const COPIES = 'copies read what others write in global memory, through one pointer or tensor map';
const DISJOINT: Assumption = {
  name: 'separate-buffers',
  text: 'memory of different parameters and tensor maps does not overlap',
};

/**
 * What a run is for. A `proof` needs all that may conflict: atomics keep their order, and memory
 * stands for what is not known. A conflict about such memory is no error, so a `search` for one has
 * known addresses only, at which atomics do not conflict with each other.
 */
export type Purpose = 'proof' | 'search';

/** What accesses do through parameters, by the names of these. */
function pointerUse(accesses: Iterable<readonly [number, GlobalAccess]>) {
  const written = new Set<string>();
  const read = new Set<string>();
  const unknown = new Set<string>();
  let isAnyWritten = false;
  /** The first access that may be anywhere, and the first at an unknown address. */
  let anywhere: GlobalAccess | null = null;
  let first: GlobalAccess | null = null;
  for (const [, access] of accesses) {
    const { origins, ranges, isWrite } = access;
    isAnyWritten ||= isWrite;
    if (ranges === null) first ??= access;
    if (origins === null && ranges === null) anywhere ??= access;
    for (const name of origins ?? []) {
      (isWrite ? written : read).add(name);
      if (ranges === null) unknown.add(name);
    }
  }
  return { written, read, unknown, isAnyWritten, first, anywhere };
}

/** The run with global memory. */
export function withGlobal(run: ReferenceRun, ledger: RunLedger, purpose: Purpose): StrictRun {
  return new Merger(run, ledger, purpose).merged();
}

/** Names of memory that stands for what is not known. */
const SIGNALS = 'the signals to other blocks';
const UNKNOWN_ADDRESSES = 'global memory at unknown addresses';

function globalName(offset: number): string | null {
  if (offset < REGION || offset >= TENSOR_MEMORY) return null;
  if (offset < OUTSIDE) return `global memory ${offset - REGION}`;
  return offset < UNKNOWN ? SIGNALS : `${UNKNOWN_ADDRESSES} ${offset - UNKNOWN}`;
}

class Merger {
  readonly #run: ReferenceRun;
  readonly #ledger: RunLedger;
  readonly #purpose: Purpose;
  readonly #warps: readonly WarpLedger[];
  readonly #added: Map<number, Step[]>[];
  readonly #assumptions = new Set<Assumption>();
  /** Operations of atomics without a result that may come in any order. */
  readonly #operations = new Set<string>();
  #unfollowed: { text: string; at: number } | null = null;

  constructor(run: ReferenceRun, ledger: RunLedger, purpose: Purpose) {
    this.#run = run;
    this.#ledger = ledger;
    this.#purpose = purpose;
    this.#warps = ledger.warps(run.warps.length);
    for (const [, { commutes }] of this.#all())
      if (commutes !== null) this.#operations.add(commutes);
    this.#added = run.warps.map(() => new Map<number, Step[]>());
  }

  merged(): StrictRun {
    if (this.#ledger.isOver) this.#fail('it accesses global memory too often to be followed', 0);
    let isShared = this.#knownAddresses();
    if (this.#purpose === 'proof') {
      isShared = this.#unknownAddresses() || isShared;
      this.#signals();
    }
    if (isShared) this.#assumptions.add(DISJOINT);
    const last = this.#run.warps.flatMap(({ steps }) => steps).find(({ op }) => op === 'last');
    if (last !== undefined && this.#added.some(({ size }) => size > 0))
      this.#fail('the last thread to add to a word goes on alone', last.at);
    const warps = this.#run.warps.map((warp, index) => this.#mergedWarp(warp, index));
    const { nameOf } = this.#run;
    const strict: ReferenceRun = {
      ...this.#run,
      warps,
      nameOf: (address) => globalName(address % 2 ** 24) ?? nameOf(address),
    };
    const isMerged = this.#added.some(({ size }) => size > 0);
    return {
      run: strict,
      isMerged,
      unfollowed: this.#unfollowed,
      assumptions: [...this.#assumptions],
    };
  }

  #fail(text: string, at: number): void {
    this.#unfollowed ??= { text, at };
  }

  *#all(): Generator<readonly [number, GlobalAccess]> {
    for (const [warp, { accesses }] of this.#warps.entries())
      for (const access of accesses) yield [warp, access];
  }

  /** Accesses that overlap with those of other warps become steps. */
  #knownAddresses(): boolean {
    const intervals: (Span & { readonly access: GlobalAccess })[] = [];
    let hasWrite = false;
    for (const [warp, access] of this.#all()) {
      const { ranges, isWrite } = access;
      if (ranges === null) continue;
      hasWrite ||= isWrite;
      for (let index = 0; index < ranges.length; index += 2)
        intervals.push({
          from: ranges[index]!,
          to: ranges[index + 1]!,
          by: warp,
          isWrite,
          isOrdered: false,
          access,
        });
    }
    if (!hasWrite) return false;
    const isMet = meeting(intervals);
    const met = intervals.filter((_, index) => isMet[index] === 1);
    if (met.length === 0) return true;
    const ends = [...new Set(met.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
    if (ends.length > OUTSIDE - REGION) {
      this.#fail('its warps share too much global memory to be followed', met[0]!.access.at);
      return true;
    }
    const unitOf = new Map(ends.map((end, index) => [end, REGION + index]));
    const byAccess = new Map<GlobalAccess, { warp: number; ranges: number[] }>();
    for (const { from, to, by: warp, access } of met) {
      if (access.isCopy)
        this.#fail('copies and threads of several warps use the same global memory', access.at);
      const entry = byAccess.get(access) ?? { warp, ranges: [] };
      entry.ranges.push(unitOf.get(from)!, unitOf.get(to)!);
      byAccess.set(access, entry);
    }
    for (const [access, { warp, ranges }] of byAccess) this.#add(warp, access, ranges);
    return true;
  }

  /** What unknown addresses may meet, by the parameters that they are derived from. */
  #unknownAddresses(): boolean {
    const use = pointerUse(this.#all());
    const { first, anywhere, written, unknown } = use;
    if (first === null || !use.isAnyWritten) return false;
    if (anywhere !== null) {
      this.#fail('an address that depends on data may be in any global memory', anywhere.at);
      return true;
    }
    const names = [...unknown].filter((name) => written.has(name));
    if (names.length > MAX_PARAMETERS) this.#fail('it has too many pointers', first.at);
    const indexOf = new Map(names.map((name, index) => [name, index]));
    for (const [warp, access] of this.#all()) {
      const { origins, ranges, isWrite, isCopy, tile } = access;
      if (isCopy && isWrite && tile !== undefined) this.#writesTile(warp, access, tile);
      else if (isCopy && isWrite && ranges === null) this.#assumptions.add(TILES);
      if (origins === null) {
        if (names.length > 0)
          this.#fail('an address from memory may be that of another access', access.at);
        continue;
      }
      for (const name of origins) {
        const index = indexOf.get(name);
        if (index === undefined) continue;
        if (!isCopy) this.#throughPointer(warp, access, index);
        else if (written.has(name) && use.read.has(name)) this.#fail(COPIES, access.at);
      }
    }
    return true;
  }

  /** An access through a pointer at which addresses are unknown. */
  #throughPointer(warp: number, access: GlobalAccess, index: number): void {
    const { ranges, isRead, isWrite } = access;
    const [any, definite] = [UNKNOWN + 2 * index, UNKNOWN + 2 * index + 1];
    if (ranges !== null) {
      if (isRead || isWrite) this.#push(warp, access, 'plain', [any, any + 1], []);
      if (isWrite) this.#push(warp, access, 'atomic', [], [definite, definite + 1]);
    } else if (isWrite) this.#add(warp, access, [any, any + 1, definite, definite + 1]);
    else {
      this.#add(warp, access, [any, any + 1]);
      this.#add(warp, access, [definite, definite + 1]);
    }
  }

  /** Tiles of tensor maps, and the warps that write them by copies. */
  readonly #tiles = new Map<string, number>();

  #writesTile(warp: number, { at }: GlobalAccess, tile: string): void {
    const other = this.#tiles.get(tile) ?? warp;
    this.#tiles.set(tile, warp);
    if (other !== warp) this.#fail('copies of several warps write one tile of a tensor map', at);
  }

  /** Signals to other blocks come after what they stand for, and before what they allow. */
  #signals(): void {
    const { hasWideFence } = this.#ledger;
    const isSignal = (access: GlobalAccess): boolean =>
      access.isSignal || (access.isOrdered && hasWideFence);
    let first: GlobalAccess | null = null;
    for (const [, access] of this.#all()) if (isSignal(access)) first ??= access;
    if (first !== null)
      for (const [warp, access] of this.#all()) {
        if (access.isCopy)
          this.#fail('copies and signals to other blocks are not compared', access.at);
        const unit = [OUTSIDE, OUTSIDE + 1];
        if (isSignal(access)) this.#push(warp, access, 'atomic', [], unit);
        else this.#push(warp, access, 'plain', unit, []);
      }
    const waits = this.#warps.map(({ gridWait }) => gridWait);
    if (waits.every((wait) => wait < 0)) return;
    for (const [warp, access] of this.#all())
      if (waits[warp]! < 0 || access.position < waits[warp]!)
        this.#fail('one warp waits for the kernel before for others', access.at);
  }

  #add(warp: number, access: GlobalAccess, ranges: readonly number[]): void {
    const isFree = access.commutes !== null && this.#operations.size === 1;
    const kind = isFree || (access.isOrdered && this.#purpose === 'search') ? 'atomic' : 'plain';
    const { isWrite } = access;
    this.#push(warp, access, kind, isWrite ? [] : ranges, isWrite ? ranges : []);
  }

  #push(
    warp: number,
    { position, at }: GlobalAccess,
    kind: AccessStep['kind'],
    reads: readonly number[],
    writes: readonly number[],
  ): void {
    const added = this.#added[warp]!;
    const list = added.get(position) ?? [];
    list.push({ op: 'access', at, kind, reads, writes, values: [] });
    added.set(position, list);
  }

  #mergedWarp(warp: WarpSteps, index: number): WarpSteps {
    const added = this.#added[index]!;
    if (added.size === 0) return warp;
    const steps: Step[] = [];
    for (let position = 0; position <= warp.steps.length; position++) {
      for (const step of added.get(position) ?? []) steps.push(step);
      if (position < warp.steps.length) steps.push(warp.steps[position]!);
    }
    return { ...warp, steps };
  }
}

/**
 * The run with atomics that keep their order: they count as plain accesses, but for operations
 * without a result that give the same in any order.
 *
 * @param commutes The operation of an instruction that may come in any order; `null` for others.
 */
export function withStrictAtomics(
  run: ReferenceRun,
  commutes: (at: number) => string | null,
): ReferenceRun {
  const operations = new Set<string>();
  const strict = (step: Step): Step => {
    if (step.op === 'last') return { ...step, steps: step.steps.map(strict) };
    if (step.op !== 'access' || step.kind === 'plain') return step;
    const operation = commutes(step.at);
    if (operation !== null) operations.add(operation);
    return operation === null ? { ...step, kind: 'plain' } : step;
  };
  const plain = (step: Step): Step =>
    step.op === 'access' && step.kind !== 'plain' ? { ...step, kind: 'plain' } : step;
  const warps = run.warps.map((warp) => ({ ...warp, steps: warp.steps.map(strict) }));
  if (operations.size < 2) return { ...run, warps };
  // Different operations do not commute with each other.
  return { ...run, warps: warps.map((warp) => ({ ...warp, steps: warp.steps.map(plain) })) };
}
