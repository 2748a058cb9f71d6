// Pipelines as CUTLASS and CuTe DSL have them: barriers, counts, and states that the program keeps.
import { Side, UNITS, asyncCopy, barrier, buffer, expectTx, init } from '@poundlock/core';
import type { Barrier, Buffer, CopyTarget, Op, PipelineOptions } from '@poundlock/core';
import {
  callingRole,
  claimName,
  closeMembers,
  requireCount,
  ringOver,
  trackGenerators,
} from '@poundlock/core/dialect';
import type { Part } from '@poundlock/core/dialect';
import { requireCalling, type Calling, type SignalledRing } from './handle.ts';
import { PipelineConsumer, PipelineProducer, revive, type Tail } from './participants.ts';
import type { Expect, Signal } from './signal.ts';
import { advance, requireState, tryFor, waitFor, type PipelineState } from './state.ts';

/** What every kind of pipeline is made of. */
export interface PipelineParts {
  readonly numStages: number;
  /** Bytes of a stage; or of each of its parts, which may be filled and read apart. */
  readonly bytes?: PipelineOptions['bytes'];
  /** Arrivals that complete a phase. */
  readonly fullArrivals: number;
  readonly emptyArrivals: number;
  readonly producerSignal: Signal;
  readonly consumerSignal: Signal;
  /** Expects bytes as a stage is acquired: these fill it, so that no commit is required. */
  readonly expect?: Expect;
  readonly tail: Tail;
  /** Whether the program initializes the barriers itself, with {@link Pipeline.init}. */
  readonly deferSync?: boolean;
}

/**
 * A pipeline of full and empty barriers. Its methods take a {@link PipelineState} that the program
 * keeps; {@link makeParticipants} creates objects that keep one themselves. Created by `create` of
 * its kind, such as `PipelineTmaUmma.create('ab', …)`.
 *
 * @example
 * const ab = cutlass.PipelineTmaAsync.create('ab', { stages: 2, bytes: 1024, numConsumers: 1 });
 * return [
 *   role('load', function* () {
 *     const state = makeProducerStartState(ab);
 *     yield* ab.producerAcquire(state);
 *     ab.tmaLoad(state);
 *     yield* ab.producerTail(advance(state));
 *   }),
 *   role('mma', function* () {
 *     const state = makeConsumerStartState(ab);
 *     yield* ab.consumerWait(state);
 *     read(ab.buffers(state)[0]!);
 *     ab.consumerRelease(state);
 *   }),
 * ];
 */
export class Pipeline {
  /** Its name, in findings. */
  readonly name: string;
  /** Its number of stages. */
  readonly stages: number;
  /** The full barriers, by stage. */
  readonly full: readonly Barrier[];
  /** The empty barriers, by stage. */
  readonly empty: readonly Barrier[];
  readonly #parts: readonly Part[];
  readonly #buffers: readonly (readonly Buffer[])[];
  readonly #spec: PipelineParts;
  #ring: SignalledRing | undefined;

