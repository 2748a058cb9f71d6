// What each lane of a warp knows of the steps of each other lane within a segment.
import type { Step } from '../steps/step.ts';
import { LANES, lanesOf } from './mask.ts';

/** Steps of lanes, by number, as lanes know them: by joins, and by barriers of their own. */
export class LaneOrder {
  /** By lane: the last step of each lane that it knows; −1 for none. */
  readonly #known = Array.from({ length: LANES }, () => new Int32Array(LANES).fill(-1));
  /** By mbarrier and phase: what those that arrived knew. */
  readonly #sent = new Map<string, Int32Array>();
  /** By lane: its last step that may have brought it news of other lanes. */
  readonly #entered = new Int32Array(LANES).fill(-1);

  /** Whether a lane knows a step of another one. */
  knows(lane: number, other: number, step: number): boolean {
    return this.#known[lane]![other]! >= step;
  }

  /** The last step of a lane that may have brought it news; −1 for none. */
  entered(lane: number): number {
    return this.#entered[lane]!;
  }

  /** A step of some lanes. */
  make(at: number, step: Step, makers: number): void {
    const lanes = lanesOf(makers);
    if (step.op === 'join') {
      const all = new Int32Array(LANES).fill(-1);
      for (const lane of lanes) raise(all, this.#known[lane]!);
      for (const lane of lanes) raise(this.#known[lane]!, all);
    }
    const seen = this.#seenBy(step);
    if (seen !== undefined) for (const lane of lanes) raise(this.#known[lane]!, seen);
    for (const lane of lanes) this.#known[lane]![lane] = at;
    if (mayBringNews(step)) for (const lane of lanes) this.#entered[lane] = at;
    if (step.op === 'clusterArrive') this.#rounds++;
    const key = this.#sentTo(step);
    if (key === null) return;
    let sent = this.#sent.get(key);
    if (sent === undefined) this.#sent.set(key, (sent = new Int32Array(LANES).fill(-1)));
    for (const lane of lanes) raise(sent, this.#known[lane]!);
  }

  /** Arrivals of the warp at the barrier of the cluster. */
  #rounds = 0;

  /** The phase that a step signals for; `null` for one that does not. */
  #sentTo(step: Step): string | null {
    if (step.op === 'clusterArrive') return `cluster,${this.#rounds}`;
    return step.op === 'arrive' || step.op === 'asyncArrive'
      ? `${step.barrier},${step.phase}`
      : null;
  }

  /** What lanes learn by a wait. */
  #seenBy(step: Step): Int32Array | undefined {
    if (step.op === 'clusterWait') return this.#sent.get(`cluster,${this.#rounds}`);
    return step.op === 'wait' ? this.#sent.get(`${step.barrier},${step.phase}`) : undefined;
  }
}

/** Whether a step may order its lanes after steps of others. */
function mayBringNews({ op }: Step): boolean {
  return op === 'wait' || op === 'named' || op === 'clusterWait' || op === 'join' || op === 'last';
}

function raise(to: Int32Array, from: Int32Array): void {
  for (let lane = 0; lane < LANES; lane++) if (from[lane]! > to[lane]!) to[lane] = from[lane]!;
}
