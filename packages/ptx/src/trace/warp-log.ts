// The records of one warp as its steps: lanes that made the same operation one after the other made
// one step. The order of lanes stays as it was seen, so that what they do without meeting shows.
import type { WarpSteps } from '../steps/run.ts';
import { RANK_SHIFT, RANK_SIZE, type FenceKind, type Step } from '../steps/step.ts';
import type { RecordKind, TraceRecord } from './records.ts';

const LANES = 32;
const UNITS = ['bulk', 'cpAsync', 'wgmma'] as const;
const FENCES = ['proxy.async', 'mbarrier.init'] as const satisfies readonly FenceKind[];
/** Bytes of an mbarrier, and the threads of a block. */
const MAX_THREADS = 1024;
const MAX_COUNT = 2 ** 20 - 1;

/** Records of several lanes that are one step. */
interface Group {
  readonly record: TraceRecord;
  readonly at: number;
  readonly key: string;
  lanes: number;
  /** Byte ranges of all lanes, in order. */
  readonly ranges: number[];
}

/** Kinds whose records of several lanes are one step although others lie between them. */
const MEETINGS: ReadonlySet<RecordKind> = new Set(['sync', 'clusterWait']);
/** Kinds whose ranges differ by lane and are one step. */
const ACCESSES: ReadonlySet<RecordKind> = new Set(['read', 'write', 'cpAsync', 'mma']);
/** Kinds of which each record is a step of its own. */
const SINGLE: ReadonlySet<RecordKind> = new Set(['copy', 'store', 'expect', 'complete']);

/** Collects the records of a warp. */
export class WarpLog {
  readonly #cta: number;
  readonly #warp: number;
  readonly #threads: number;
  readonly #ctas: number;
  readonly #groups: Group[] = [];
  /** By lane: what it was about to wait for when it was last seen. */
  readonly #waiting = new Map<number, Group>();

  constructor(cta: number, warp: number, threads: number, ctas: number) {
    this.#cta = cta;
    this.#warp = warp;
    this.#threads = threads;
    this.#ctas = ctas;
  }

  add(record: TraceRecord, at: number): void {
    const { kind, words, isBegin, line, thread } = record;
    const lane = thread % LANES;
    const isAccess = ACCESSES.has(kind);
    const key = `${kind} ${line} ${isAccess ? '' : words.join(' ')}`;
    const ranges = isAccess ? this.#range(record, words[0], words[1]) : [];
    if (isBegin) {
      this.#waiting.set(lane, { record, at, key, lanes: 1 << lane, ranges });
      return;
    }
    this.#waiting.delete(lane);
    const open = this.#openGroup(kind, key, lane);
    if (open === undefined) this.#groups.push({ record, at, key, lanes: 1 << lane, ranges });
    else {
      open.lanes |= 1 << lane;
      open.ranges.push(...ranges);
    }
  }

