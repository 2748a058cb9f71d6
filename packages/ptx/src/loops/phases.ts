// Phases of mbarriers in rounds, for states of arrivals, which name one: whether the machine stands
// at the ends of rounds as it did a round before, but for phases that are even numbers further on.
// Then any number of rounds may follow one another, and by the certificate, in which a step has
// one phase in every order (docs/explanation/certificate.md, T1), so it is in each order.
import type { ExecutedRun, WarpSteps } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';

/** By warp: its steps at the three ends of rounds; none where it has no loop. */
export type Ends = readonly (readonly number[])[];

/** What a step adds to a phase of an mbarrier, or waits for. */
interface PhaseUse {
  readonly barrier: number;
  readonly phase?: number;
  readonly arrivals: number;
}

/** Steps that count for phases without saying for which, or come in an order that is not known. */
const UNCOUNTED = new Set<Step['op']>([
  'commit',
  'expect',
  'complete',
  'poll',
  'signal',
  'last',
  'lanes',
  'gridWait',
  'allocate',
  'registers',
]);

/** More than the arrivals of a phase: bytes and arrivals are one number. */
const A_BYTE = 2 ** 21;

function contributions(step: Step): readonly PhaseUse[] {
  if (step.op === 'arrive' || step.op === 'asyncArrive') return [step];
  if (step.op !== 'copy') return [];
  return step.signals.map(({ bytes, ...signal }) => ({ ...signal, arrivals: bytes * A_BYTE }));
}

function usesOf(step: Step): readonly PhaseUse[] {
  return step.op === 'wait' ? [{ ...step, arrivals: 0 }] : contributions(step);
}

/** By how many phases each mbarrier advances in a round; `null` where it may not do so evenly. */
export function phasesOfRounds({ warps }: ExecutedRun, ends: Ends): Map<number, number> | null {
  const grown = new Map<number, number>();
  for (const [index, { steps }] of warps.entries()) {
    const [, from, to] = ends[index]!;
    if (from === undefined || to === undefined) continue;
    for (let at = from; at < to; at++) {
      if (UNCOUNTED.has(steps[at]!.op)) return null;
      const [before, now] = [steps[at - (to - from)]!, steps[at]!].map(usesOf);
      for (const [number, { barrier, phase }] of now!.entries()) {
        const last = before![number];
        if (last?.barrier !== barrier || last.phase === undefined || phase === undefined)
          return null;
        const more = phase - last.phase;
        if (more % 2 !== 0 || (grown.get(barrier) ?? more) !== more) return null;
        grown.set(barrier, more);
      }
    }
  }
  const standingAt = (end: number): Standing | null => {
    const cuts = ends.map((own) => own[end]);
    return standing(warps, cuts);
  };
  const [before, after] = [standingAt(1), standingAt(2)];
  if (before === null || after === null) return null;
  const moved = [...before.open].map(([key, count]) => {
    const [barrier, phase] = key.split(' ').map(Number) as [number, number];
    return [`${barrier} ${phase + (grown.get(barrier) ?? 0)}`, count] as const;
  });
  const isSame =
    moved.length === after.open.size &&
    moved.every(([key, count]) => after.open.get(key) === count);
  return isSame && before.meetings === after.meetings ? grown : null;
}

/** The machine where each warp has made some of its steps. */
interface Standing {
  /** By mbarrier and phase: what has arrived for phases that are not complete. */
  readonly open: ReadonlyMap<string, number>;
  /** Threads that have arrived at named barriers that are not complete. */
  readonly meetings: string;
}

