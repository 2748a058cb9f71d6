// Scoped handles: the end of their block releases them. They have no release.
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

  /** What `using` calls at the end of the block; nothing after `detach`. */
  [Symbol.dispose](): void {
    if (!currentRole('a release').ownership.isMoved(this)) leave(this, this.signals);
  }

  override drop(): void {
    this[Symbol.dispose]();
  }

  /** The stage to hand to others: it looks at the stage, and must not outlive this scope (O06). */
  stage(): BorrowedStage<this['side']> {
    this.touch();
    const view = new BorrowedStage<this['side']>(this.owner, this.side, this.index, this.id);
    view.acquiredAt = this.acquiredAt;
    view.role = this.role;
    return view;
  }
}

/**
 * A stage to fill, left as its block ends: `using slot = yield* ab.produce()`.
 *
 * @mustRelease [Symbol.dispose]
 * @stageHandle
 */
export class ProduceContext extends Scoped {
  protected override get signals(): false {
    return false;
  }
  declare readonly side: typeof Side.produce;

  /**
   * Moves the stage out of its scope, once: the block's end no longer releases it (O07).
   *
   * @consumes
   * @returnsOwned
   */
  detach(): ProducerStage {
    return moved(this, ProducerStage);
  }
}

/**
 * A filled stage, signaled empty as its block ends: `using tile = yield* ab.consume()`.
 *
 * @mustRelease [Symbol.dispose]
 * @stageHandle
 */
export class ConsumeContext extends Scoped {
  protected override get signals(): boolean {
    return true;
  }
  declare readonly side: typeof Side.consume;

  /**
   * Moves the stage out of its scope, once: the block's end no longer releases it (O07).
   *
   * @consumes
   * @returnsOwned
   */
  detach(): ConsumerStage {
    return moved(this, ConsumerStage);
  }
}

/** A filled stage whose block only moves on: the body makes the signal. */
export class ExplicitConsumeContext extends ConsumeContext {
  protected override get signals(): false {
    return false;
  }
}

type Scope<H> = H extends ProducerStage ? ProduceContext : ConsumeContext;

/**
 * Moves a linear handle into a scope, once: the end of the block releases it (O07).
 *
 * @owned handle
 * @returnsOwned
 *
 * @example
 * using tile = adopt(next);
 */
export function adopt<H extends ProducerStage | ConsumerStage>(handle: H): Scope<H> {
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
