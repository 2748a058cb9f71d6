// One side of a pipeline: the operations on its register, created once and reused.
import { makeOp, OpKind, Side, type Op, type OpOf } from '../op/index.ts';
import { currentRole, ghost, Operation, post, postOwn, postMisuse } from '../program/index.ts';
import { requireLanes } from '../program/index.ts';
import { Acquire } from './compiled-stage.ts';
import type { Advance, RingDeclaration } from './ring.ts';
import { signalOf, Stage } from './stage.ts';

/** A class of handles of acquired stages. */
export type StageClass<H> = new (ring: RingDeclaration, side: Side, stage: number, id: number) => H;

/**
 * The producing or the consuming side of a ring, with the counter of each role that uses it. Its
 * operations are to be kept, and handed to the program by {@link created} each time.
 *
 * @example
 * return [
 *   role('fill', function* () {
 *     const stage = yield* created(producer.stage);
 *     const slot = yield* created(fill);
 *     if (slot.index === stage) slot.release();
 *   }),
 *   role('empty', function* () {
 *     (yield* created(empty)).release();
 *   }),
 * ];
 */
export class Endpoint {
  /**
   * Moves the role's counter on (R03).
   *
   * @internal
   */
  readonly stepOp: Op;
  /** When the counter advances. */
  readonly advance: Advance;
  readonly #ring: RingDeclaration;
  readonly #side: Side;
  readonly #signals: OpOf<typeof OpKind.arrive>[] = [];
  // Created when first used: a kernel uses few of them, and is called for each role again.
  #wait: Operation<number> | undefined;
  #drainWait: Operation<number> | undefined;
  #skipWait: Operation<number> | undefined;
  #tryWait: Operation<boolean> | undefined;
  #stage: Operation<number> | undefined;
  #signalAndStep: Operation<void> | undefined;
  #postedWait: Op | undefined;

  /** Creates the side `side` of a ring. */
  constructor(ring: RingDeclaration, side: Side) {
    this.#ring = ring;
    this.#side = side;
    this.stepOp = ring.steps[side]!;
    this.advance = ring.advance;
  }

