// What the compiler rejects of the ordering rules. `npm run typecheck` holds each line.
import type { Op } from 'poundlock';
import { EpilogueWarpContext, TmemAllocation } from '@poundlock/dialects/sm100';
import type {
  BlockwiseFP8TilePayload,
  ConsumerTiles,
  EpilogueStage,
  InputConsumerStage,
  InputProducerStage,
  InputTilePipeline,
  MmaKStage,
  MmaOpSM100,
  MmaStage,
  MmaWarp,
  MmaWarpContext,
  OutputConsumer,
  OutputProducer,
  OutputTilePipeline,
  ProducerTiles,
  SmemPipelineBundle,
  StandardTilePayload,
  TmemStorage,
} from '@poundlock/dialects/sm100';

declare const smem: SmemPipelineBundle;
declare const storage: TmemStorage;
declare const input: InputTilePipeline<StandardTilePayload>;
declare const output: OutputTilePipeline;
declare const mmaOp: MmaOpSM100;
declare const filling: ProducerTiles<StandardTilePayload>;
declare const fillingLinear: InputProducerStage<StandardTilePayload>;
declare const reading: ConsumerTiles<StandardTilePayload>;
declare const readingLinear: InputConsumerStage<StandardTilePayload>;
declare const accumulating: OutputProducer;
declare const accumulatingK: MmaKStage;
declare const accumulatingLinear: MmaStage;
declare const consuming: OutputConsumer;
declare const consumingLinear: EpilogueStage;
declare const mmaWarp: MmaWarp;
declare const context: MmaWarpContext;
declare const epilogueContext: EpilogueWarpContext;

/** An unused variable would be an error of its own. */
function take<T>(_value: T): void {}

/** Never called: only compiled. */
export function addressesArePublished(): void {
  // @ts-expect-error T2: the address is read after a wait for it, which hands out a proof
  TmemAllocation.fromShared(storage);
  // @ts-expect-error T2: and nothing else passes for the proof
  TmemAllocation.fromShared(storage, { isPublished: true });
  // @ts-expect-error T2: the epilogue's context is made after that wait, too
  EpilogueWarpContext.create(smem, [0]);
  // @ts-expect-error T2: a sync that was not waited for is no proof
  EpilogueWarpContext.create(smem, [0], smem.types.Sync.wait());
}

export function* tilesAreAcquired(): Generator<Op, void, number> {
  // @ts-expect-error T3: an acquire that was not waited for has no tiles
  input.producer().acquire().payload();
  // @ts-expect-error T3: nor has a linear one
  input.acquireConsumer().payload();
  // @ts-expect-error T3: an accumulator is acquired before it is written
  mmaOp.mma([], output.producer().tmem.tensor);
  // @ts-expect-error T3: a stage's number is no stage
  (yield* input.consumerStage()).payload();
  // @ts-expect-error T4: a reader of a stage expects no bytes for it
  reading.expectBytes(16);
  // @ts-expect-error T4: nor does a linear reader
  readingLinear.expectBytes(16);
  // @ts-expect-error T5: a commit frees a stage by its barrier, not by its handle
  mmaOp.commit(reading);
  // @ts-expect-error T18: whether a wait is needed is the answer of a try, not the try
  yield* input.producer().acquireIfNeeded(input.producer().tryAcquire());
}

export function stepsAreTakenOnce(): void {
  // @ts-expect-error T6: the end of its block leaves a scoped stage
  filling.release();
  // @ts-expect-error T6: the end of its block leaves a scoped stage
  reading.release();
  // @ts-expect-error T6: a linear stage is left by a call, not by a block
  take<Disposable>(fillingLinear);
  // @ts-expect-error T6: a linear stage is left by a call, not by a block
  take<Disposable>(readingLinear);
  // @ts-expect-error T8: the end of its block commits an accumulator
  accumulating.release();
  // @ts-expect-error T8: the end of its block commits an accumulator
  accumulatingK.release();
  // @ts-expect-error T8: a linear accumulator is committed by a call
  take<Disposable>(accumulatingLinear);
  // @ts-expect-error T9: an epilogue leaves an accumulator by its block's end
  consuming.release();
  // @ts-expect-error T9: or by a call
  take<Disposable>(consumingLinear);
  // @ts-expect-error T10: its release frees nothing, and is no accumulator of a k step
  take<OutputProducer>(consumingLinear);
}

export function* livesHaveEnds(): Generator<Op, void, number> {
  // @ts-expect-error T15: a context that was not entered frees nothing as a block ends
  take<Disposable>(context);
  // @ts-expect-error T15: nor does it tell that every read is done
  take<Disposable>(epilogueContext);
  // @ts-expect-error T15: a linear context ends by a call
  take<Disposable>(mmaWarp);
  // @ts-expect-error T16: tensor memory is allocated by the role that waits for it
  TmemAllocation.allocate(storage).deallocate();
  // @ts-expect-error T16: an allocation is made by allocating
  take(new TmemAllocation(storage));
}

export function payloadsAreReadonly(): void {
  // @ts-expect-error the tiles of a pipeline are those that it was made with
  take<InputTilePipeline<BlockwiseFP8TilePayload>>(input);
  // @ts-expect-error a standard stage has no scales
  filling.payload().getAScalesTile(0);
}
