// Participants: the producer and the consumer of CuTe DSL, whose counters the engine keeps.
import { Side } from '@poundlock/core';
import type { Op, Operation, StageHandle } from '@poundlock/core';
import { Endpoint, callingRole, created, forkRing, trackGenerators } from '@poundlock/core/dialect';
import { ConsumerHandle, ProducerHandle, FilledByCopies, signalOf } from './handle.ts';
import { requireCalling, type Calling, type SignalledRing } from './handle.ts';

/** What a tail waits for: every stage, or in CTAs of even rank the last used one. */
export type Tail = 'every-stage' | 'last-stage-of-even-ctas';

/** Operations that wait, for a try that was made before, or without one. */
type Waits<H> = readonly [unasked: Operation<H>, afterTry: Operation<H>];

abstract class Participant<H extends ProducerHandle | ConsumerHandle> {
  protected readonly ring: SignalledRing;
  protected readonly endpoint: Endpoint;
  readonly #side: Side;
  readonly #waits: Waits<H>;
  readonly #moving: Waits<H>;
  #clones = 0;

  constructor(
    ring: SignalledRing,
    side: Side,
    call: string,
    take: (endpoint: Endpoint, stage: number) => H,
  ) {
    const endpoint = new Endpoint(ring, side);
    const waits = (moves: boolean): Waits<H> => {
      const answer = (stage: number): H => {
        const handle = take(endpoint, stage);
        if (moves) endpoint.step();
        return handle;
      };
      const name = `${call}${moves ? 'AndAdvance' : ''}()`;
      return [endpoint.waitThen(answer, name, false), endpoint.waitThen(answer, name, true)];
    };
    this.ring = ring;
    this.endpoint = endpoint;
    this.#side = side;
    this.#waits = waits(false);
    this.#moving = waits(true);
  }

  /** Advances to the next stage without a signal. */
  advance(): void {
    this.endpoint.step();
  }

