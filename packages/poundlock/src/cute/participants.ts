// Participants: the producer and the consumer of CuTe DSL, whose counters the engine keeps.
import { Side, type Op } from '../op/index.ts';
import { Endpoint } from '../pipeline/endpoint.ts';
import { forkRing } from '../pipeline/ring.ts';
import { signalOf } from '../pipeline/stage.ts';
import { currentDeclarations, currentRole } from '../program/index.ts';
import type { Operation, StageHandle } from '../program/index.ts';
import { ConsumerHandle, ProducerHandle, TmaProducerHandle } from './handle.ts';
import type { Calling, SignalledRing } from './handle.ts';

export type Tail = 'every-stage' | 'last-stage-of-even-ctas';

/** Operations that wait, for a try that was made before, or without one. */
type Waits<H> = readonly [unasked: Operation<H>, afterTry: Operation<H>];

abstract class Participant<H extends ProducerHandle | ConsumerHandle> {
  protected readonly ring: SignalledRing;
  protected readonly endpoint: Endpoint;
  readonly #waits: Waits<H>;
  readonly #moving: Waits<H>;
  #clones = 0;

  constructor(ring: SignalledRing, side: Side, take: (endpoint: Endpoint, stage: number) => H) {
    const endpoint = new Endpoint(ring, side);
    const waits = (moves: boolean): Waits<H> => {
      const answer = (stage: number): H => {
        const handle = take(endpoint, stage);
        if (moves) endpoint.step();
        return handle;
      };
      return [endpoint.waitThen(answer, false), endpoint.waitThen(answer, true)];
    };
    this.ring = ring;
    this.endpoint = endpoint;
    this.#waits = waits(false);
    this.#moving = waits(true);
  }

  /** Moves on to the next stage, and signals nothing. */
  advance(): void {
    this.endpoint.step();
  }

  protected hold(token: boolean): Operation<H> {
    return this.#waits[token ? 1 : 0];
  }

  protected holdAndAdvance(token: boolean): Operation<H> {
    return this.#moving[token ? 1 : 0];
  }

  /** Signals the stage that the role stands at, whatever handles it has. */
  protected *signalCurrent(side: Side, { lanes }: Calling): Generator<Op, void, number> {
    const stage = yield* this.endpoint.stage;
    const { live } = currentRole('a signal').ownership;
    for (const { handle } of live.values()) {
      if (handle.ring !== this.ring.id || handle.side !== side || handle.index !== stage) continue;
      if (handle instanceof ProducerHandle) return handle.commit({ lanes });
      if (handle instanceof ConsumerHandle) return handle.release({ lanes });
    }
    this.ring.signals[side]!.send(signalOf(this.ring, side, stage), lanes);
  }

  protected fork(): SignalledRing {
    currentDeclarations('clone()');
    return forkRing(this.ring, `${this.ring.name}.clone${++this.#clones}`, revive);
  }
}

/** The producing side, at a stage of its own. */
export class PipelineProducer extends Participant<ProducerHandle> {
  readonly #tail: Tail;
  readonly #arm: ((stage: number) => void) | undefined;

  /** Made by `makeParticipants`; `arm` expects the bytes of a stage. */
  constructor(ring: SignalledRing, tail: Tail, arm: ((stage: number) => void) | undefined) {
    super(ring, Side.produce, (endpoint, stage) => {
      arm?.(stage);
      if (!isFilledByCopies(ring)) return endpoint.hand(stage, ProducerHandle);
      return new TmaProducerHandle(
        ring,
        Side.produce,
        stage,
        currentRole('an acquire').ownership.nextId++,
      );
    });
    this.#tail = tail;
    this.#arm = arm;
  }

  /** Asks once whether the next stage is empty; may say no although it is (M08). */
  tryAcquire(): Operation<boolean> {
    return this.endpoint.tryWait;
  }

  /**
   * Waits until the next stage is empty, unless a try of this very stage has said so, and does not
   * move on: a second acquire is of the same stage. A TMA producer expects the bytes now.
   */
  acquire(token = false): Operation<ProducerHandle> {
    return this.hold(token);
  }

  /** {@link acquire}, and moves on. */
  acquireAndAdvance(token = false): Operation<ProducerHandle> {
    return this.holdAndAdvance(token);
  }

  /** Commits the stage that the role stands at: after `acquireAndAdvance`, the one after. */
  commit(calling: Calling = {}): Generator<Op, void, number> {
    return this.signalCurrent(Side.produce, calling);
  }

  /** Waits until what was produced was released, as far as this kind of pipeline does. */
  *tail(): Generator<Op, void, number> {
    const { stages } = this.ring;
    if (this.#tail === 'every-stage') {
      for (let stage = 0; stage < stages; stage++) {
        yield* this.endpoint.drainWait;
        this.advance();
      }
    } else if (currentRole('a tail').role.cta % 2 === 0) {
      for (let stage = 0; stage < stages - 1; stage++) this.advance();
      yield* this.endpoint.drainWait;
    }
  }

  /** One more producer over the same barriers, at the first stage; made in the kernel's callback. */
  clone(): PipelineProducer {
    return new PipelineProducer(this.fork(), this.#tail, this.#arm);
  }
}

/** The consuming side, at a stage of its own. */
export class PipelineConsumer extends Participant<ConsumerHandle> {
  /** Made by `makeParticipants`. */
  constructor(ring: SignalledRing) {
    super(ring, Side.consume, (endpoint, stage) => endpoint.hand(stage, ConsumerHandle));
  }

  /** Asks once whether the next stage is full; may say no although it is (M08). */
  tryWait(): Operation<boolean> {
    return this.endpoint.tryWait;
  }

  /**
   * Waits until the next stage is full, unless a try of this very stage has said so, and does not
   * move on: a second wait is for the same stage.
   */
  wait(token = false): Operation<ConsumerHandle> {
    return this.hold(token);
  }

  /** {@link wait}, and moves on. */
  waitAndAdvance(token = false): Operation<ConsumerHandle> {
    return this.holdAndAdvance(token);
  }

  /** Releases the stage that the role stands at: after `waitAndAdvance`, the one after. */
  release(calling: Calling = {}): Generator<Op, void, number> {
    return this.signalCurrent(Side.consume, calling);
  }

  /** One more consumer over the same barriers, at the first stage; made in the kernel's callback. */
  clone(): PipelineConsumer {
    return new PipelineConsumer(this.fork());
  }
}

/** Makes a handle again that has travelled through a loop's state. */
export function revive(ring: SignalledRing, side: Side, stage: number, id: number): StageHandle {
  if (side === Side.consume) return new ConsumerHandle(ring, side, stage, id);
  const Handle = isFilledByCopies(ring) ? TmaProducerHandle : ProducerHandle;
  return new Handle(ring, side, stage, id);
}

/** Whether bytes signal that a stage is full, so that nobody has to commit it. */
function isFilledByCopies(ring: SignalledRing): boolean {
  return ring.signals[Side.produce]!.posts === 0;
}
