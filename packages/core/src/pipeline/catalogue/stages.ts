// Methods of pipelines and of the handles of their stages, and the two units of stages.
import { COPY_TARGET, CTA_TARGETS, TILE_WORK } from '../../program/operation-options.ts';
import { STEP } from '../pipeline.ts';
import { ARRIVAL } from '../stage.ts';
import { NO_NAMES, row, type Names } from './entry.ts';

const ACQUIRE_EMPTY: Names = [
  'producer_acquire(state)',
  'producer.acquire, acquire_and_advance',
  'acquire_producer, produce, wait_consumer',
];
const ACQUIRE_FULL: Names = [
  'consumer_wait(state)',
  'consumer.wait, wait_and_advance',
  'acquire_consumer, consume, wait_producer',
];
const TRY_EMPTY: Names = [
  'producer_try_acquire(state)',
  'producer.try_acquire',
  'try_wait_consumer',
];
const TRY_FULL: Names = ['consumer_try_wait(state)', 'consumer.try_wait', 'try_wait_producer'];
const RELEASE: Names = ['consumer_release(state)', 'handle.release', 'release'];

export const PIPELINES = {
  'ab.produce': row(
    'using slot = yield* ab.produce()',
    'Blocks until the next stage is empty; the end of the block releases the handle',
    ['waitStage', 'own'],
    ACQUIRE_EMPTY,
  ),
  'ab.consume': row(
    'using tile = yield* ab.consume()',
    'Blocks until the next stage is full; the end of the block signals it empty',
    ['waitStage', 'own'],
    ACQUIRE_FULL,
  ),
  'ab.consumeExplicit': row(
    'using tile = yield* ab.consumeExplicit()',
    'Blocks until the next stage is full; the body signals it empty, the end of the block steps',
    ['waitStage', 'own'],
    ACQUIRE_FULL,
  ),
  'ab.acquireProducer': row(
    'const slot = yield* ab.acquireProducer()',
    'Blocks until the next stage is empty; the handle is released by exactly one call',
    ['waitStage', 'own'],
    ACQUIRE_EMPTY,
  ),
  'ab.acquireConsumer': row(
    'const tile = yield* ab.acquireConsumer()',
    'Blocks until the next stage is full; the handle is released by exactly one call',
    ['waitStage', 'own'],
    ACQUIRE_FULL,
  ),
  'ab.tryClaim': row(
    'const tile = yield* ab.tryClaim()',
    'Takes the next stage of all consumers if it is full, or returns null',
    ['tryClaim'],
    NO_NAMES,
  ),
  'ab.waitConsumer': row(
    'yield* ab.waitConsumer()',
    'Of a producer: blocks until the next stage is empty, and returns its number',
    ['waitStage'],
    ACQUIRE_EMPTY,
  ),
  'ab.waitProducer': row(
    'yield* ab.waitProducer()',
    'Of a consumer: blocks until the next stage is full, and returns its number',
    ['waitStage'],
    ACQUIRE_FULL,
  ),
  'ab.postWaitProducer': row(
    'ab.postWaitProducer()',
    'As waitProducer, at the end of a scope: the operations after it wait',
    ['waitStage'],
    NO_NAMES,
  ),
  'ab.tryWaitConsumer': row(
    'yield* ab.tryWaitConsumer()',
    'Of a producer: tests once whether the next stage is empty',
    ['tryWaitStage'],
    TRY_EMPTY,
  ),
  'ab.tryWaitProducer': row(
    'yield* ab.tryWaitProducer()',
    'Of a consumer: tests once whether the next stage is full',
    ['tryWaitStage'],
    TRY_FULL,
  ),
  'ab.waitConsumerIfNeeded': row(
    'yield* ab.waitConsumerIfNeeded(ready)',
    'As waitConsumer, unless a test has returned that the stage is empty',
    ['waitStage', 'stage'],
    ['producer_acquire(state, token)', 'acquire_and_advance(token)', 'wait_consumer_if_needed'],
  ),
  'ab.waitProducerIfNeeded': row(
    'yield* ab.waitProducerIfNeeded(ready)',
    'As waitProducer, unless a test has returned that the stage is full',
    ['waitStage', 'stage'],
    ['consumer_wait(state, token)', 'wait_and_advance(token)', 'wait_producer_if_needed'],
  ),
  'ab.producerStep': row(
    'ab.producerStep(options?)',
    'Advances the counter of the producer without a signal',
    ['step'],
    ['++state', 'producer.advance', 'producer_step'],
    STEP,
  ),
  'ab.consumerStep': row(
    'ab.consumerStep(options?)',
    'Advances the counter of the consumer without a signal',
    ['step'],
    ['++state', 'consumer.advance', 'consumer_step'],
    STEP,
  ),
  'ab.producerSignalAndStep': row(
    'yield* ab.producerSignalAndStep()',
    'Waits for the stage to be empty, signals it full, and advances',
    ['waitStage', 'arrive', 'step'],
    ['–', '–', 'producer_signal_and_step'],
  ),
  'ab.consumerSignalAndStep': row(
    'yield* ab.consumerSignalAndStep()',
    'Waits for the stage to be full, signals it empty, and advances',
    ['waitStage', 'arrive', 'step'],
    ['–', '–', 'consumer_signal_and_step'],
  ),
  'ab.drain': row(
    'yield* ab.drain()',
    'Of a producer at its end: waits until each stage that was filled is empty',
    ['waitStage', 'step'],
    ['producer_tail(state)', 'producer.tail', 'drain'],
  ),
  'ab.producerStage': row(
    'yield* ab.producerStage()',
    'The number of the stage that the role fills next',
    ['stage'],
    ['state.index()', 'state.index', 'producer_stage'],
  ),
  'ab.consumerStage': row(
    'yield* ab.consumerStage()',
    'The number of the stage that the role reads next',
    ['stage'],
    ['state.index()', 'state.index', 'consumer_stage'],
  ),
  'ab.producerMbar': row(
    'ab.producerMbar(stage)',
    'The full barrier of a stage',
    [],
    ['producer_get_barrier(state)', 'producer_get_barrier', 'producer_mbar'],
  ),
  'ab.consumerMbar': row(
    'ab.consumerMbar(stage)',
    'The empty barrier of a stage',
    [],
    ['–', '–', 'consumer_mbar'],
  ),
  'ab.buffers': row('ab.buffers(stage)', 'The buffers of a stage', [], NO_NAMES),
  'ab.initMbars': row(
    'ab.initMbars(producers, consumers)',
    'Initializes all barriers in a role, for a pipeline of producers: 0 and consumers: 0',
    ['init'],
    ['initialize_barrier_array_pair', '–', 'init_mbars'],
  ),
  'ab.copy': row(
    'ab.copy(name?)',
    'The same ring with counters of its own',
    [],
    ['a copy of the state', 'producer.clone', 'a copy of the pipeline'],
  ),
};

