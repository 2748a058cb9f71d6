// Resource handles: immutable views of one stage, which signal that stage wherever the role stands.
import { Side } from '@poundlock/core';
import type { Barrier } from '@poundlock/core';
import { option, optionTable, requireOptions, Stage } from '@poundlock/core/dialect';
import type { OptionsOf, RingDeclaration } from '@poundlock/core/dialect';
import type { Signal } from './signal.ts';

/** The ring of a pipeline, with what its sides signal by. */
export interface SignalledRing extends RingDeclaration {
  /** By side. */
  readonly signals: readonly Signal[];
  /** Whether a producer has to commit what it acquired: not where the acquire expects the bytes. */
  readonly owesCommit: boolean;
}

/** The barrier that a side of a stage signals. */
export function signalOf({ full, empty }: RingDeclaration, side: Side, stage: number): Barrier {
  return side === Side.produce ? full[stage]! : empty[stage]!;
}

const CALLING = optionTable({
  /** The number of threads; every thread of the role unless specified. */
  lanes: option.checkedLater<number>(),
});

/** Which of the role's threads make a call. */
export interface Calling extends OptionsOf<typeof CALLING> {}

/** Throws where a call has other options; returns them. */
export function requireCalling(call: string, calling: Calling): Calling {
  requireOptions(call, CALLING, calling);
  return calling;
}

abstract class ResourceHandle extends Stage {
  override get linear(): true {
    return true;
  }
  /**
   * The ring of the stage.
   *
   * @internal
   */
  declare readonly owner: SignalledRing;

  /** The barrier that this side signals: full for a producer, empty for a consumer. */
  get barrier(): Barrier {
    return this.mbar();
  }

  /** Whether its stage has been committed or released. */
  get isReleased(): boolean {
    return !this.isOwned;
  }

  /** Ends ownership and signals, as this side of its pipeline does. */
  protected giveUp(call: string, calling: Calling): void {
    const { lanes } = requireCalling(call, calling);
    const signal = this.owner.signals[this.side]!;
    this.disown(signal.posts);
    signal.send(signalOf(this.owner, this.side, this.index), lanes);
  }
}

/**
 * A stage to fill, owned until {@link commit}: CuTe DSL's `ImmutableResourceHandle` of a producer.
 *
 * @example
 * const [producer, consumer] = PipelineAsync.create('ab', { numStages: 2 }).makeParticipants();
 * return [
 *   role('load', function* () {
 *     const stage = yield* producer.acquireAndAdvance();
 *     stage.commit();
 *   }),
 *   role('mma', function* () {
 *     const stage = yield* consumer.waitAndAdvance();
 *     stage.release();
 *   }),
 * ];
 */
export class ProducerHandle extends ResourceHandle {
  /** The producing side. */
  declare readonly side: typeof Side.produce;

  /**
   * Signals that the stage is full: by arrivals of the threads, or by a commit of their
   * tensor-core work.
   */
  commit(calling: Calling = {}): void {
    this.giveUp('commit()', calling);
  }

  override drop(): void {
    this.commit();
  }
}

/**
 * A stage whose bytes were expected as it was acquired. They signal, so that nothing is owed: the
 * commit of a TMA producer does nothing, may be left out and may be made twice.
 */
export class FilledByCopies extends ProducerHandle {
  /** It has no owner, so no use of it is a misuse. */
  override touch(): void {}

  override commit(calling: Calling = {}): void {
    const { lanes } = requireCalling('commit()', calling);
    this.owner.signals[this.side]!.send(signalOf(this.owner, this.side, this.index), lanes);
  }

  override get isReleased(): boolean {
    return false;
  }
}

/**
 * A filled stage, owned until {@link release}: CuTe DSL's `ImmutableResourceHandle` of a consumer.
 *
 * @example
 * const ab = PipelineTmaAsync.create('ab', { numStages: 2, bytes: 1024 });
 * const [producer, consumer] = ab.makeParticipants();
 * return [
 *   role('load', function* () {
 *     tma.copy(yield* producer.acquireAndAdvance());
 *   }),
 *   role('mma', function* () {
 *     const stage = yield* consumer.waitAndAdvance();
 *     read(stage.buffer());
 *     stage.release();
 *   }),
 * ];
 */
export class ConsumerHandle extends ResourceHandle {
  /** The consuming side. */
  declare readonly side: typeof Side.consume;

  /**
   * Signals that the stage is empty: by arrivals of the threads, or by a commit of their
   * tensor-core work.
   */
  release(calling: Calling = {}): void {
    this.giveUp('release()', calling);
  }

  override drop(): void {
    this.release();
  }
}