  /** Blocks until the other side has signaled the next stage, and answers its number (R02). */
  get wait(): Operation<number> {
    return (this.#wait ??= new Operation(this.#waitOp(), asIs, `wait${this.#other()}()`));
  }

  /** As {@link wait}, for a stage that is not filled again. */
  get drainWait(): Operation<number> {
    return (this.#drainWait ??= new Operation(this.#waitOp(false, true), asIs, 'drain()'));
  }

  /** As {@link wait}, where a try of that stage has succeeded: it tests nothing (R08). */
  get skipWait(): Operation<number> {
    const call = `wait${this.#other()}IfNeeded()`;
    return (this.#skipWait ??= new Operation(this.#waitOp(true), asIs, call));
  }

  /** Tests once whether the other side has signaled the next stage (M08). */
  get tryWait(): Operation<boolean> {
    return (this.#tryWait ??= this.#makeTryWait());
  }

  /** The number of the next stage (R07). */
  get stage(): Operation<number> {
    return (this.#stage ??= this.#makeStage());
  }

  /**
   * Blocks as {@link wait} does; then every thread signals that stage, and the counter advances.
   */
  get signalAndStep(): Operation<void> {
    return (this.#signalAndStep ??= this.#makeSignalAndStep());
  }

  /**
   * Waits for the next stage and hands it out; moves on where that happens at the acquire. With
   * `skips` a try has said that the wait would pass, and it tests nothing (R08).
   */
  acquire<H extends Stage>(Handle: StageClass<H>, call: string, skips = false): Operation<H> {
    return new Acquire(this, this.#waitOp(skips), Handle, call);
  }

  /**
   * The handle of a stage that was waited for; moves on where that happens at the acquire.
   *
   * @internal
   */
  take<H extends Stage>(stage: number, Handle: StageClass<H>): H {
    const handle = this.hand(stage, Handle);
    if (this.advance === 'acquire') this.step();
    return handle;
  }

  /**
   * Waits for the next stage, without a step, and answers what `take` makes of it. With `skips` a
   * try has made the wait needless (R08).
   */
  waitThen<T>(take: (stage: number) => T, call: string, skips: boolean): Operation<T> {
    return new Operation(this.#waitOp(skips), take, call);
  }

  /**
   * Takes the next stage of the register that all roles share, or none (R05).
   *
   * @internal
   */
  claim<H extends Stage>(Handle: StageClass<H>): Operation<H | null> {
    const op = makeOp(OpKind.tryClaim, { ring: this.#ring.id, side: this.#side });
    const take = (stage: number): H | null => (stage < 0 ? null : this.hand(stage, Handle));
    return new Operation(op, take, 'tryClaim()');
  }

  /** Waits for the next stage before the role's next operation: for the end of a scope (P02). */
  postWait(): void {
    post((this.#postedWait ??= this.#waitOp()));
  }

  /** Moves on. A step that only some threads of the role make is a finding (R03). */
  step(lanes?: number): void {
    const { role, ownership } = currentRole('a step');
    const { id: ring } = this.#ring;
    if (lanes !== undefined) requireLanes(lanes, role.lanes);
    if (lanes !== undefined && lanes < role.lanes) {
      postMisuse(OpKind.use, 'divergent-step', { ring, side: this.#side, index: -1 });
    }
    ownership.stepped(ring, this.#side);
    post(this.stepOp);
  }

  /** The handle of a stage that the running role owns from now on. */
  hand<H extends Stage>(stage: number, Handle: StageClass<H>): H {
    const context = currentRole('an acquire');
    const handle = new Handle(this.#ring, this.#side, stage, context.ownership.nextId++);
    handle.role = context.index;
    handle.stretch = context.ownership.stretch;
    handle.acquiredAfter = context.ownership.stepsOf(this.#ring.id, this.#side);
    if (context.capture) handle.acquiredAt = context.position();
    ghost(OpKind.own, handle, 0, handle.acquiredAt);
    return handle;
  }

  /** A handle of a stage that the running role does not own: nothing has to release it. */
  view<H extends Stage>(stage: number, Handle: StageClass<H>): H {
    const { ownership } = currentRole('an acquire');
    return new Handle(this.#ring, this.#side, stage, ownership.nextId++);
  }

  /** The handle by which the running role owns a stage, through the ring or a fork of it. */
  held(stage: number): Stage | undefined {
    for (const { handle } of currentRole('a handle').ownership.live.values()) {
      if (!(handle instanceof Stage) || handle.owner.full !== this.#ring.full) continue;
      if (handle.side === this.#side && handle.index === stage) return handle;
    }
    return undefined;
  }

  #makeTryWait(): Operation<boolean> {
    const op = makeOp(OpKind.tryWaitStage, { ring: this.#ring.id, side: this.#side });
    return new Operation(op, (answer) => answer === 1, `tryWait${this.#other()}()`);
  }

  #makeStage(): Operation<number> {
    const op = makeOp(OpKind.stage, { ring: this.#ring.id, side: this.#side });
    return new Operation(op, asIs, `${this.#own()}Stage()`);
  }

  #makeSignalAndStep(): Operation<void> {
    const signal = (stage: number): void => {
      postOwn(currentRole('a signal'), this.#signal(stage));
      this.step();
    };
    return new Operation(this.#waitOp(), signal, `${this.#own()}SignalAndStep()`);
  }

  #own(): 'producer' | 'consumer' {
    return this.#side === Side.produce ? 'producer' : 'consumer';
  }

  /** The side that is waited for. */
  #other(): 'Producer' | 'Consumer' {
    return this.#side === Side.produce ? 'Consumer' : 'Producer';
  }

  /** The signal of a stage by all threads of the role that runs. */
  #signal(stage: number): Op {
    const { lanes } = currentRole('a signal').role;
    const known = this.#signals[stage];
    if (known?.args.lanes === lanes) return known;
    const { id } = signalOf(this.#ring, this.#side, stage);
    const args = { barrier: id, ctas: [], arrivals: 1, lanes, bytes: 0 };
    return (this.#signals[stage] = makeOp(OpKind.arrive, args));
  }

  #waitOp(isAssumed = false, isDraining = false): Op {
    const { id: ring } = this.#ring;
    return makeOp(OpKind.waitStage, { ring, side: this.#side, isAssumed, isDraining });
  }
}

const asIs = (stage: number): number => stage;
