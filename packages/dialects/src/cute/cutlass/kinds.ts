// The pipelines of CUTLASS C++: parameters instead of groups, one leader that arms, full tails.
import type { PipelineOptions } from '@poundlock/core';
import { requireCount } from '@poundlock/core/dialect';
import { clusterOf, itself, type Cluster } from '../cluster.ts';
import { WARPGROUP_THREADS } from '../group.ts';
import { Pipeline } from '../pipeline.ts';
import { byBytes, byCommit, byThreads, byWarpgroups, expectedByLeader } from '../signal.ts';
import type { Signal } from '../signal.ts';

/** What every kind takes. `stages` and `bytes` are template parameters and storage in C++. */
export interface PipelineParams {
  /** The number of stages. */
  readonly stages: number;
  /** The size of a stage in bytes, or of each of its parts; none where nothing is copied. */
  readonly bytes?: PipelineOptions['bytes'];
  /** Rows and columns of CTAs; CTA r is in row r mod m. One CTA unless specified. */
  readonly clusterShape?: readonly [m: number, n: number];
  /** The CTAs that work as one on an MMA, as `AtomThrShape_MNK` says: 1 unless specified. */
  readonly atomThrShape?: 1 | 2;
}

/** Parameters of kinds whose arrival counts the program specifies. */
export interface ArrivalParams extends PipelineParams {
  /** Arrivals that fill a stage; 1 unless specified. */
  readonly producerArvCount?: number;
  /** Arrivals that empty a stage; 1 unless specified. */
  readonly consumerArvCount?: number;
  /** The CTA whose barriers are signaled; the role's own unless specified. */
  readonly dstBlockid?: number;
}

/** Parameters of kinds with a TMA producer. */
export interface TmaParams extends PipelineParams {
  /**
   * The bytes that the leader expects when it acquires a stage; those of the whole stage unless
   * specified.
   */
  readonly transactionBytes?: number;
}

/** Parameters of {@link PipelineTmaAsync}. */
export interface TmaAsyncParams extends TmaParams {
  /** The consumer threads of one CTA, from which the arrivals are computed. */
  readonly numConsumers: number;
  /** Arrivals that fill a stage; 1 unless specified. */
  readonly numProducers?: number;
}

/** TMA fills a stage; every consumer thread empties it, or in a cluster one of each warpgroup. */
export const PipelineTmaAsync = {
  /** Declares a pipeline. */
  create: (name: string, params: Omit<TmaAsyncParams, 'atomThrShape'>): Pipeline => {
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
};

/** TMA fills a stage and the tensor core empties it, in every CTA that it was multicast to. */
export const PipelineTmaUmmaAsync = {
  /** Declares a pipeline. */
  create: (name: string, params: TmaParams): Pipeline => {
    const cluster = clusterIn(params);
    return new Pipeline(name, {
      ...parts(params, 1, cluster.multicastSize),
      producerSignal: byBytes,
      consumerSignal: byCommit(cluster.partnersAndPeers),
      expect: expectedByLeader(cluster, params.transactionBytes),
    });
  },
};

/** Threads fill a stage and threads empty it. */
export const PipelineAsync = withArrivals(() => byThreads(itself), byThreadsAtBlock);

/** As {@link PipelineAsync}; `producerExpectTransaction` adds bytes that must arrive as well. */
export const PipelineTransactionAsync = withArrivals(byThreadsAtBlock, byThreadsAtBlock);

/** The tensor core fills a stage, for a pair of CTAs, and threads empty it, at its leader. */
export const PipelineUmmaAsync = withArrivals(byCommitToPair, byThreadsAtLeader);

/** Threads fill a stage, at the leader of a pair, and the tensor core empties it, for both. */
export const PipelineUmmaConsumerAsync = withArrivals(byThreadsAtLeader, byCommitToPair);

type SignalOf = (params: ArrivalParams) => Signal;

function withArrivals(producer: SignalOf, consumer: SignalOf) {
  return {
    /** Declares a pipeline. */
    create: (name: string, params: ArrivalParams): Pipeline =>
      new Pipeline(name, {
        ...parts(params, params.producerArvCount ?? 1, params.consumerArvCount ?? 1),
        producerSignal: producer(params),
        consumerSignal: consumer(params),
      }),
  };
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
