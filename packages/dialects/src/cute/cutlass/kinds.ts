// The pipelines of CUTLASS C++: parameters instead of groups, one leader that arms, full tails.
import type { PipelineOptions } from '@poundlock/core';
import { closed, option, optionTable, requireCount } from '@poundlock/core/dialect';
import { requireOptions, uselessOption, type OptionsOf } from '@poundlock/core/dialect';
import { clusterOf, itself, type Cluster } from '../cluster.ts';
import { WARPGROUP_THREADS } from '../group.ts';
import { Pipeline } from '../pipeline.ts';
import { byBytes, byCommit, byThreads, byWarpgroups, expectedByLeader } from '../signal.ts';
import type { Signal } from '../signal.ts';

const LAYOUT = optionTable({
  /** The number of stages. */
  stages: option.checkedLater<number>(),
  /** The size of a stage in bytes, or of each of its parts; none where nothing is copied. */
  bytes: option.checkedLater<PipelineOptions['bytes']>(),
  /** Rows and columns of CTAs; CTA r is in row r mod m. One CTA unless specified. */
  clusterShape: option.checkedLater<readonly [m: number, n: number]>(),
});

const SHARED = optionTable({
  ...LAYOUT.values,
  /** The CTAs that work as one on an MMA, as `AtomThrShape_MNK` says: 1 unless specified. */
  atomThrShape: option.oneNumberOf(1, 2),
});

/** What every kind takes. `stages` and `bytes` are template parameters and storage in C++. */
export interface PipelineParams extends OptionsOf<typeof SHARED, 'stages'> {}

const ARRIVAL = optionTable({
  ...SHARED.values,
  /** Arrivals that fill a stage; 1 unless specified. */
  producerArvCount: option.checkedLater<number>(),
  /** Arrivals that empty a stage; 1 unless specified. */
  consumerArvCount: option.checkedLater<number>(),
  /** The CTA whose barriers are signaled; the role's own unless specified. */
  dstBlockid: option.checkedLater<number>(),
});

/** Parameters of kinds whose arrival counts the program specifies. */
export interface ArrivalParams extends OptionsOf<typeof ARRIVAL, 'stages'> {}

const BYTES = optionTable({
  /**
   * The bytes that the leader expects when it acquires a stage; those of the whole stage unless
   * specified.
   */
  transactionBytes: option.checkedLater<number>(),
});

const TMA = optionTable({ ...SHARED.values, ...BYTES.values });

/** Parameters of kinds with a TMA producer. */
export interface TmaParams extends OptionsOf<typeof TMA, 'stages'> {}

const TMA_ASYNC = optionTable({
  ...LAYOUT.values,
  ...BYTES.values,
  /** The consumer threads of one CTA, from which the arrivals are computed. */
  numConsumers: option.checkedLater<number>(),
  /** Arrivals that fill a stage; 1 unless specified. */
  numProducers: option.checkedLater<number>(),
});

/** Parameters of {@link PipelineTmaAsync}. */
export interface TmaAsyncParams extends OptionsOf<typeof TMA_ASYNC, 'stages' | 'numConsumers'> {}

/** TMA fills a stage; every consumer thread empties it, or in a cluster one of each warpgroup. */
export const PipelineTmaAsync = closed('PipelineTmaAsync', {
  /** Declares a pipeline. */
  create: (name: string, params: TmaAsyncParams): Pipeline => {
    requireOptions('PipelineTmaAsync.create()', TMA_ASYNC, params);
    const { numConsumers, numProducers = 1 } = params;
    requireCount(`the consumers of ${name}`, numConsumers, 1);
    const cluster = clusterIn(params);
    const isCluster = cluster.ctas.length > 1;
    const arrivals = cluster.multicastSize * Math.ceil(numConsumers / WARPGROUP_THREADS);
    return new Pipeline(name, {
      ...parts(params, numProducers, isCluster ? arrivals : numConsumers),
      producerSignal: byBytes,
      consumerSignal: isCluster ? byWarpgroups(cluster.partners) : byThreads(itself),
      expect: expectedByLeader(cluster, params.transactionBytes),
    });
  },
});

