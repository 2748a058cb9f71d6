// Stage handles: linear ones are released by exactly one call, scoped ones by their block.
import { makeOp, OpKind, Side } from '../op/index.ts';
import { currentRole, post, StageHandle } from '../program/index.ts';
import type { Barrier, Buffer } from '../program/index.ts';
import type { Ring } from './ring.ts';

/** What every handle of an acquired stage offers. */
abstract class Stage extends StageHandle {
  protected readonly owner: Ring;

  constructor(owner: Ring, side: Side, stage: number, id: number) {
    super(owner.id, side, stage, id);
    this.owner = owner;
  }

  /** The buffers of the stage, one for each part. */
  get buffers(): readonly Buffer[] {
    return this.owner.buffers[this.index]!;
  }

  /** The buffer of one part; without a name, the only or first one. */
  buffer(part?: string): Buffer {
    const at = part === undefined ? 0 : this.owner.parts.findIndex((one) => one.name === part);
    const found = this.buffers[at];
    if (found === undefined) throw new Error(`${this.owner.name} has no part ${part}`);
    return found;
  }

  /** The bytes of the whole stage. */
  get bytes(): number {
    return this.owner.parts.reduce((sum, part) => sum + part.bytes, 0);
  }

  /** The sizes of its parts, in the order of {@link buffers}. */
  get partBytes(): readonly number[] {
    return this.owner.parts.map((part) => part.bytes);
  }

  /** The barrier that this side signals: full for a producer, empty for a consumer. */
  mbar(): Barrier {
    const { full, empty } = this.owner;
    return this.side === Side.produce ? full[this.index]! : empty[this.index]!;
  }

  /** Every thread of the role arrives on {@link mbar}. */
  arrive(): void {
    this.touch();
    post(makeOp(OpKind.arrive, this.arrival()), this.acquiredAt);
  }

  /** Notes that the handle is used: after its release that is a finding (O03). */
  touch(): void {
    post(makeOp(OpKind.use, { detail: this }));
  }

  /** Ends ownership and, where the counter moves at release, steps (R03). */
  protected leave(signal: boolean): void {
    post(makeOp(OpKind.disown, { detail: this }), this.ending());
    if (signal) post(makeOp(OpKind.arrive, this.arrival()), this.ending());
    if (this.owner.advance === 'release') {
      post(makeOp(OpKind.step, { target: this.ring, value: this.side }), this.ending());
    }
  }

  private arrival() {
    const { lanes } = currentRole('a release').role;
    return { target: this.mbar().id, count: 1, value: lanes };
  }

  /** The place of a release: a scoped handle's is its acquire, since nobody knows the brace. */
  private ending() {
    return this.linear ? undefined : this.acquiredAt;
  }
}

/** A stage to fill, owned until `release`. Linear: it has no dispose. */
export class ProducerStage extends Stage {
  readonly linear = true;

  /** Moves on. The signal is made elsewhere: by TMA bytes, a commit, or `arrive`. */
  release(): void {
    this.leave(false);
  }
}

/** A filled stage, owned until one of its two releases. Linear: it has no dispose. */
export class ConsumerStage extends Stage {
  readonly linear = true;

  /** Signals the stage empty and moves on. */
  release(): void {
    this.leave(true);
  }

  /** Moves on; the signal was, or will be, made elsewhere. */
  releaseWithoutSignal(): void {
    this.leave(false);
  }
}

/** A stage to fill, left as its block ends. Scoped: it has no `release`. */
export class ScopedProducerStage extends Stage implements Disposable {
  readonly linear = false;

  [Symbol.dispose](): void {
    this.leave(false);
  }
}

/** A filled stage, signalled empty as its block ends. Scoped: it has no `release`. */
export class ScopedConsumerStage extends Stage implements Disposable {
  readonly linear = false;

  [Symbol.dispose](): void {
    this.leave(true);
  }
}

/** A filled stage whose block only moves on: the body makes the signal. */
export class ExplicitConsumerStage extends Stage implements Disposable {
  readonly linear = false;

  [Symbol.dispose](): void {
    this.leave(false);
  }
}

export type AnyStage =
  | ProducerStage
  | ConsumerStage
  | ScopedProducerStage
  | ScopedConsumerStage
  | ExplicitConsumerStage;
