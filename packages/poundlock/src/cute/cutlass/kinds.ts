// The pipelines of CUTLASS C++: parameters instead of groups, one leader that arms, full tails.
import type { PipelineOptions } from '../../pipeline/ring.ts';
import { requireCount } from '../../program/index.ts';
import { multicastOf, type ClusterShape } from '../cluster.ts';
import { WARPGROUP_THREADS } from '../group.ts';
import { Pipeline } from '../pipeline.ts';
import { byBytes, byCommit, byThreads, byThreadsAt, byWarpgroups } from '../signal.ts';
import { expectedByLeader } from '../signal.ts';
import type { Signal } from '../signal.ts';

/** What every kind takes; `stages` and `bytes` are template parameters and storage in C++. */
interface Params {
  readonly stages: number;
  readonly bytes?: PipelineOptions['bytes'];
}

/** Arrival counts as the program gives them. */
export interface ArrivalParams extends Params {
  /** Arrivals that fill a stage; 1 unless given. */
  readonly producerArvCount?: number;
  /** Arrivals that empty a stage; 1 unless given. */
  readonly consumerArvCount?: number;
  /** The CTA whose barriers are signalled; the role's own unless given. */
  readonly dstBlockid?: number;
}

export interface TmaParams extends Params {
  /** The bytes that the leader expects as it acquires a stage; of the whole stage unless given. */
  readonly transactionBytes?: number;
  readonly clusterShape?: ClusterShape;
}

export interface TmaAsyncParams extends TmaParams {
  /** The consumer threads of one CTA, from which the arrivals are computed. */
  readonly numConsumers: number;
  /** Arrivals that fill a stage; 1 unless given. */
  readonly numProducers?: number;
}

const ALONE = multicastOf();

/** TMA fills a stage; every consumer thread empties it, or in a cluster one of each warpgroup. */
export const PipelineTmaAsync = {
  create: (name: string, params: TmaAsyncParams): Pipeline => {
    const { numConsumers, numProducers = 1, clusterShape = [1, 1] } = params;
    requireCount(`the consumers of ${name}`, numConsumers, 1);
    const multicast = multicastOf(clusterShape);
    const isCluster = clusterShape[0] * clusterShape[1] > 1;
    const groups = Math.ceil(numConsumers / WARPGROUP_THREADS);
    return new Pipeline(name, {
      ...parts(params, numProducers, isCluster ? multicast.size * groups : numConsumers),
      producerSignal: byBytes,
      consumerSignal: isCluster ? byWarpgroups(multicast) : byThreads,
      expect: expectedByLeader(params.transactionBytes),
    });
  },
};

/** TMA fills a stage and the tensor core empties it, in every CTA that it was multicast to. */
export const PipelineTmaUmmaAsync = {
  create: (name: string, params: TmaParams): Pipeline => {
    const multicast = multicastOf(params.clusterShape);
    return new Pipeline(name, {
      ...parts(params, 1, multicast.size),
      producerSignal: byBytes,
      consumerSignal: byCommit(multicast),
      expect: expectedByLeader(params.transactionBytes),
    });
  },
};

/** Threads fill a stage and threads empty it. */
export const PipelineAsync = withArrivals(byThreads, threadsOf);

/** As `PipelineAsync`; `producerExpectTransaction` adds bytes that have to land as well. */
export const PipelineTransactionAsync = withArrivals(threadsOf, threadsOf);

/** The tensor core fills a stage and threads empty it. */
export const PipelineUmmaAsync = withArrivals(byCommit(ALONE), threadsOf);

/** Threads fill a stage and the tensor core empties it. */
export const PipelineUmmaConsumerAsync = withArrivals(byThreads, byCommit(ALONE));

type SignalOf = Signal | ((params: ArrivalParams) => Signal);

function withArrivals(producer: SignalOf, consumer: SignalOf) {
  const of = (signal: SignalOf, params: ArrivalParams): Signal =>
    typeof signal === 'function' ? signal(params) : signal;
  return {
    create: (name: string, params: ArrivalParams): Pipeline =>
      new Pipeline(name, {
        ...parts(params, params.producerArvCount ?? 1, params.consumerArvCount ?? 1),
        producerSignal: of(producer, params),
        consumerSignal: of(consumer, params),
      }),
  };
}

function threadsOf({ dstBlockid }: ArrivalParams): Signal {
  return dstBlockid === undefined ? byThreads : byThreadsAt(dstBlockid);
}

function parts(params: Params, fullArrivals: number, emptyArrivals: number) {
  const { stages: numStages, bytes } = params;
  return { numStages, bytes, fullArrivals, emptyArrivals, tail: 'every-stage' } as const;
}
