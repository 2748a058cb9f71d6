// What lanes of one warp exchange without a barrier of the warp in between: pairs of instructions,
// counted. A change that adds to a count has taken away what ordered these lanes.

/** A lane that stands for all lanes: of instructions in which lanes read for each other. */
export const EVERY_LANE = 32;
/** Stands for any instruction that all lanes of a warp execute together. */
const TOGETHER = 'together';
/** No lane, or several. */
const NONE = -1;
const SEVERAL = -2;

/** The last accesses of a unit of memory in a segment. */
interface Unit {
  writer: number;
  writtenAt: number;
  /** The lane that has read it since, {@link NONE} or {@link SEVERAL}. */
  reader: number;
  readAt: number;
}

/** Events of one kind in a segment, by instruction and lanes. */
interface Seen {
  readonly at: number;
  readonly mask: number;
  /** Whether the address is unknown data, and where it may lie. */
  readonly isUnknown: boolean;
  readonly isWrite: boolean;
  readonly isShared: boolean;
  readonly event: LaneEvent | null;
  count: number;
}

/** An access of lanes. */
export interface LaneAccess {
  readonly at: number;
  readonly mask: number;
  readonly isWrite: boolean;
  readonly isShared: boolean;
  /** By lane: the units from and to; `null` where an address is unknown data. */
  readonly spans: readonly LaneSpan[] | null;
}

/** Units `[from, to)` that a lane accesses. */
export interface LaneSpan {
  readonly lane: number;
  readonly from: number;
  readonly to: number;
}

/** What lanes do beside accesses to memory. */
export type LaneEvent =
  /** Lanes that do not wait know nothing of what the others waited for. */
  | 'wait'
  /** An arrival or the start of work: accesses of lanes that take no part do not come before it. */
  | 'signal'
  /** A barrier begins: only lanes that do it know of it. */
  | 'init';

/** Counts of pairs by their instructions, `before→after`. */
export type PairCounts = ReadonlyMap<string, number>;

/** Follows the lanes of one warp from one barrier of the warp to the next. */
export class LanePairs {
  readonly #counts: Map<string, number>;
  readonly #units = new Map<number, Unit>();
  readonly #accesses = new Map<string, Seen>();
  readonly #others = new Map<string, Seen>();
  #last = '';

  constructor(counts: Map<string, number>) {
    this.#counts = counts;
  }

  /** All lanes meet: what comes now is after what all of them did. */
  join(): void {
    this.#units.clear();
    this.#accesses.clear();
    this.#others.clear();
    this.#last = '';
  }

  /** Lanes read or write memory. */
  access(access: LaneAccess): void {
    const { at, mask, isWrite, isShared, spans } = access;
    this.#last = '';
    for (const { at: other, mask: others, count, event } of this.#others.values())
      if (event !== 'signal' && (mask & ~others) !== 0) this.#add(other, at, count);
    for (const seen of this.#accesses.values())
      if ((spans === null || seen.isUnknown) && seen.isShared === isShared)
        if (isWrite || seen.isWrite) this.#add(seen.at, at, seen.count);
    for (const span of spans ?? []) this.#touch(span, at, isWrite);
    this.#note(this.#accesses, {
      at,
      mask,
      isWrite,
      isShared,
      isUnknown: spans === null,
      event: null,
      count: 1,
    });
  }

  /** Lanes signal, wait, or start work of an asynchronous unit. */
  other(at: number, mask: number, event: LaneEvent): void {
    const key = `${at}:${mask}`;
    // A warp that is blocked executes its instruction again.
    if (this.#last === key) return;
    this.#last = key;
    if (event === 'signal')
      for (const seen of this.#accesses.values())
        if ((seen.mask & ~mask) !== 0) this.#add(seen.at, at, seen.count);
    for (const seen of this.#others.values()) {
      const isUnknown = (mask & ~seen.mask) !== 0;
      // Where all lanes that waited take part in a signal, it is not complete without them.
      const isApart = isUnknown && (seen.mask & ~mask) !== 0;
      if (
        seen.event === 'init' ? isUnknown : seen.event === 'wait' && event === 'signal' && isApart
      )
        this.#add(seen.at, at, seen.count);
    }
    this.#note(this.#others, {
      at,
      mask,
      isWrite: false,
      isShared: false,
      isUnknown: false,
      event,
      count: 1,
    });
  }

  #note(list: Map<string, Seen>, event: Seen): void {
    const key = `${event.at}:${event.mask}:${event.isUnknown}`;
    const seen = list.get(key);
    if (seen === undefined) list.set(key, event);
    else seen.count++;
  }

  #touch({ lane, from, to }: LaneSpan, at: number, isWrite: boolean): void {
    for (let index = from; index < to; index++) {
      let unit = this.#units.get(index);
      if (unit === undefined)
        this.#units.set(index, (unit = { writer: NONE, writtenAt: 0, reader: NONE, readAt: 0 }));
      if (unit.writer !== NONE && !isSame(unit.writer, lane)) this.#add(unit.writtenAt, at, 1);
      if (isWrite) {
        if (unit.reader !== NONE && !isSame(unit.reader, lane)) this.#add(unit.readAt, at, 1);
        unit.writer = lane;
        unit.writtenAt = at;
        unit.reader = NONE;
      } else {
        unit.reader = unit.reader === NONE || isSame(unit.reader, lane) ? lane : SEVERAL;
        unit.readAt = at;
      }
    }
  }

  /**
   * Lanes that have parted at an instruction execute one together that needs all of them, with no
   * barrier of the warp in between.
   */
  unite(parted: number): void {
    this.#add(parted, TOGETHER, 1);
  }

  #add(before: number, after: number | string, count: number): void {
    const key = `${before}→${after}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }
}

/** Whether two accesses are of one lane; what is read for others is of no lane alone. */
function isSame(one: number, other: number): boolean {
  return one === other && one < EVERY_LANE && one >= 0;
}

/** What was added that lanes of a warp do to one another; the second instruction may be any. */
export interface AddedPair {
  readonly first: number;
  /** `null`: an instruction that all lanes execute together, after they had parted at the first. */
  readonly second: number | null;
}

/** A pair that occurs more often than before; `null` where there is none. */
export function addedPair(before: PairCounts, after: PairCounts): AddedPair | null {
  for (const [key, count] of after) {
    if (count <= (before.get(key) ?? 0)) continue;
    const [first, second] = key.split('→') as [string, string];
    return { first: Number(first), second: second === TOGETHER ? null : Number(second) };
  }
  return null;
}