export const HANDLES = {
  'slot.buffer': row('slot.buffer(part?)', 'The buffer of the stage, or of one part', [], NO_NAMES),
  'slot.mbar': row(
    'slot.mbar()',
    'The barrier that this side signals: full of a producer, empty of a consumer',
    [],
    ['producer_get_barrier(state)', 'handle.barrier', 'mbar'],
  ),
  'slot.arrive': row(
    'slot.arrive(options?)',
    'The threads of the role arrive at the barrier of the stage',
    ['arrive'],
    ['producer_commit(state)', 'handle.commit', 'arrive'],
    ARRIVAL,
  ),
  'slot.release': row(
    'slot.release()',
    'Releases a stage: a consumer signals it empty, and the counter advances',
    ['arrive', 'step', 'disown'],
    RELEASE,
  ),
  'tile.releaseWithoutSignal': row(
    'tile.releaseWithoutSignal()',
    'Releases a stage whose signal is a commit',
    ['step', 'disown'],
    RELEASE,
  ),
  'slot.detach': row(
    'slot.detach()',
    'Moves the stage out of its block: it is released by a call then',
    [],
    NO_NAMES,
  ),
  'slot.stage': row(
    'slot.stage()',
    'A reference to the stage, to pass to a function',
    ['use'],
    NO_NAMES,
  ),
  adopt: row(
    'using scope = adopt(handle)',
    'Makes the end of a block release a handle',
    [],
    NO_NAMES,
  ),
};

export const UNITS_OF_STAGES = {
  'tma.load': row(
    'tma.load(slot, work?)',
    'Expects the bytes of the stage and copies each of its parts',
    ['arrive', 'asyncCopy'],
    ['copy(tma.with(bar, mask), …)', 'cute.copy(…, tma_bar_ptr=)', 'tma_op.async_copy'],
  ),
  'tma.expect': row(
    'tma.expect(slot, bytes?)',
    'One arrival that expects bytes; those of the stage unless specified',
    ['arrive'],
    [
      'arrive_and_expect_tx',
      'mbarrier_arrive_and_expect_tx',
      'expect_bytes',
      'mbarrier.arrive.expect_tx',
    ],
  ),
  'tma.copy': row(
    'tma.copy(slot, part?, options?)',
    'Copies one part of a stage; ctas multicasts it',
    ['asyncCopy'],
    ['copy(tma.with(bar, mask), …)', 'cute.copy(…, mcast_mask=)', 'tma_op.async_multicast_load'],
    COPY_TARGET,
  ),
  'mma.issue': row(
    'mma.issue(tiles, into?, options?)',
    'Issues work of the tensor core that reads stages',
    ['asyncUse'],
    ['cute::gemm', 'cute.gemm', 'mma_op.mma'],
    TILE_WORK,
  ),
  'mma.commit': row(
    'mma.commit(bar, options?)',
    'Arrives at the barrier when all work that was issued before has completed',
    ['commit'],
    ['umma_arrive', 'tcgen05.commit', 'mma_arrive', 'tcgen05.commit'],
    CTA_TARGETS,
  ),
  'mma.commitGroup': row(
    'mma.commitGroup()',
    'Closes a group of work',
    ['commit'],
    ['warpgroup_commit_batch', 'warpgroup.commit_group', 'commit_group', 'wgmma.commit_group'],
  ),
  'mma.waitGroup': row(
    'yield* mma.waitGroup(inFlight)',
    'Blocks until at most so many groups are open',
    ['waitGroup'],
    ['warpgroup_wait<N>', 'warpgroup.wait_group', 'wait_group', 'wgmma.wait_group'],
  ),
};
