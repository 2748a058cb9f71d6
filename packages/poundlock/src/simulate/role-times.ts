// When each role reaches its operations, when they take effect, and when it goes on.
import { isStageTest, isWait, OpKind } from '@poundlock/core/internal/op';
import { Actor } from './actor.ts';
import type { Costs } from './model.ts';
import { Polling } from './polling.ts';
import { type Price, Prices } from './prices.ts';
import type { StepNode } from './step-graph.ts';
import type { StepSource } from './step-source.ts';
import type { Units } from './units.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { asyncCopy: ASYNC_COPY, waitGroup: WAIT_GROUP } = OpKind;
const { waitParity: WAIT_PARITY, syncNamed: SYNC_NAMED } = OpKind;

/** A fence goes to the memory and back, each time behind the requests of other SMs. */
const FENCE_WAYS = 2;

/**
 * Computes the times of the roles of a run, in cycles, which their {@link Actor}s have. It compares
 * fields with `true`, as the loop of the simulation does.
 */
export class RoleTimes {
  readonly #costs: Costs;
  readonly #prices: Prices;
  readonly #list: readonly Price[];
  readonly #polling: Polling;
  readonly #laneArriveCycles: number;
  readonly #isTimed: boolean;
  /** The price of a role that has just looked at the bound of a loop, or worked. */
  readonly idle: Price;

  constructor(costs: Costs, isTiled: boolean, isTimed = false) {
    this.#isTimed = isTimed;
    this.#costs = costs;
    this.#prices = new Prices(costs, isTiled, isTimed);
    this.#list = this.#prices.list;
    this.idle = this.#prices.idle;
    this.#polling = new Polling(costs);
    this.#laneArriveCycles = costs.laneArriveCycles;
  }

  /** The state of a role before a run. */
  actorOf(role: number, source: StepSource, style: number): Actor {
    return new Actor(role, source, style, this.#prices.idle);
  }

  /** Resets the times of a role to those of a CTA that starts at a time. */
  reset(actor: Actor, at: number): void {
    actor.at = at + this.#costs.launchCycles;
    actor.reachedAt = actor.firstPoll = actor.loaded = at;
  }

  /** A round of a loop begins with a look at its bound: nothing of it overlaps what was before. */
  startRound(actor: Actor): void {
    actor.last = this.idle;
  }

  /** A role reaches a visible operation at a time: it takes effect after its `before` price. */
  reach(actor: Actor, { priceAt, arrivals }: StepNode, from: number): void {
    const price = this.#list[priceAt]!;
    const { loaded } = actor;
    let time = from;
    if (loaded > time && price.isLoad !== true) time = loaded;
    actor.reachedAt = time;
    if (price.begins === true) time -= actor.last.overlapByWaits;
    time += price.before;
    if (arrivals > 0) time += arrivals * this.#laneArriveCycles;
    actor.at = time;
  }

  /** The price of an operation. */
  priceOf({ priceAt }: StepNode): Price {
    return this.#list[priceAt]!;
  }

  /** The operation of a role has taken effect, and holds it for its `after` price. */
  leave(actor: Actor, node: StepNode, units: Units): void {
    const price = this.#list[node.priceAt]!;
    if (price.isLoad === true) actor.loaded = Math.max(actor.loaded, actor.at + price.latency);
    if (node.kind === ASYNC_COPY && units.worksAt(node.instruction!.cta, actor.at)) {
      actor.at += this.#costs.mmaCopyCycles;
    }
    if (price.takesTime === true) {
      actor.at += price.after;
      actor.last = price;
    }
    if (node.isRemote === true) this.#holdRemote(actor, node, units);
    if (node.workCycles > 0) this.#issueWork(actor, node);
    if (node.threadCopies > 0 && !this.#isTimed) this.#copyByThreads(actor, node);
  }

  #holdRemote(actor: Actor, { instruction }: StepNode, units: Units): void {
    const { cta } = instruction!;
    const queued = FENCE_WAYS * units.fenceDelayAt(cta, actor.at);
    actor.at += this.#costs.remoteHoldCycles + queued;
    actor.heldIn = cta;
  }

  /** Each thread issues its copies, and arrives for itself. */
  #copyByThreads(actor: Actor, { threadCopies, threads }: StepNode): void {
    actor.at += threadCopies * this.#costs.threadCopyCycles + threads * this.#laneArriveCycles;
  }

  #issueWork(actor: Actor, { workCycles }: StepNode): void {
    actor.at += workCycles * this.#costs.mmaIssueShare;
    this.#prices.tensorCoreWorks();
  }

  /** Whether copies into its SM hold a role longer that has arrived at another CTA. */
  isHeld(actor: Actor, units: Units): boolean {
    const until = units.arrivedAt(actor.heldIn) + this.#costs.remoteFlushCycles;
    actor.heldIn = -1;
    if (until <= actor.at) return false;
    actor.at = until;
    return true;
  }

  /** How long `compute` takes after an operation of that price. */
  durationOf(cycles: number, last: Price): number {
    return this.#prices.compute(cycles, last.overlap);
  }

  /** Advances the time of a role by the duration of `compute`. */
  compute(actor: Actor, cycles: number): void {
    actor.at = Math.max(actor.at, actor.loaded);
    actor.at += this.durationOf(cycles, actor.last);
    actor.last = this.idle;
  }

  /** Delays a role from what ended its wait to when it has noticed. */
  awake(
    actor: Actor,
    { kind, isGroupWait }: Pick<StepNode, 'kind' | 'isGroupWait'>,
    drainCycles: number,
  ): void {
    if (kind === WAIT_GROUP) actor.at += drainCycles;
    else if (this.#isTimed && isGroupWait) actor.at += this.#costs.mmaDrainCycles;
    else if (isStageTest(kind) || (this.#isTimed && kind === WAIT_PARITY))
      this.#polling.delay(actor);
    else if (this.#isTimed && kind === SYNC_NAMED) actor.at += this.#costs.namedBarrierCycles;
    else if (isWait(kind)) actor.at += this.#costs.signalCycles;
  }

  /** How much later than it could have been an operation takes effect. */
  lateness(actor: Actor, { priceAt, arrivals }: StepNode): number {
    const price = this.#list[priceAt]!.before + arrivals * this.#laneArriveCycles;
    return actor.at - actor.reachedAt - price;
  }

  /** When a role goes on after an operation. */
  endOf(actor: Actor, { priceAt }: StepNode): number {
    return actor.at + this.#list[priceAt]!.after;
  }
}