  /** @internal */
  constructor(name: string, spec: PipelineParts) {
    const { numStages: stages, deferSync = false } = spec;
    requireCount(`the stages of pipeline ${name}`, stages, 1);
    claimName('create()', name);
    const each = <T>(make: (stage: number) => T): T[] =>
      Array.from({ length: stages }, (_, stage) => make(stage));
    const declared = (side: string, arrivals: number): Barrier[] =>
      each((s) => barrier(`${name}.${side}[${s}]`, { count: deferSync ? 0 : arrivals }));
    this.name = name;
    this.stages = stages;
    this.#spec = spec;
    this.full = declared('full', spec.fullArrivals);
    this.empty = declared('empty', spec.emptyArrivals);
    this.#parts = partsOf(name, spec.bytes);
    this.#buffers = each((stage) =>
      this.#parts.map((part) =>
        buffer(part.name === '' ? `${name}[${stage}]` : `${name}[${stage}].${part.name}`),
      ),
    );
  }

  /**
   * Initializes every barrier, from inside one role, of a pipeline that was declared with
   * `deferSync`. The other roles need a sync after it.
   */
  init(): void {
    const { fullArrivals, emptyArrivals } = this.#spec;
    for (const full of this.full) init(full, fullArrivals);
    for (const empty of this.empty) init(empty, emptyArrivals);
  }

  /** The buffers of a state's stage, one for each part. */
  buffers(state: PipelineState): readonly Buffer[] {
    return this.#buffers[this.#index(state)]!;
  }

  /** Issues the TMA copies of a state's stage; the acquire has expected their bytes. */
  tmaLoad(state: PipelineState, reach: CopyTarget = {}): void {
    const bar = this.producerGetBarrier(state);
    this.buffers(state).forEach((into, part) => {
      asyncCopy(UNITS.tma, { into: [into], bar, bytes: this.#parts[part]!.bytes, ...reach });
    });
  }

  /**
   * Tests once whether the stage is empty.
   *
   * @throws InputError for a state without a count.
   */
  *producerTryAcquire(state: PipelineState): Generator<Op, boolean, number> {
    return yield* tryFor(this.empty[this.#index(state)]!, state);
  }

  /**
   * Blocks until the stage is empty, unless a test returned so (`token`); a TMA producer then
   * expects the bytes of the stage.
   */
  *producerAcquire(state: PipelineState, token = false): Generator<Op, void, number> {
    const index = this.#index(state);
    if (!token) yield* waitFor(this.empty[index]!, state);
    this.#expect(index);
  }

  /** Expects bytes without an arrival: those of the whole stage unless specified. */
  producerExpectTransaction(state: PipelineState, bytes = this.#stageBytes()): void {
    expectTx(this.full[this.#index(state)]!, bytes);
  }

  /** Signals that the stage is full; does nothing where copied bytes do that. */
  producerCommit(state: PipelineState, calling: Calling = {}): void {
    const { lanes } = requireCalling('producerCommit()', calling);
    this.#spec.producerSignal.send(this.full[this.#index(state)]!, lanes);
  }

  /**
   * Blocks until the produced stages were released, as far as this kind of pipeline waits for
   * them.
   */
  *producerTail(state: PipelineState): Generator<Op, void, number> {
    const { stages } = this;
    const isLast = this.#spec.tail === 'last-stage-of-even-ctas';
    if (isLast && callingRole('a tail').cta % 2 === 1) return;
    for (let ahead = isLast ? stages - 1 : 0; ahead < stages; ahead++) {
      const one = advance(state, ahead);
      yield* waitFor(this.empty[this.#index(one)]!, one);
    }
  }

  /** The full barrier of the stage: what a producer signals. */
  producerGetBarrier(state: PipelineState): Barrier {
    return this.full[this.#index(state)]!;
  }

  /**
   * Tests once whether the stage is full.
   *
   * @throws InputError for a state without a count.
   */
  *consumerTryWait(state: PipelineState): Generator<Op, boolean, number> {
    return yield* tryFor(this.full[this.#index(state)]!, state);
  }

  /** Blocks until the stage is full, unless a test returned so (`token`). */
  *consumerWait(state: PipelineState, token = false): Generator<Op, void, number> {
    if (!token) yield* waitFor(this.full[this.#index(state)]!, state);
  }

  /** Signals that the stage is empty. */
  consumerRelease(state: PipelineState, calling: Calling = {}): void {
    const { lanes } = requireCalling('consumerRelease()', calling);
    this.#spec.consumerSignal.send(this.empty[this.#index(state)]!, lanes);
  }

  /** The empty barrier of the stage: what a consumer signals. */
  consumerGetBarrier(state: PipelineState): Barrier {
    return this.empty[this.#index(state)]!;
  }

  /** A producer that keeps its state itself. */
  makeProducer(): PipelineProducer {
    return new PipelineProducer(this.#participants(), this.#spec.tail, (stage) =>
      this.#expect(stage),
    );
  }

  /** A consumer that keeps its state itself. */
  makeConsumer(): PipelineConsumer {
    return new PipelineConsumer(this.#participants());
  }

  /** A producer and a consumer, for one role each. */
  makeParticipants(): [PipelineProducer, PipelineConsumer] {
    return [this.makeProducer(), this.makeConsumer()];
  }

  #participants(): SignalledRing {
    return (this.#ring ??= this.#makeRing());
  }

  #makeRing(): SignalledRing {
    const { name, stages, full, empty } = this;
    const { producerSignal, consumerSignal } = this.#spec;
    const signals = [Side.produce, Side.consume].map((side) =>
      side === Side.produce ? producerSignal : consumerSignal,
    );
    const owesCommit = this.#spec.expect === undefined;
    const shared = { name, stages, full, empty, parts: this.#parts, buffers: this.#buffers };
    return ringOver({ ...shared, advance: 'acquire' as const, signals, owesCommit }, revive);
  }

  #expect(stage: number): void {
    this.#spec.expect?.(this.full[stage]!, this.#stageBytes());
  }

  #stageBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.bytes, 0);
  }

  #index(state: PipelineState): number {
    requireState(this.name, this.stages, state);
    return state.index;
  }
}

closeMembers(Pipeline.prototype, 'a pipeline');
trackGenerators(Pipeline);

/** The parts of a stage; one without a name where `bytes` is a number. */
function partsOf(name: string, bytes: PipelineOptions['bytes'] = 0): Part[] {
  const sizes = typeof bytes === 'object' ? Object.entries(bytes) : [['', bytes] as const];
  return sizes.map(([part, size]) => {
    requireCount(`the bytes of pipeline ${name}`, size, 0);
    return { name: part, bytes: size };
  });
}
