// From the steps of a reference run to roles: accesses merged, barriers numbered, memory in pieces.
import { rangesOf } from '@poundlock/core/internal/base';
import type { ReferenceRun, WarpSteps } from '../steps/run.ts';
import { offsetOf, rankOf } from '../steps/step.ts';
import type { AccessKind, AccessStep, Ranges, Step, StepName } from '../steps/step.ts';
import { CountCells } from './counts.ts';
import { WarpgroupBarriers } from './groups.ts';
import type { Stored } from './equal-stores.ts';
import { Pieces } from './pieces.ts';
import type { Agent, RangeSet } from './pieces.ts';
import type { Action, Plan, PlannedBarrier, PlannedRole, Uses } from './plan.ts';

const NOTHING: Uses = { sets: [], agent: 0, writer: null };

/** Barriers by their offsets within a CTA. */
class BarrierNumbers {
  readonly barriers: PlannedBarrier[] = [];
  readonly #byOffset = new Map<number, number>();
  readonly #nameOf: (address: number) => string;

  constructor(run: ReferenceRun) {
    this.#nameOf = run.nameOf;
  }

  /** A barrier that no role arrives on. */
  never(name: string): number {
    return this.barriers.push({ name, count: 1 }) - 1;
  }

  of(address: number): number {
    const offset = offsetOf(address);
    let id = this.#byOffset.get(offset);
    if (id === undefined) {
      id = this.barriers.length;
      this.#byOffset.set(offset, id);
      this.barriers.push({ name: barrierName(this.#nameOf(offset)), count: 0 });
    }
    return id;
  }
}

/** Bytes of an mbarrier. */
const BARRIER_BYTES = 8;
/** Variables that hold all of a kernel's shared memory: an offset in them is no index. */
const WHOLE = /^(smem|global_smem|dynamic|.*dynamic_smem.*)$/i;

/** `full[1]` for the barrier at `full+8`. */
function barrierName(address: string): string {
  const name = address.replace(/^cta\d+\./, '');
  const [, variable, offset] = /^(.*)\+(\d+)$/.exec(name) ?? [];
  const bytes = Number(offset);
  const isIndex = variable !== undefined && !WHOLE.test(variable) && bytes % BARRIER_BYTES === 0;
  return isIndex ? `${variable}[${bytes / BARRIER_BYTES}]` : name;
}

/** Units whose work only a wait for all of it completes. */
type Transfer = 'tensorLoad' | 'tensorStore';

/** Lowers the steps of one warp. */
class WarpLowering {
  readonly #warp: WarpSteps;
  readonly #name: string;
  readonly #agents: {
    readonly own: Agent;
    readonly copies: Agent;
    readonly work: Agent;
    readonly loads: Agent;
    readonly stores: Agent;
  };
  readonly #pieces: Pieces;
  readonly #numbers: BarrierNumbers;
  readonly #groups: WarpgroupBarriers;
  readonly #counts: CountCells;
  readonly actions: Action[] = [];
  #reads: number[] = [];
  #writes: number[] = [];
  #stores: Stored[] = [];
  #firstAt = -1;
  #isPossible = false;
  /** Instructions whose accesses may happen. */
  readonly possible = new Set<number>();
  /** Transfers of tensor memory since the last wait for them. */
  readonly #open: Record<Transfer, number> = { tensorLoad: 0, tensorStore: 0 };
  #committed = 0;
  #waited = -1;

  constructor(
    warp: WarpSteps,
    name: string,
    index: number,
    warps: number,
    pieces: Pieces,
    numbers: BarrierNumbers,
    groups: WarpgroupBarriers,
    counts: CountCells,
  ) {
    this.#counts = counts;
    this.#warp = warp;
    this.#name = name;
    this.#agents = {
      own: index,
      copies: index + warps,
      work: index + 2 * warps,
      loads: index + 3 * warps,
      stores: index + 4 * warps,
    };
    this.#pieces = pieces;
    this.#numbers = numbers;
    this.#groups = groups;
  }

  lower(): readonly Action[] {
    for (const step of this.#warp.steps) this.#step(step);
    if (this.#warp.stuck !== null && this.#warp.stuck.op !== 'named') this.#step(this.#warp.stuck);
    this.#flush();
    return this.actions;
  }

  #step(step: Step): void {
    if (step.op === 'access' && step.kind === 'plain') return this.#plain(step);
    if (
      step.op !== 'fence' &&
      step.op !== 'join' &&
      step.op !== 'allocate' &&
      step.op !== 'free' &&
      step.op !== 'relinquish'
    )
      this.#flush();
    (this.#lowerings[step.op] as (each: Step) => void)(step);
  }

  /** Plain accesses between two other steps are one; those that may happen are one apart. */
  #plain(step: AccessStep): void {
    const isPossible = step.isPossible === true;
    if (isPossible !== this.#isPossible) this.#flush();
    this.#isPossible = isPossible;
    if (this.#firstAt < 0) this.#firstAt = step.at;
    for (const value of step.reads) this.#reads.push(value);
    for (const value of step.writes) this.#writes.push(value);
    if (step.writes.length > 0) this.#stores.push({ ranges: step.writes, values: step.values });
  }

  #flush(): void {
    if (this.#firstAt < 0) return;
    this.#access(this.#firstAt, 'plain', this.#reads, this.#writes, this.#stores);
    if (this.#isPossible) this.possible.add(this.#firstAt);
    this.#reads = [];
    this.#writes = [];
    this.#stores = [];
    this.#firstAt = -1;
    this.#isPossible = false;
  }

  #access(
    at: number,
    kind: AccessKind,
    reads: Ranges,
    writes: Ranges,
    stores: readonly Stored[],
  ): void {
    const { own } = this.#agents;
    const isOrdered = kind !== 'plain';
    const writer = { agent: own, isOrdered, stores, classes: new Map<number, number>() };
    if (stores.length > 0) this.#pieces.stored(writer);
    this.actions.push({
      kind: 'access',
      at,
      reads: { ...this.#uses(reads, own, false, kind), writer: isOrdered ? writer : null },
      writes: { ...this.#uses(writes, own, true, kind), writer },
    });
  }

  #uses(ranges: Ranges, agent: Agent, isWrite: boolean, kind: AccessKind = 'plain'): Uses {
    if (ranges.length === 0) return NOTHING;
    return { sets: [this.#pieces.add(ranges, agent, isWrite, kind)], agent, writer: null };
  }

  /** Adds to the last action if both are work of one unit: a later commit reports them together. */
  #use(step: Extract<Step, { op: 'use' }>): void {
    const { unit } = step;
    const work =
      unit === 'tensorLoad'
        ? this.#agents.loads
        : unit === 'tensorStore'
          ? this.#agents.stores
          : this.#agents.work;
    const reads = this.#uses(step.reads, work, false);
    const writes = this.#uses(step.writes, work, true);
    const last = this.actions.at(-1);
    if (last?.kind === 'use' && last.unit === step.unit && step.unit !== 'bulk') {
      this.actions[this.actions.length - 1] = {
        ...last,
        reads: joined(last.reads, reads),
        writes: joined(last.writes, writes),
      };
    } else {
      this.actions.push({ kind: 'use', at: step.at, unit, reads, writes });
      if (unit === 'tensorLoad' || unit === 'tensorStore') this.#open[unit]++;
    }
  }

  #copy(step: Extract<Step, { op: 'copy' }>): void {
    const { copies } = this.#agents;
    const writes = this.#uses(step.writes, copies, true);
    const reads = this.#uses(step.reads, copies, false);
    const ranks = [
      ...new Set(step.writes.flatMap((value, index) => (index % 2 === 0 ? [rankOf(value)] : []))),
    ];
    const [signal] = step.signals;
    if (signal === undefined) return;
    const isPair = step.signals.some(
      ({ barrier }, index) => rankOf(barrier) !== (ranks[index] ?? rankOf(barrier)),
    );
    this.actions.push({
      kind: 'copy',
      unit: 'tma',
      at: step.at,
      barrier: this.#numbers.of(signal.barrier),
      ranks,
      isPair,
      bytes: signal.bytes,
      writes,
      reads,
    });
  }

  /**
   * A wait for all transfers of a unit. If they are the last thing that the warp did, they are an
   * access; else work that was open until here.
   */
  #waitTransfers(at: number, unit: Transfer): void {
    const open = this.#open[unit];
    this.#open[unit] = 0;
    if (open === 0) return;
    const last = this.actions.at(-1);
    if (open === 1 && last?.kind === 'use' && last.unit === unit) {
      const { reads, writes } = last;
      this.actions[this.actions.length - 1] = { kind: 'access', at: last.at, reads, writes };
      return;
    }
    this.actions.push({ kind: 'commitGroup', at, unit });
    this.actions.push({ kind: 'waitGroup', at, unit, pending: 0 });
  }

  #waitGroup(step: Extract<Step, { op: 'waitGroup' }>): void {
    const { at, unit, pending } = step;
    if (unit === 'tensorLoad' || unit === 'tensorStore') return this.#waitTransfers(at, unit);
    if (unit !== 'wgmma') return void this.actions.push({ kind: 'waitGroup', at, unit, pending });
    for (const last = this.#committed - pending - 1; this.#waited < last;) {
      this.#waited++;
      const barrier = this.#groups.of(this.#warp, this.#waited);
      this.actions.push({ kind: 'wait', at, barrier, parity: this.#groups.parity(this.#waited) });
    }
  }

  /**
   * Arrivals once the earlier copies are complete: commits where they are among the expected ones.
   * Others raise the pending count until then, which is what pending bytes do.
   */
  #asyncArrive({ at, barrier, arrivals, isCounted }: Extract<Step, { op: 'asyncArrive' }>): void {
    const target = { at, barrier: this.#numbers.of(barrier) };
    if (isCounted) {
      for (let index = 0; index < arrivals; index++)
        this.actions.push({ kind: 'commit', ...target, unit: 'cpAsync', ranks: [] });
      return;
    }
    const rank = rankOf(barrier);
    this.actions.push({ kind: 'expect', ...target, rank, bytes: arrivals });
    this.actions.push({
      kind: 'copy',
      unit: 'cpAsync',
      ...target,
      ranks: [rank],
      isPair: false,
      bytes: arrivals,
      writes: NOTHING,
      reads: NOTHING,
    });
  }

  #arrive(step: Extract<Step, { op: 'arrive' }>): void {
    const { at, arrivals } = step;
    const barrier = this.#numbers.of(step.barrier);
    if (step.isDrop) {
      const rank = rankOf(step.barrier);
      if (step.expect > 0)
        this.actions.push({ kind: 'expect', at, barrier, rank, bytes: step.expect });
      this.actions.push({ kind: 'drop', at, barrier, arrivals });
    } else
      this.actions.push({
        kind: 'arrive',
        at,
        barrier,
        rank: rankOf(step.barrier),
        arrivals,
        bytes: step.expect,
      });
  }

  readonly #lowerings: { readonly [N in StepName]: (step: Extract<Step, { op: N }>) => void } = {
    init: ({ at, barrier, count }) =>
      this.actions.push({ kind: 'init', at, barrier: this.#numbers.of(barrier), count }),
    invalidate: ({ at, barrier }) =>
      this.actions.push({ kind: 'invalidate', at, barrier: this.#numbers.of(barrier) }),
    arrive: (step) => this.#arrive(step),
    expect: ({ at, barrier, bytes }) =>
      this.actions.push({
        kind: 'expect',
        at,
        barrier: this.#numbers.of(barrier),
        rank: rankOf(barrier),
        bytes,
      }),
    complete: ({ at, barrier, bytes }) =>
      this.actions.push({
        kind: 'complete',
        at,
        barrier: this.#numbers.of(barrier),
        rank: rankOf(barrier),
        bytes,
      }),
    wait: ({ at, barrier, parity }) =>
      this.actions.push({ kind: 'wait', at, barrier: this.#numbers.of(barrier), parity }),
    copy: (step) => this.#copy(step),
    use: (step) => this.#use(step),
    commit: ({ at, barriers }) => {
      const [first] = barriers;
      if (first !== undefined)
        this.actions.push({
          kind: 'commit',
          at,
          unit: 'tcgen05',
          barrier: this.#numbers.of(first),
          ranks: barriers.map(rankOf),
        });
    },
    commitGroup: ({ at, unit }) => {
      if (unit === 'tensorLoad' || unit === 'tensorStore') return;
      if (unit !== 'wgmma') this.actions.push({ kind: 'commitGroup', at, unit });
      else
        this.actions.push({
          kind: 'commit',
          at,
          unit,
          ranks: [],
          barrier: this.#groups.of(this.#warp, this.#committed++),
        });
    },
    waitGroup: (step) => this.#waitGroup(step),
    asyncArrive: (step) => this.#asyncArrive(step),
    access: (step) => {
      const { at, reads, writes, adds } = step;
      this.#access(at, this.#counts.isBegun(step) ? 'plain' : step.kind, reads, writes, []);
      if (step.isPossible === true) this.possible.add(at);
      const cell = this.#counts.of(step);
      if (cell !== undefined) this.actions.push({ kind: 'add', at, cell, amount: adds!.amount });
    },
    last: ({ at, equals, steps }) => {
      const first = this.actions.length;
      for (const step of steps) this.#step(step);
      this.#flush();
      const actions = this.actions.splice(first);
      this.actions.push({ kind: 'last', at, equals, actions });
    },
    fence: () => {},
    join: () => {},
    named: ({ at, id, threads, isSync }) =>
      this.actions.push({ kind: 'named', at, id, threads, isSync }),
    clusterArrive: ({ at }) => this.actions.push({ kind: 'clusterArrive', at }),
    clusterWait: ({ at }) => this.actions.push({ kind: 'clusterWait', at }),
    allocate: () => {},
    free: () => {},
    relinquish: () => {},
    lanes: ({ at, missing }) => {
      const name = `${this.#name}'s exchange with ${lanesText(missing)}`;
      this.actions.push({ kind: 'wait', at, barrier: this.#numbers.never(name), parity: 0 });
    },
  };
}

/** `lanes 1–7 and 9`, `lane 0`. */
function lanesText(mask: number): string {
  const lanes = Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);
  return `${lanes.length === 1 ? 'lane' : 'lanes'} ${rangesOf(lanes)}`;
}

function joined(left: Uses, right: Uses): Uses {
  const sets: RangeSet[] = [...left.sets];
  for (const set of right.sets) if (!sets.includes(set)) sets.push(set);
  return { sets, agent: right.sets.length > 0 ? right.agent : left.agent, writer: null };
}

/** Lowers a reference run to roles, one for each warp. */
export function lowerRun(run: ReferenceRun): Plan {
  const pieces = new Pieces();
  const numbers = new BarrierNumbers(run);
  const groups = new WarpgroupBarriers(run, numbers.barriers);
  const counts = new CountCells(run);
  const possible = new Set<number>();
  const roles: PlannedRole[] = run.warps.map((warp, index) => {
    const name = run.ctas > 1 ? `cta${warp.cta}.warp${warp.warp}` : `warp${warp.warp}`;
    const lowering = new WarpLowering(
      warp,
      name,
      index,
      run.warps.length,
      pieces,
      numbers,
      groups,
      counts,
    );
    const actions = lowering.lower();
    for (const at of lowering.possible) possible.add(at);
    return { name, cta: warp.cta, actions };
  });
  pieces.divide();
  return { ctas: run.ctas, roles, barriers: numbers.barriers, cells: counts.cells, possible };
}