/** `null` where warps cannot have made these steps and no others. */
function standing(
  warps: readonly WarpSteps[],
  cuts: readonly (number | undefined)[],
): Standing | null {
  const arrivals = arrivalsOf(warps, cuts);
  if (arrivals === null) return null;
  const { all, before, closed } = arrivals;
  // What completes one phase of an mbarrier completes each.
  const whole = new Map<string, number>();
  for (const key of closed) if (all.has(key)) whole.set(key.split(' ')[0]!, all.get(key)!);
  const isOver = (key: string): boolean => {
    // The phase before the first one is complete.
    if (key.endsWith(' -1')) return true;
    const come = before.get(key);
    return come !== undefined && come === all.get(key) && come === whole.get(key.split(' ')[0]!);
  };
  const meetings = new Meetings();
  for (const [index, warp] of warps.entries()) {
    const { steps } = warp;
    // A warp without a loop goes on until it would wait for what has not come.
    const end =
      cuts[index] ?? steps.findIndex((step) => step.op === 'wait' && !isOver(keyOf(step)));
    const executed = steps.slice(0, end < 0 ? steps.length : end);
    const isLate =
      cuts[index] === undefined && executed.some((step) => contributions(step).length > 0);
    if (isLate || executed.some((step) => step.op === 'wait' && !isOver(keyOf(step)))) return null;
    const isOf = (op: Step['op']): number => executed.filter((step) => step.op === op).length;
    if (isOf('clusterArrive') !== isOf('clusterWait')) return null;
    meetings.add(warp, executed.length, isOf('clusterWait'));
  }
  if (!meetings.areEven) return null;
  const open = new Map([...before].filter(([key]) => !isOver(key)));
  return { open, meetings: meetings.text };
}

/** What arrives at mbarriers by phase; `null` where a count changes, or a phase is not known. */
function arrivalsOf(warps: readonly WarpSteps[], cuts: readonly (number | undefined)[]) {
  const all = new Map<string, number>();
  /** In the steps before the cuts. */
  const before = new Map<string, number>();
  /** Phases that are complete in the whole run. */
  const closed = new Set<string>();
  for (const [index, { steps }] of warps.entries())
    for (const [at, step] of steps.entries()) {
      if (step.op === 'wait') closed.add(keyOf(step));
      if (step.op === 'arrive' && step.isDrop) return null;
      for (const use of contributions(step)) {
        if (use.phase === undefined) return null;
        add(all, keyOf(use), use.arrivals);
        if (use.phase > 0) closed.add(`${use.barrier} ${use.phase - 1}`);
        if (at < (cuts[index] ?? -1)) add(before, keyOf(use), use.arrivals);
      }
    }
  return { all, before, closed };
}

/** How often warps have come to barriers of threads. */
class Meetings {
  readonly #named = new Map<string, { arrived: number; threads: number; syncs: Set<number> }>();
  readonly #clusters = new Set<number>();

  /** Adds a warp that has executed the first `count` of its steps. */
  add({ cta, steps }: WarpSteps, count: number, clusterWaits: number): void {
    this.#clusters.add(clusterWaits);
    const syncs = new Map<string, number>();
    for (const [at, step] of steps.entries()) {
      if (step.op !== 'named') continue;
      const { threads } = step;
      const key = `${cta} ${step.id}`;
      let barrier = this.#named.get(key);
      if (barrier === undefined)
        this.#named.set(key, (barrier = { arrived: 0, threads, syncs: new Set() }));
      if (at < count) barrier.arrived += step.arriving;
      syncs.set(key, (syncs.get(key) ?? 0) + (at < count ? 1 : 0));
    }
    for (const [key, times] of syncs) this.#named.get(key)!.syncs.add(times);
  }

  /** Whether all that meet at a barrier have done so equally often: none is ahead. */
  get areEven(): boolean {
    const barriers = [...this.#named.values()];
    return this.#clusters.size <= 1 && barriers.every(({ syncs }) => syncs.size <= 1);
  }

  /** Threads that have arrived at named barriers that are not complete. */
  get text(): string {
    const arrivals = [...this.#named].map(
      ([key, { arrived, threads }]) => `${key} ${arrived % threads}`,
    );
    return arrivals.toSorted().join();
  }
}

function keyOf({ barrier, phase }: Pick<PhaseUse, 'barrier' | 'phase'>): string {
  return `${barrier} ${phase}`;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