  /** The group that a record of a lane is part of. */
  #openGroup(kind: RecordKind, key: string, lane: number): Group | undefined {
    if (SINGLE.has(kind)) return undefined;
    const isPart = ({ key: other, lanes }: Group): boolean =>
      other === key && ((lanes >>> lane) & 1) === 0;
    const last = this.#groups.at(-1);
    if (last !== undefined && isPart(last)) return last;
    // All lanes had arrived when the first one went on.
    return MEETINGS.has(kind) ? this.#groups.findLast(isPart) : undefined;
  }

  #range({ field }: TraceRecord, from: number, bytes: number): number[] {
    if (bytes < 1 || from + bytes > RANK_SIZE) field.fail('has a range that is not shared memory');
    const base = this.#cta * RANK_SIZE;
    return [base + from, base + from + bytes];
  }

  result(): WarpSteps {
    const steps = this.#groups.flatMap((group) => this.#stepsOf(group));
    const [waiting] = this.#waiting.values();
    const stuck = waiting === undefined ? null : this.#stepsOf(waiting)[0]!;
    return { cta: this.#cta, warp: this.#warp, threads: this.#threads, steps, stuck };
  }

  #stepsOf(group: Group): Step[] {
    const { record, at, ranges } = group;
    const all = this.#threads === LANES ? -1 : 2 ** this.#threads - 1;
    const head = group.lanes === all ? { at } : { at, lanes: group.lanes };
    return this.#steps[record.kind](record, head, group, ranges);
  }

  /** The address of an offset that a record gives. */
  #address({ field }: TraceRecord, offset: number): number {
    if (offset >= RANK_SIZE) field.fail('has an address that is not shared memory');
    return this.#cta * RANK_SIZE + offset;
  }

  /** An address with the rank of its CTA. */
  #ranked({ field }: TraceRecord, address: number): number {
    const rank = address >>> RANK_SHIFT;
    if (rank >= this.#ctas) field.fail(`is of CTA ${rank} of a cluster of ${this.#ctas}`);
    return address;
  }

  #unit({ field, words: [unit] }: TraceRecord): (typeof UNITS)[number] {
    return UNITS[unit] ?? field.fail(`has no unit ${unit}`);
  }

  #within(record: TraceRecord, value: number, least: number, most: number): number {
    return value >= least && value <= most
      ? value
      : record.field.fail(`has ${value} where ${least} to ${most} are possible`);
  }

  readonly #steps: {
    readonly [K in RecordKind]: (
      record: TraceRecord,
      head: { readonly at: number; readonly lanes?: number },
      group: Group,
      ranges: readonly number[],
    ) => Step[];
  } = {
    none: () => [],
    name: () => [],
    init: (record, head) => [
      {
        ...head,
        op: 'init',
        barrier: this.#address(record, record.words[0]),
        count: this.#within(record, record.words[1], 1, MAX_COUNT),
      },
    ],
    invalidate: (record, head) => [
      { ...head, op: 'invalidate', barrier: this.#address(record, record.words[0]) },
    ],
    arrive: (record, head, { lanes }) => {
      const [barrier, each, bytes, drops] = record.words;
      const arrivals = this.#within(record, each * count(lanes), 1, MAX_COUNT);
      const expect = this.#within(record, bytes * count(lanes), 0, MAX_COUNT);
      const isDrop = drops !== 0;
      return [
        { ...head, op: 'arrive', barrier: this.#ranked(record, barrier), arrivals, expect, isDrop },
      ];
    },
    expect: (record, head) => [this.#transaction('expect', record, head)],
    complete: (record, head) => [this.#transaction('complete', record, head)],
    wait: (record, head) => {
      const [barrier, parity] = record.words;
      return [{ ...head, op: 'wait', barrier: this.#address(record, barrier), parity: parity & 1 }];
    },
    copy: (record, head) => {
      const [to, bytes, barrier, mask] = record.words;
      const own = this.#cta;
      const ranks = mask === 0 ? [own] : bits(mask).map((rank) => this.#rank(record, rank));
      const [from, end] = this.#range(record, to, bytes).map((each) => each - own * RANK_SIZE);
      return [
        {
          ...head,
          op: 'copy',
          writes: ranks.flatMap((rank) => [rank * RANK_SIZE + from!, rank * RANK_SIZE + end!]),
          reads: [],
          signals: ranks.map((rank) => ({ barrier: rank * RANK_SIZE + barrier, bytes })),
          map: null,
        },
      ];
    },
    store: (record, head) => {
      const reads = this.#range(record, record.words[0], record.words[1]);
      return [{ ...head, op: 'use', unit: 'bulk', reads, writes: [] }];
    },
    commitGroup: (record, head) => [{ ...head, op: 'commitGroup', unit: this.#unit(record) }],
    waitGroup: (record, head) => {
      const [, pending, reads] = record.words;
      return [{ ...head, op: 'waitGroup', unit: this.#unit(record), pending, isRead: reads !== 0 }];
    },
    cpAsync: (_record, head, _group, writes) => [
      { ...head, op: 'use', unit: 'cpAsync', reads: [], writes },
    ],
    cpAsyncArrive: (record, head, { lanes }) => {
      const barrier = this.#address(record, record.words[0]);
      const isCounted = record.words[1] !== 0;
      return [{ ...head, op: 'asyncArrive', barrier, arrivals: count(lanes), isCounted }];
    },
    mma: (_record, head, _group, reads) => [
      { ...head, op: 'use', unit: 'wgmma', reads, writes: [] },
    ],
    read: (_record, head, _group, reads) => [
      { ...head, op: 'access', kind: 'plain', reads, writes: [], values: [] },
    ],
    write: (_record, head, _group, writes) => [
      { ...head, op: 'access', kind: 'plain', reads: [], writes, values: [] },
    ],
    sync: (record, head) => [this.#named(record, head, true)],
    syncArrive: (record, head) => [this.#named(record, head, false)],
    clusterArrive: (_record, head) => [{ ...head, op: 'clusterArrive' }],
    clusterWait: (_record, head) => [{ ...head, op: 'clusterWait' }],
    fence: (record, head) => {
      const fence = FENCES[record.words[0]] ?? record.field.fail('is a fence that is not known');
      return [{ ...head, op: 'fence', fence }];
    },
  };

  #transaction(
    op: 'expect' | 'complete',
    record: TraceRecord,
    head: { readonly at: number; readonly lanes?: number },
  ): Step {
    const bytes = this.#within(record, record.words[1], 0, MAX_COUNT);
    return { ...head, op, barrier: this.#address(record, record.words[0]), bytes };
  }

  /** A named barrier counts whole warps. */
  #named(
    record: TraceRecord,
    head: { readonly at: number; readonly lanes?: number },
    isSync: boolean,
  ): Step {
    const [id, wanted] = record.words;
    const threads = this.#within(record, wanted, 1, MAX_THREADS);
    return {
      ...head,
      op: 'named',
      id: this.#within(record, id, 0, 15),
      threads,
      arriving: LANES,
      isSync,
    };
  }

  #rank({ field }: TraceRecord, rank: number): number {
    return rank < this.#ctas ? rank : field.fail(`is of CTA ${rank} of a cluster of ${this.#ctas}`);
  }
}

/** How many lanes a mask has. */
function count(lanes: number): number {
  return bits(lanes).length;
}

function bits(mask: number): number[] {
  return Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);
}
