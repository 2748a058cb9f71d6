// When each role reaches its operations, when they take effect, and when it goes on.
import { isStageTest, isWait, OpKind } from '@poundlock/core/internal/op';
import type { Actor } from './actor.ts';
import type { Costs } from './model.ts';
import { Polling } from './polling.ts';
import { Prices } from './prices.ts';
import type { StepNode } from './step-graph.ts';
import type { Units } from './units.ts';

/** A fence goes to the memory and back, each time behind the requests of other SMs. */
const FENCE_WAYS = 2;

/** The times of the roles of a run, in cycles; arrays, as passing a number may allocate. */
export class RoleTimes {
  readonly #costs: Costs;
  readonly #prices: Prices;
  readonly #polling: Polling;
  /** By role: when its operation takes effect. */
  readonly at: Float64Array;
  /** By role: when it reached its operation; for a wait, also when it polled first. */
  readonly reachedAt: Float64Array;
  readonly #firstPoll: Float64Array;
  /** By role: when the values of its loads are there. */
  readonly #loaded: Float64Array;
  /** By role: the price of its last operation that took time. */
  readonly #last: Int32Array;

  constructor(costs: Costs, roles: number, isTiled: boolean) {
    this.#costs = costs;
    this.#prices = new Prices(costs, isTiled);
    this.#polling = new Polling(costs);
    this.at = new Float64Array(roles);
    this.reachedAt = new Float64Array(roles);
    this.#firstPoll = new Float64Array(roles);
    this.#loaded = new Float64Array(roles);
    this.#last = new Int32Array(roles);
  }

  /** All roles start. */
  start(): void {
    this.at.fill(this.#costs.launchCycles);
  }

  /** A round of a loop begins with a look at its bound: nothing of it overlaps what was before. */
  startRound(role: number): void {
    this.#last[role] = 0;
  }

  /** A role reaches a visible operation, which takes effect after its `before` price. */
  reach(role: number, { priceAt, arrivals }: StepNode): void {
    const { before, begins, overlapByWaits, latency } = this.#prices;
    let time = this.at[role]!;
    if (this.#loaded[role]! > time && latency[priceAt] === 0) time = this.#loaded[role]!;
    this.reachedAt[role] = time;
    const overlap = begins[priceAt] === 1 ? overlapByWaits[this.#last[role]!]! : 0;
    this.at[role] = time - overlap + before[priceAt]! + arrivals * this.#costs.laneArriveCycles;
  }

  /** The operation of a role has taken effect, and holds it for its `after` price. */
  leave(actor: Actor, node: StepNode, units: Units): void {
    const { priceAt, isRemote, instruction, workCycles } = node;
    const { role } = actor;
    const { after, overlap, latency } = this.#prices;
    if (latency[priceAt]! > 0) {
      this.#loaded[role] = Math.max(this.#loaded[role]!, this.at[role]! + latency[priceAt]!);
    }
    if (node.kind === OpKind.asyncCopy && units.worksAt(instruction!.cta, this.at[role]!)) {
      this.at[role]! += this.#costs.mmaCopyCycles;
    }
    this.at[role]! += after[priceAt]!;
    if (overlap[priceAt]! >= 0) this.#last[role] = priceAt;
    if (isRemote) {
      const { cta } = instruction!;
      const queued = FENCE_WAYS * units.delayAt(cta, this.at[role]!);
      this.at[role]! += this.#costs.remoteHoldCycles + queued;
      actor.heldIn = cta;
    }
    if (workCycles === 0) return;
    this.at[role]! += workCycles * this.#costs.mmaIssueShare;
    this.#prices.tensorCoreWorks();
  }

  /** Whether copies into its SM hold a role longer that has arrived at another CTA. */
  isHeld(actor: Actor, units: Units): boolean {
    const { role, heldIn } = actor;
    const until = units.arrivedAt(heldIn) + this.#costs.remoteFlushCycles;
    actor.heldIn = -1;
    if (until <= this.at[role]!) return false;
    this.at[role] = until;
    return true;
  }

  /** Advances the time of a role by the duration of `compute`. */
  compute(role: number, cycles: number): void {
    const overlap = this.#prices.overlap[this.#last[role]!]!;
    this.at[role] = Math.max(this.at[role]!, this.#loaded[role]!);
    this.at[role]! += this.#prices.compute(cycles, overlap);
    this.#last[role] = 0;
  }

  /** A role reaches a wait. */
  poll(role: number): void {
    this.#firstPoll[role] = this.at[role]!;
  }

  /** Delays a role from what ended its wait to when it has noticed. */
  awake({ role, style }: Actor, kind: OpKind, drainCycles: number): void {
    if (kind === OpKind.waitGroup) this.at[role]! += drainCycles;
    else if (isStageTest(kind)) this.#polling.delay(style, this.at, role, this.#firstPoll);
    else if (isWait(kind)) this.at[role]! += this.#costs.signalCycles;
  }

  /** How much later than it could have been an operation takes effect. */
  lateness(role: number, { priceAt, arrivals }: StepNode): number {
    const price = this.#prices.before[priceAt]! + arrivals * this.#costs.laneArriveCycles;
    return this.at[role]! - this.reachedAt[role]! - price;
  }

  /** When a role goes on after an operation. */
  endOf(role: number, { priceAt }: StepNode): number {
    return this.at[role]! + this.#prices.after[priceAt]!;
  }
}
