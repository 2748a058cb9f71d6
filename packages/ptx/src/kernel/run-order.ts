// What each warp knows of the steps of the others in a run: by barriers of threads, of the cluster,
// and by mbarriers.
import type { NamedStep, Step } from '../steps/step.ts';
import type { WarpSteps } from '../steps/run.ts';

/** One use of a barrier of threads: who has come, and what they knew. */
interface Meeting {
  readonly known: Int32Array;
  threads: number;
  isComplete: boolean;
}

/** The steps of a run, in an order in which they can happen. */
export class RunOrder {
  readonly #warps: readonly WarpSteps[];
  /** By warp: how many steps of each other one it knows. */
  readonly #known: readonly Int32Array[];
  /** By mbarrier and phase: how many steps signal for it, and what those that did knew. */
  readonly #missing = new Map<string, number>();
  readonly #sent = new Map<string, Int32Array>();
  readonly #meetings = new Map<string, Meeting>();
  /** By warp: where it waits, and how often it has arrived at the barrier of the cluster. */
  readonly #waiting: (Meeting | null)[];
  readonly #rounds: number[];

  constructor(warps: readonly WarpSteps[]) {
    this.#warps = warps;
    this.#known = warps.map(() => new Int32Array(warps.length));
    this.#waiting = warps.map(() => null);
    this.#rounds = warps.map(() => 0);
    for (const { steps } of warps) {
      let rounds = 0;
      for (const step of steps)
        for (const key of sentBy(step, step.op === 'clusterArrive' ? ++rounds : 0))
          this.#missing.set(key, (this.#missing.get(key) ?? 0) + 1);
    }
  }

  /** Visits the steps of all warps by their numbers in the list; whether it comes to all. */
  visit(see: (warp: number, at: number, step: Step) => void): boolean {
    const next = this.#warps.map(() => 0);
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      for (const [warp, { steps }] of this.#warps.entries())
        for (let at = next[warp]!; at < steps.length; at = next[warp]!) {
          const step = steps[at]!;
          if (!this.#passes(warp, step)) break;
          next[warp] = at + 1;
          this.#known[warp]![warp] = at + 1;
          see(warp, at, step);
          this.#send(warp, step);
          isMoving = true;
        }
    }
    return this.#warps.every(({ steps }, warp) => next[warp] === steps.length);
  }

  /** Whether a warp knows a step of another one. */
  knows(warp: number, other: number, at: number): boolean {
    return this.#known[warp]![other]! > at;
  }

  /** Whether a step is over, which then brings what it brings. */
  #passes(warp: number, step: Step): boolean {
    if (step.op === 'named') return this.#meets(warp, step);
    const key = this.#waitedFor(warp, step);
    if (key === null) return true;
    if ((this.#missing.get(key) ?? 0) > 0) return false;
    const sent = this.#sent.get(key);
    if (sent !== undefined) raise(this.#known[warp]!, sent);
    return true;
  }

  #waitedFor(warp: number, step: Step): string | null {
    if (step.op === 'clusterWait') return `cluster,${this.#rounds[warp]}`;
    return step.op === 'wait' && step.phase !== undefined ? `${step.barrier},${step.phase}` : null;
  }

  #meets(warp: number, { id, threads, arriving, isSync }: NamedStep): boolean {
    const waiting = this.#waiting[warp]!;
    const key = `${this.#warps[warp]!.cta} ${id}`;
    let meeting = waiting ?? this.#meetings.get(key);
    if (meeting === undefined) {
      const known = new Int32Array(this.#warps.length);
      this.#meetings.set(key, (meeting = { known, threads: 0, isComplete: false }));
    }
    if (waiting === null) {
      raise(meeting.known, this.#known[warp]!);
      meeting.threads += arriving;
      meeting.isComplete = meeting.threads >= threads;
      if (meeting.isComplete) this.#meetings.delete(key);
    }
    const isOver = !isSync || meeting.isComplete;
    this.#waiting[warp] = isOver ? null : meeting;
    if (isOver && isSync) raise(this.#known[warp]!, meeting.known);
    return isOver;
  }

  #send(warp: number, step: Step): void {
    if (step.op === 'clusterArrive') this.#rounds[warp]!++;
    for (const key of sentBy(step, this.#rounds[warp]!)) {
      this.#missing.set(key, this.#missing.get(key)! - 1);
      let sent = this.#sent.get(key);
      if (sent === undefined) this.#sent.set(key, (sent = new Int32Array(this.#warps.length)));
      raise(sent, this.#known[warp]!);
    }
  }
}

/** What a step signals for. */
function sentBy(step: Step, rounds: number): string[] {
  switch (step.op) {
    case 'arrive':
    case 'asyncArrive':
      return [`${step.barrier},${step.phase}`];
    case 'copy':
      return step.signals.map(({ barrier, phase }) => `${barrier},${phase}`);
    case 'clusterArrive':
      return [`cluster,${rounds}`];
    default:
      return [];
  }
}

function raise(to: Int32Array, from: Int32Array): void {
  for (let index = 0; index < to.length; index++)
    if (from[index]! > to[index]!) to[index] = from[index]!;
}