  /** Signals a stage and ends its handle, even if another object acquired it. */
  protected signal(stage: number, calling: Calling): void {
    const { ring } = this;
    requireCalling(this.#side === Side.produce ? 'commit()' : 'release()', calling);
    const held = this.endpoint.held(stage);
    if (held instanceof ProducerHandle) held.commit(calling);
    else if (held instanceof ConsumerHandle) held.release(calling);
    else ring.signals[this.#side]!.send(signalOf(ring, this.#side, stage), calling.lanes);
  }

  protected hold(token: boolean): Operation<H> {
    return created(this.#waits[token ? 1 : 0]);
  }

  protected holdAndAdvance(token: boolean): Operation<H> {
    return created(this.#moving[token ? 1 : 0]);
  }

  protected fork(): SignalledRing {
    return forkRing(this.ring, `${this.ring.name}.clone${++this.#clones}`, revive, 'clone()');
  }
}

/**
 * The producing side of a pipeline with a state of its own: CuTe DSL's `PipelineProducer`.
 *
 * @example
 * const ab = PipelineTmaAsync.create('ab', { numStages: 2, bytes: 1024 });
 * const [producer, consumer] = ab.makeParticipants();
 * return [
 *   role('load', function* () {
 *     tma.copy(yield* producer.acquireAndAdvance());
 *     yield* producer.tail();
 *   }),
 *   role('mma', function* () {
 *     const stage = yield* consumer.waitAndAdvance();
 *     read(stage.buffer());
 *     stage.release();
 *   }),
 * ];
 */
export class PipelineProducer extends Participant<ProducerHandle> {
  readonly #tail: Tail;
  readonly #expect: (stage: number) => void;

  /** @internal */
  constructor(ring: SignalledRing, tail: Tail, expect: (stage: number) => void) {
    super(ring, Side.produce, 'acquire', (endpoint, stage) => {
      expect(stage);
      if (ring.owesCommit) return endpoint.hand(stage, ProducerHandle);
      return endpoint.view(stage, FilledByCopies);
    });
    this.#tail = tail;
    this.#expect = expect;
  }

  /** Tests once whether the next stage is empty; may be `false` although it is (M08). */
  tryAcquire(): Operation<boolean> {
    return created(this.endpoint.tryWait);
  }

  /**
   * Blocks until the next stage is empty, unless a test of this very stage returned so (`token`),
   * and does not advance: a second acquire is of the same stage. A TMA producer expects the bytes
   * now.
   */
  acquire(token = false): Operation<ProducerHandle> {
    return this.hold(token);
  }

  /** As {@link acquire}, then advances. */
  acquireAndAdvance(token = false): Operation<ProducerHandle> {
    return this.holdAndAdvance(token);
  }

  /** Commits the current stage: after `acquireAndAdvance`, the one after it. */
  *commit(calling: Calling = {}): Generator<Op, void, number> {
    this.signal(yield* this.endpoint.stage, calling);
  }

  /**
   * Blocks until the produced stages were released, as far as this kind of pipeline waits for
   * them.
   */
  *tail(): Generator<Op, void, number> {
    const { stages } = this.ring;
    if (this.#tail === 'every-stage') {
      for (let stage = 0; stage < stages; stage++) {
        yield* this.endpoint.drainWait;
        this.advance();
      }
    } else if (callingRole('a tail').cta % 2 === 0) {
      for (let stage = 0; stage < stages - 1; stage++) this.advance();
      yield* this.endpoint.drainWait;
    }
  }

  /** A producer at the first stage, over the same barriers; declared in the kernel's callback. */
  clone(): PipelineProducer {
    return new PipelineProducer(this.fork(), this.#tail, this.#expect);
  }
}

/**
 * The consuming side of a pipeline with a state of its own: CuTe DSL's `PipelineConsumer`.
 *
 * @example
 * const ab = PipelineAsync.create('ab', { numStages: 2 });
 * const [producer, consumer] = ab.makeParticipants();
 * return [
 *   role('load', function* () {
 *     (yield* producer.acquireAndAdvance()).commit();
 *   }),
 *   role('mma', function* () {
 *     const ready = yield* consumer.tryWait();
 *     const stage = yield* consumer.waitAndAdvance(ready);
 *     stage.release();
 *   }),
 * ];
 */
export class PipelineConsumer extends Participant<ConsumerHandle> {
  /** @internal */
  constructor(ring: SignalledRing) {
    super(ring, Side.consume, 'wait', (endpoint, stage) => endpoint.hand(stage, ConsumerHandle));
  }

  /** Tests once whether the next stage is full; may be `false` although it is (M08). */
  tryWait(): Operation<boolean> {
    return created(this.endpoint.tryWait);
  }

  /**
   * Blocks until the next stage is full, unless a test of this very stage returned so (`token`),
   * and does not advance: a second wait is for the same stage.
   */
  wait(token = false): Operation<ConsumerHandle> {
    return this.hold(token);
  }

  /** As {@link wait}, then advances. */
  waitAndAdvance(token = false): Operation<ConsumerHandle> {
    return this.holdAndAdvance(token);
  }

  /** Releases the current stage: after `waitAndAdvance`, the one after it. */
  *release(calling: Calling = {}): Generator<Op, void, number> {
    this.signal(yield* this.endpoint.stage, calling);
  }

  /** A consumer at the first stage, over the same barriers; declared in the kernel's callback. */
  clone(): PipelineConsumer {
    return new PipelineConsumer(this.fork());
  }
}

trackGenerators(PipelineProducer);
trackGenerators(PipelineConsumer);

/** Makes a handle again that has travelled through a loop's state. */
export function revive(ring: SignalledRing, side: Side, stage: number, id: number): StageHandle {
  if (side === Side.consume) return new ConsumerHandle(ring, side, stage, id);
  const Handle = ring.owesCommit ? ProducerHandle : FilledByCopies;
  return new Handle(ring, side, stage, id);
}
