// Fences of all threads of a block around a barrier, and one relaxed access to a word by a thread
// for all of them: what each has fenced itself is visible to the whole GPU, so that the access
// carries it, as kernels rely on. The PTX ISA promises it for fences of that one thread alone.
import type { Assumption, WarpSteps } from '../steps/run.ts';
import { isGlobal } from '../steps/step.ts';
import type { PollStep, SignalStep, Step } from '../steps/step.ts';

const FENCES: ReadonlySet<string> = new Set(['acq_rel', 'sc']);
const H15 = 'H15 holds, which the PTX ISA does not promise:';

/** What a step of a warp is to the global memory of other blocks. */
type Event = 'fence' | 'write' | 'read' | null;

/** The steps of one warp, with the barriers at which all threads of its block meet. */
class Meetings {
  readonly steps: readonly Step[];
  readonly #all: number;
  /** The names of the meetings in their order, and at which step each is. */
  readonly #names = new Map<string, number>();

  constructor({ steps, threads }: WarpSteps, ofBlock: number) {
    this.steps = steps;
    this.#all = threads >= 32 ? -1 : 2 ** threads - 1;
    const counts = new Map<number, number>();
    for (const [index, step] of steps.entries()) {
      if (step.op !== 'named' || step.threads !== ofBlock || !step.isSync) continue;
      const count = counts.get(step.id) ?? 0;
      counts.set(step.id, count + 1);
      this.#names.set(`${step.id}:${count}`, index);
    }
  }

  /** Where the warp comes to a meeting; −1 where it does not. */
  at(name: string): number {
    return this.#names.get(name) ?? -1;
  }

  /** The last meeting before a step. */
  before(index: number): string | undefined {
    return [...this.#names].findLast(([, at]) => at < index)?.[0];
  }

  /** The first meeting after a step. */
  after(index: number): string | undefined {
    return [...this.#names].find(([, at]) => at > index)?.[0];
  }

  /** Whether all that the warp wrote before a step is fenced, but for the step itself. */
  isFenced(index: number): boolean {
    const { at } = this.steps[index]!;
    for (let one = index - 1; one >= 0; one--) {
      const event = this.steps[one]!.at === at ? null : this.#event(one);
      if (event === 'fence') return true;
      if (event === 'write') return false;
    }
    return true;
  }

  /** Whether the warp reads nothing after a step without a fence before; up to another one. */
  readsFenced(index: number, end = this.steps.length): boolean {
    for (let one = index + 1; one < end; one++) {
      const event = this.#event(one);
      if (event === 'fence') return true;
      if (event === 'read') return false;
    }
    return true;
  }

  #event(index: number): Event {
    const step = this.steps[index]!;
    if (step.op === 'fence') {
      const isOfAll = (step.lanes ?? this.#all) === this.#all;
      return isOfAll && step.scope === 'gpu' && FENCES.has(step.fence) ? 'fence' : null;
    }
    if (step.op !== 'access') return null;
    if (step.writes.some((place) => isGlobal(place))) return 'write';
    return step.reads.some((place) => isGlobal(place)) ? 'read' : null;
  }
}

/** The warps of a run, with signals and polls that carry what their blocks have fenced. */
export function withFencedMeetings(
  warps: readonly WarpSteps[],
  threads: number,
): { readonly warps: readonly WarpSteps[]; readonly assumptions: readonly Assumption[] } {
  const isRelaxed = (step: Step): step is PollStep | SignalStep =>
    (step.op === 'signal' || step.op === 'poll') && step.sem === 'relaxed';
  if (!warps.some(({ steps }) => steps.some(isRelaxed))) return { warps, assumptions: [] };
  const meetings = warps.map((warp) => new Meetings(warp, threads));
  const found = new Map<string, Assumption>();
  const changed = warps.map((warp, own): WarpSteps => {
    const others = meetings.filter((_, index) => warps[index]!.cta === warp.cta);
    const steps = warp.steps.map((step, index): Step => {
      if (!isRelaxed(step)) return step;
      const carries =
        step.op === 'signal'
          ? isReleased(meetings[own]!, others, index)
          : isAcquired(meetings[own]!, others, index);
      if (!carries) return step;
      const text =
        step.op === 'signal'
          ? `${H15} a signal carries what other threads fenced before a barrier`
          : `${H15} a wait counts for other threads that fence behind a barrier`;
      found.set(`${step.op} ${step.at}`, { at: step.at, text, isPractice: true });
      return { ...step, sem: undefined };
    });
    return { ...warp, steps };
  });
  return { warps: changed, assumptions: [...found.values()] };
}

/** Whether all threads have fenced what they wrote before they met before a signal. */
function isReleased(own: Meetings, others: readonly Meetings[], index: number): boolean {
  const name = own.before(index);
  if (name === undefined || !own.isFenced(index)) return false;
  return others.every((warp) => warp.at(name) >= 0 && warp.isFenced(warp.at(name)));
}

/** Whether all threads fence before they read what a wait lets them know. */
function isAcquired(own: Meetings, others: readonly Meetings[], index: number): boolean {
  const name = own.after(index);
  if (name === undefined || !own.readsFenced(index, own.at(name))) return false;
  return others.every((warp) => warp.at(name) >= 0 && warp.readsFenced(warp.at(name)));
}
