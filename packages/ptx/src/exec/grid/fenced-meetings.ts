// Fences of all threads of a block around a barrier, and one relaxed access to a word by a thread
// for all of them: what each has fenced itself is visible to the whole GPU, so that the access
// carries it, as kernels rely on. The PTX ISA promises it for fences of that one thread alone.
import type { Assumption, WarpSteps } from '../../steps/run.ts';
import { isGlobal } from '../../steps/step.ts';
import type { PollStep, SignalStep, Step } from '../../steps/step.ts';

const FENCES: ReadonlySet<string> = new Set(['acq_rel', 'sc']);
const H15 = 'H15 holds, which the PTX ISA does not promise:';

/** Steps that bring what other threads know, or let others know, without a meeting of threads. */
const BRINGING: ReadonlySet<Step['op']> = new Set(['wait', 'poll', 'clusterWait', 'gridWait']);
const PASSING: ReadonlySet<Step['op']> = new Set(['signal', 'arrive', 'clusterArrive', 'commit']);

/** What a step of a warp is to the global memory of other blocks. */
type Event = 'fence' | 'write' | 'read' | 'brings' | 'passes' | 'meets' | null;

/** A place in the steps of a warp. */
interface Place {
  readonly warp: Moments;
  readonly index: number;
}

/** The steps of one warp, with the barriers at which it meets others. */
class Moments {
  readonly steps: readonly Step[];
  readonly cta: number;
  readonly #all: number;
  /** By step: the name of the meeting, the same for all who meet. */
  readonly names = new Map<number, string>();
  /** Waits for asynchronous work that has written global memory: it is over behind them. */
  readonly #waits = new Set<Step>();

  constructor({ steps, threads, cta }: WarpSteps) {
    this.steps = steps;
    this.cta = cta;
    this.#all = threads >= 32 ? -1 : 2 ** threads - 1;
    const counts = new Map<number, number>();
    const open = new Set<string>();
    for (const [index, step] of steps.entries()) {
      if (step.op === 'use' && step.writes.some((place) => isGlobal(place))) open.add(step.unit);
      if (step.op === 'waitGroup' && open.has(step.unit)) this.#waits.add(step);
      if (step.op !== 'named') continue;
      const count = counts.get(step.id) ?? 0;
      counts.set(step.id, count + 1);
      this.names.set(index, `${cta} ${step.id} ${count}`);
    }
  }

  event(index: number): Event {
    const step = this.steps[index]!;
    if (step.op === 'fence') {
      const isOfAll = (step.lanes ?? this.#all) === this.#all;
      return isOfAll && step.scope === 'gpu' && FENCES.has(step.fence) ? 'fence' : null;
    }
    if (step.op === 'named') return 'meets';
    if (BRINGING.has(step.op)) return 'brings';
    if (PASSING.has(step.op)) return 'passes';
    if (this.#waits.has(step)) return 'write';
    if (step.op !== 'access' && step.op !== 'use' && step.op !== 'copy') return null;
    if (step.writes.some((place) => isGlobal(place))) return 'write';
    return step.reads.some((place) => isGlobal(place)) ? 'read' : null;
  }
}

/** The meetings of all warps. */
class Meetings {
  readonly #places = new Map<string, Place[]>();
  /** By barrier: threads of each round; −1 where its rounds are not those of each warp. */
  readonly #isFull = new Map<string, boolean>();

  constructor(all: readonly Moments[], warps: readonly WarpSteps[]) {
    const threads = new Map<string, { of: Set<number>; warps: number; rounds: Set<number> }>();
    for (const [number, warp] of all.entries()) {
      const rounds = new Map<string, number>();
      for (const [index, name] of warp.names) {
        const step = warp.steps[index]!;
        if (step.op !== 'named') continue;
        const barrier = `${warp.cta} ${step.id}`;
        const known = threads.get(barrier) ?? { of: new Set(), warps: 0, rounds: new Set() };
        threads.set(barrier, known);
        known.of.add(step.threads);
        const round = (rounds.get(barrier) ?? 0) + 1;
        if (round === 1) known.warps += Math.min(32, warps[number]!.threads);
        rounds.set(barrier, round);
        this.#places.set(name, [...(this.#places.get(name) ?? []), { warp, index }]);
      }
      for (const [barrier, round] of rounds) threads.get(barrier)!.rounds.add(round);
    }
    for (const [barrier, { of, warps: sum, rounds }] of threads)
      this.#isFull.set(barrier, of.size === 1 && rounds.size === 1 && of.has(sum));
  }

  /** All who meet where a warp does; `null` where that is not known. */
  #at(warp: Moments, index: number): readonly Place[] | null {
    const name = warp.names.get(index)!;
    const isFull = this.#isFull.get(name.slice(0, name.lastIndexOf(' '))) === true;
    return isFull ? this.#places.get(name)! : null;
  }

  /**
   * Whether threads met before a step, and all that it may carry was fenced by one that knew it.
   */
  isReleased(place: Place): boolean {
    return this.#holds(place, -1, 'write', 'brings');
  }

  /** Whether threads meet behind a step, and all of them fence before they use what it brings. */
  isAcquired(place: Place): boolean {
    return this.#holds(place, 1, 'read', 'passes');
  }

  /** Walks from a step to the next fence, and from there where threads meet, with all of them. */
  #holds(place: Place, by: 1 | -1, ...against: Event[]): boolean {
    const open = [place];
    const seen = new Set<string>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { warp, index } = next;
      const { at } = warp.steps[index]!;
      let one = index + by;
      // An access is several steps.
      while (warp.steps[one]?.at === at) one += by;
      for (; one >= 0 && one < warp.steps.length; one += by) {
        const event = warp.event(one);
        if (event === 'fence') break;
        if (against.includes(event)) return false;
        if (event !== 'meets') continue;
        const name = warp.names.get(one)!;
        const all = this.#at(warp, one);
        if (all === null) return false;
        if (!seen.has(name)) open.push(...all);
        seen.add(name);
        break;
      }
    }
    return seen.size > 0;
  }
}

/** The warps of a run, with signals and polls that carry what their blocks have fenced. */
export function withFencedMeetings(warps: readonly WarpSteps[]): {
  readonly warps: readonly WarpSteps[];
  readonly assumptions: readonly Assumption[];
} {
  const isRelaxed = (step: Step): step is PollStep | SignalStep =>
    (step.op === 'signal' || step.op === 'poll') && step.sem === 'relaxed';
  if (!warps.some(({ steps }) => steps.some(isRelaxed))) return { warps, assumptions: [] };
  const moments = warps.map((warp) => new Moments(warp));
  const meetings = new Meetings(moments, warps);
  const found = new Map<string, Assumption>();
  const changed = warps.map((warp, own): WarpSteps => {
    const steps = warp.steps.map((step, index): Step => {
      if (!isRelaxed(step)) return step;
      const place = { warp: moments[own]!, index };
      const carries =
        step.op === 'signal' ? meetings.isReleased(place) : meetings.isAcquired(place);
      if (!carries) return step;
      const text =
        step.op === 'signal'
          ? `${H15} a signal carries what other threads fenced before a barrier`
          : `${H15} a wait counts for other threads that fence behind a barrier`;
      found.set(`${step.op} ${step.at}`, { name: 'H15', at: step.at, text });
      return { ...step, sem: undefined };
    });
    return { ...warp, steps };
  });
  return { warps: changed, assumptions: [...found.values()] };
}
