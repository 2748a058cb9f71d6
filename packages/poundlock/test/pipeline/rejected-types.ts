// What the compiler rejects. `npm run typecheck` holds each line: an error that is not there fails.
import { adopt, kernel, loop, mma, pipeline, read, role, tma } from 'poundlock';
import type { ConsumeContext, ConsumerStage, ExplicitConsumeContext } from 'poundlock';
import type { BorrowedStage, ProduceContext, ProducerStage } from 'poundlock';

declare const produced: ProducerStage;
declare const consumed: ConsumerStage;
declare const producing: ProduceContext;
declare const consuming: ConsumeContext;
declare const explicit: ExplicitConsumeContext;
declare const borrowed: BorrowedStage;

/** An unused variable would be an error of its own. */
function take<T>(_value: T): void {}

/** Never called: only compiled. */
export function scopedAndLinearAreApart(): void {
  // @ts-expect-error a linear handle has no dispose
  take<Disposable>(produced);
  // @ts-expect-error a linear handle has no dispose
  take<Disposable>(consumed);
  // @ts-expect-error a scoped handle has no release
  producing.release();
  // @ts-expect-error a scoped handle has no release
  consuming.release();
  // @ts-expect-error a scoped handle has no release
  consuming.releaseWithoutSignal();
  // @ts-expect-error a linear handle is no scoped one
  take<ProduceContext>(produced);
  // @ts-expect-error a scoped handle is no linear one
  take<ConsumerStage>(consuming);
  // @ts-expect-error what is scoped already needs no adopting
  adopt(consuming);
  // @ts-expect-error a linear handle is in no scope
  consumed.detach();
}

export function producersAndConsumersAreApart(): void {
  // @ts-expect-error a producer's handle is no consumer's
  take<ConsumerStage>(produced);
  // @ts-expect-error a consumer's handle is no producer's
  take<ProducerStage>(consumed);
  // @ts-expect-error nor where both are scoped
  take<ConsumeContext>(producing);
  // @ts-expect-error nor the other way round
  take<ProduceContext>(consuming);
  // @ts-expect-error a producer has one release, and it signals nothing
  produced.releaseWithoutSignal();
  // @ts-expect-error copies fill a producer's stage
  tma.load(consumed);
  // @ts-expect-error and so does an expect
  tma.expect(consuming, 16);
  // @ts-expect-error what a producer's handle becomes is a producer's context
  take<ConsumeContext>(adopt(produced));
  // @ts-expect-error what a consumer's context becomes is a consumer's handle
  take<ProducerStage>(consuming.detach());
  // @ts-expect-error a role that signals in the body consumes, too
  take<ProducerStage>(explicit.detach());
  // @ts-expect-error what a consumer's scope hands out is not filled
  tma.load(consuming.stage());
}

export function childrenAreBorrowed(): void {
  // @ts-expect-error a borrowed stage is not released
  borrowed.release();
  // @ts-expect-error nor ends its scope
  take<Disposable>(borrowed);
  // @ts-expect-error nor moves it
  adopt(borrowed);
  // @ts-expect-error a linear handle is handed on itself
  consumed.stage();
}

export const operationsAreYielded = kernel('yielded', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16 });
  return [
    role('use', function* () {
      // @ts-expect-error an acquire without yield* is no handle
      ab.acquireConsumer().release();
      // @ts-expect-error nor is it a scope
      take<Disposable>(ab.consume());
      // @ts-expect-error a wait answers a stage, not a handle
      (yield* ab.waitProducer()).release();
      // @ts-expect-error a try answers yes or no, not a stage
      take<number>(yield* ab.tryWaitProducer());
      // @ts-expect-error whether a wait is needed is yes or no, not a stage
      yield* ab.waitProducerIfNeeded(yield* ab.waitProducer());
      // @ts-expect-error a claim may have nothing
      (yield* ab.tryClaim()).release();
      // @ts-expect-error a stage is read by its buffers
      read(yield* ab.acquireConsumer());
      // @ts-expect-error the tensor core reads stages, not their numbers
      mma.issue(yield* ab.consumerStage());
      // @ts-expect-error a round that returns nothing has no state to go on with
      yield* loop(null, function* () {});
      // @ts-expect-error the state of a loop is what its rounds return
      yield* loop<ConsumerStage | null>(null, function* () {
        return yield* ab.acquireProducer();
      });
    }),
    // @ts-expect-error a role waits with yield* alone
    role('async', async function* () {}),
  ];
});

export function pipelinesAreDeclared(): void {
  // @ts-expect-error a pipeline has stages
  pipeline('ab', { bytes: 16 });
  // @ts-expect-error the counter moves at the release or at the acquire
  pipeline('ab', { stages: 2, advance: 'never' });
  // @ts-expect-error barriers are of one of two kinds
  pipeline('ab', { stages: 2, barriers: 'phase' });
  // @ts-expect-error ownership is explicit or RAII
  kernel('k', {}, () => [], { ownership: 'linear' });
}
