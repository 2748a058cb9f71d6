// Scoped handles: the end of their block releases them. They have no release.
import { surplus } from '../base/index.ts';
import type { Side } from '../op/index.ts';
import { currentRole, moveHandle } from '../program/index.ts';
import { BorrowedStage } from './borrowed.ts';
import { ConsumerStage, ProducerStage } from './linear.ts';
import { leave, Stage } from './stage.ts';

abstract class Scoped extends Stage implements Disposable {
  override get linear(): false {
    return false;
  }
  /** Whether the end of the block signals. */
  protected abstract readonly signals: boolean;

  /**
   * Releases the stage: what `using` calls at the end of the block. It does nothing after
   * `detach`.
   */
  [Symbol.dispose](): void {
    if (!currentRole('a release').ownership.isMoved(this)) leave(this, this.signals);
  }

  override drop(): void {
    this[Symbol.dispose]();
  }

  /** A reference to the stage, to pass to functions, which is valid until this scope ends (O06). */
  stage(): BorrowedStage<this['side']> {
    this.touch();
    const view = new BorrowedStage<this['side']>(this.owner, this.side, this.index, this.id);
    view.acquiredAt = this.acquiredAt;
    view.role = this.role;
    return view;
  }
}

/**
 * A stage to fill that is released when its block ends: `using slot = yield* ab.produce()`.
 *
 * @mustRelease [Symbol.dispose]
 * @stageHandle
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     tma.load(slot);
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     read(tile.buffer());
 *   }),
 * ];
 */
export class ProduceContext extends Scoped {
  protected override get signals(): false {
    return false;
  }
  /** The producing side. */
  declare readonly side: typeof Side.produce;

  /**
   * Moves the stage out of its scope, once: the end of the block no longer releases it (O07).
   *
   * @consumes
   * @returnsOwned
   */
  detach(): ProducerStage {
    return moved(this, ProducerStage);
  }
}

/**
 * A filled stage that is signaled empty and released when its block ends: `using tile = yield*
 * ab.consume()`.
 *
 * @mustRelease [Symbol.dispose]
 * @stageHandle
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     tma.load(slot);
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     mma.issue(tile);
 *     yield* mma.waitGroup(0);
 *   }),
 * ];
 */
export class ConsumeContext extends Scoped {
  protected override get signals(): boolean {
    return true;
  }
  /** The consuming side. */
  declare readonly side: typeof Side.consume;

  /**
   * Moves the stage out of its scope, once: the end of the block no longer releases it (O07).
   *
   * @consumes
   * @returnsOwned
   */
  detach(): ConsumerStage {
    return moved(this, ConsumerStage);
  }
}

/**
 * A filled stage whose block only advances the counter; the body signals it empty.
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     tma.load(slot);
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consumeExplicit();
 *     mma.issue(tile);
 *     mma.commit(tile.mbar());
 *   }),
 * ];
 */
export class ExplicitConsumeContext extends ConsumeContext {
  protected override get signals(): false {
    return false;
  }
}

/** The scope that {@link adopt} moves a handle into. */
type Scope<H> = H extends ProducerStage ? ProduceContext : ConsumeContext;

/**
 * Moves a linear handle into a scope, once: the end of the block releases it (O07).
 *
 * @owned handle
 * @returnsOwned
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     const slot = yield* ab.acquireProducer();
 *     using scoped = adopt(slot);
 *     tma.load(scoped);
 *   }),
 *   role('mma', function* () {
 *     using tile = adopt(yield* ab.acquireConsumer());
 *     read(tile.buffer());
 *   }),
 * ];
 */
export function adopt<H extends ProducerStage | ConsumerStage>(handle: H): Scope<H> {
  if (arguments.length > 1) throw surplus('adopt()', arguments[1]);
  const Scope = handle instanceof ProducerStage ? ProduceContext : ConsumeContext;
  return moved<Stage>(handle, Scope) as Scope<H>;
}

function moved<H extends Stage>(
  from: Stage,
  Handle: new (...args: ConstructorParameters<typeof ProducerStage>) => H,
): H {
  const { ownership } = currentRole('moving a handle');
  const handle = new Handle(from.owner, from.side, from.index, ownership.nextId++);
  handle.acquiredAt = from.acquiredAt;
  handle.acquiredAfter = from.acquiredAfter;
  handle.stretch = from.stretch;
  handle.role = from.role;
  moveHandle(from, handle);
  from.compiled?.forget(from);
  return handle;
}