/** TMA fills a stage and the tensor core empties it, in every CTA that it was multicast to. */
export const PipelineTmaUmmaAsync = closed('PipelineTmaUmmaAsync', {
  /** Declares a pipeline. */
  create: (name: string, params: TmaParams): Pipeline => {
    requireOptions('PipelineTmaUmmaAsync.create()', TMA, params);
    const cluster = clusterIn(params);
    return new Pipeline(name, {
      ...parts(params, 1, cluster.multicastSize),
      producerSignal: byBytes,
      consumerSignal: byCommit(cluster.partnersAndPeers),
      expect: expectedByLeader(cluster, params.transactionBytes),
    });
  },
});

/** Threads fill a stage and threads empty it. */
export const PipelineAsync = withArrivals(
  'PipelineAsync',
  () => byThreads(itself),
  byThreadsAtBlock,
);

/** As {@link PipelineAsync}; `producerExpectTransaction` adds bytes that must arrive as well. */
export const PipelineTransactionAsync = withArrivals(
  'PipelineTransactionAsync',
  byThreadsAtBlock,
  byThreadsAtBlock,
);

/** The tensor core fills a stage, for a pair of CTAs, and threads empty it, at its leader. */
export const PipelineUmmaAsync = withArrivals(
  'PipelineUmmaAsync',
  byCommitToPair,
  byThreadsAtLeader,
);

/** Threads fill a stage, at the leader of a pair, and the tensor core empties it, for both. */
export const PipelineUmmaConsumerAsync = withArrivals(
  'PipelineUmmaConsumerAsync',
  byThreadsAtLeader,
  byCommitToPair,
);

type SignalOf = (params: ArrivalParams) => Signal;

function withArrivals(kind: string, producer: SignalOf, consumer: SignalOf) {
  const call = `${kind}.create()`;
  const hasPairs = producer === byCommitToPair || consumer === byCommitToPair;
  return closed(kind, {
    /** Declares a pipeline. */
    create: (name: string, params: ArrivalParams): Pipeline => {
      requireOptions(call, ARRIVAL, params);
      if (!hasPairs) {
        refuse(call, params, 'clusterShape', 'where threads signal: dstBlockid says which CTA');
        refuse(call, params, 'atomThrShape', NO_PAIRS);
      }
      if (params.atomThrShape === 2) {
        refuse(call, params, 'dstBlockid', 'for a pair: its leader is signaled');
      }
      return new Pipeline(name, {
        ...parts(params, params.producerArvCount ?? 1, params.consumerArvCount ?? 1),
        producerSignal: producer(params),
        consumerSignal: consumer(params),
      });
    },
  });
}

const NO_PAIRS = 'where no pair of CTAs multiplies';

function refuse(call: string, params: ArrivalParams, name: keyof ArrivalParams, why: string): void {
  if (params[name] !== undefined) throw uselessOption(call, name, why);
}

function byThreadsAtBlock({ dstBlockid }: ArrivalParams): Signal {
  return byThreads(dstBlockid === undefined ? itself : () => [dstBlockid]);
}

function byThreadsAtLeader(params: ArrivalParams): Signal {
  return params.atomThrShape === 2 ? byThreads(clusterIn(params).leader) : byThreadsAtBlock(params);
}

function byCommitToPair(params: ArrivalParams): Signal {
  return byCommit(clusterIn(params).pair);
}

function clusterIn({ clusterShape: [m, n] = [1, 1], atomThrShape = 1 }: PipelineParams): Cluster {
  return clusterOf([atomThrShape, m / atomThrShape, n, 1]);
}

function parts(params: PipelineParams, fullArrivals: number, emptyArrivals: number) {
  const { stages: numStages, bytes } = params;
  return { numStages, bytes, fullArrivals, emptyArrivals, tail: 'every-stage' } as const;
}
