// Steps of asynchronous units: copies, their groups, matrix work and its commits.
import { AUTO } from '@poundlock/core/internal/op';
import { rankOf } from '../steps/step.ts';
import type { Ranges, Step } from '../steps/step.ts';
import type { RangeSet } from './pieces.ts';
import type { Uses } from './plan.ts';
import { UNIT_OF } from './player.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** Units whose work only a wait for all of it completes. */
type Transfer = 'tensorLoad' | 'tensorStore';

/** The asynchronous work of one warp. */
export class WarpWork {
  readonly #scope: WarpScope;
  /** Transfers of tensor memory since the last wait for them. */
  readonly #open: Record<Transfer, number> = { tensorLoad: 0, tensorStore: 0 };
  /** Groups of the warpgroup. */
  #committed = 0;
  #waited = -1;

  constructor(scope: WarpScope) {
    this.#scope = scope;
  }

  /** What later steps are lowered by, as a text. */
  get state(): string {
    const { tensorLoad, tensorStore } = this.#open;
    const turn = this.#committed % (2 * this.#scope.run.groups.slots);
    return [tensorLoad, tensorStore, turn, this.#committed - this.#waited].join(' ');
  }

  get lowerings(): Lowerings<'copy' | 'use' | 'commit' | 'commitGroup' | 'waitGroup'> {
    const { actions } = this.#scope;
    return {
      copy: (step) => this.#copy(step),
      use: (step) => this.#use(step),
      commit: ({ at, barriers }) => {
        const [first] = barriers;
        if (first === undefined) return;
        const barrier = this.#scope.barrier(first);
        const ranks = barriers.map(rankOf);
        actions.push({ kind: 'commit', at, unit: 'tcgen05', barrier, ranks, adds: false });
      },
      commitGroup: ({ at, unit }) => {
        // Each transfer of tensor memory is a group of its own.
        if (isTransfer(unit)) return;
        if (unit !== 'wgmma') return void actions.push({ kind: 'commitGroup', at, unit });
        const barrier = this.#scope.run.groups.of(this.#scope.warp, this.#committed++);
        actions.push({ kind: 'commit', at, unit, ranks: [], barrier, adds: false });
      },
      waitGroup: (step) => this.#waitGroup(step),
    };
  }

  #copy(step: Extract<Step, { op: 'copy' }>): void {
    const { copies } = this.#scope.agents;
    const writes = this.#scope.worksOn(step.writes, copies, true, step.isReduction);
    const reads = this.#scope.worksOn(step.reads, copies, false);
    const ranks = [
      ...new Set(step.writes.flatMap((value, index) => (index % 2 === 0 ? [rankOf(value)] : []))),
    ];
    const [signal] = step.signals;
    if (signal === undefined) return;
    const isPair = step.signals.some(
      ({ barrier }, index) => rankOf(barrier) !== (ranks[index] ?? rankOf(barrier)),
    );
    const barrier = this.#scope.barrier(signal.barrier);
    const { at } = step;
    const { bytes } = signal;
    const map = this.#scope.run.maps.of(step.map);
    const target = { barrier, ranks, isPair, bytes } as const;
    this.#scope.actions.push({ kind: 'copy', at, ...target, writes, reads, map });
  }

  /** Adds to the last action if both are work of one unit: a later commit reports them together. */
  #use(step: Extract<Step, { op: 'use' }>): void {
    const { unit, at } = step;
    const { actions, agents } = this.#scope;
    const agent =
      unit === 'tensorLoad' ? agents.loads : unit === 'tensorStore' ? agents.stores : agents.work;
    const reads = this.#scope.worksOn(step.reads, agent, false);
    const writes = this.#scope.worksOn(step.writes, agent, true, step.isReduction);
    if (unit === 'bulk') {
      const map = this.#scope.run.maps.of(step.map);
      return void actions.push({ kind: 'store', at, reads, writes, map });
    }
    const last = actions.at(-1);
    const isOrdered = UNIT_OF[unit].order === 'in-order';
    const isOneUnit = last?.kind === 'use' && last.unit === unit;
    const isOneWork = isOneUnit && (isOrdered || !overlap(last.writes, writes));
    if (isOneWork && this.#scope.run.timed === null) {
      actions[actions.length - 1] = {
        ...last,
        reads: joined(last.reads, reads),
        writes: joined(last.writes, writes),
      };
    } else {
      actions.push({ kind: 'use', at, unit, reads, writes });
      if (isTransfer(unit)) this.#open[unit]++;
    }
  }

  /**
   * A wait for all transfers of a unit. If they are the last thing that the warp did, they are an
   * access; else work that was open until here.
   */
  #waitTransfers(at: number, unit: Transfer): void {
    const open = this.#open[unit];
    this.#open[unit] = 0;
    if (open === 0) return;
    const { actions } = this.#scope;
    const last = actions.at(-1);
    if (open === 1 && last?.kind === 'use' && last.unit === unit) {
      const { reads, writes } = last;
      actions[actions.length - 1] = { kind: 'access', at: last.at, reads, writes };
      return;
    }
    actions.push({ kind: 'waitGroup', at, unit, pending: 0, isRead: false });
  }

  #waitGroup(step: Extract<Step, { op: 'waitGroup' }>): void {
    const { at, unit, pending, isRead } = step;
    const { actions, run, warp } = this.#scope;
    if (isTransfer(unit)) return this.#waitTransfers(at, unit);
    if (unit !== 'wgmma')
      return void actions.push({ kind: 'waitGroup', at, unit, pending, isRead });
    if (pending > 0 && run.timed !== null)
      actions.push({ kind: 'compute', at, cycles: run.timed.mmaPipelinedCycles });
    for (const last = this.#committed - pending - 1; this.#waited < last;) {
      const group = ++this.#waited;
      const barrier = run.groups.of(warp, group);
      actions.push({ kind: 'wait', at, barrier, parity: run.groups.parity(group), order: AUTO });
    }
  }
}

function isTransfer(unit: string): unit is Transfer {
  return unit === 'tensorLoad' || unit === 'tensorStore';
}

/** Whether two works write the same bytes. */
function overlap({ sets: one }: Uses, { sets: other }: Uses): boolean {
  return one.some(({ ranges }) => other.some((set) => doMeet(ranges, set.ranges)));
}

/** Whether sorted ranges have bytes in common. */
function doMeet(one: Ranges, other: Ranges): boolean {
  let next = 0;
  for (let index = 0; index < one.length; index += 2) {
    while (next < other.length && other[next + 1]! <= one[index]!) next += 2;
    if (next < other.length && other[next]! < one[index + 1]!) return true;
  }
  return false;
}

function joined(left: Uses, right: Uses): Uses {
  const sets: RangeSet[] = [...left.sets];
  for (const set of right.sets) if (!sets.includes(set)) sets.push(set);
  return { sets, agent: right.sets.length > 0 ? right.agent : left.agent, writer: null };
}
