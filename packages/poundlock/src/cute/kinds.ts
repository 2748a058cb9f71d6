// The pipelines of CuTe DSL: who fills a stage, who empties it, and so who signals what.
import { InputError, currentPosition } from '../base/index.ts';
import type { PipelineOptions } from '../pipeline/ring.ts';
import {
  ctasOf,
  multicastOf,
  type ClusterShape,
  type McastMode,
  type Multicast,
} from './cluster.ts';
import { Agent, CooperativeGroup, WARP_THREADS } from './group.ts';
import { Pipeline, type PipelineParts } from './pipeline.ts';
import { byBytes, byCommit, byExpecting, byThreads, byThreadsAt, byWarps } from './signal.ts';
import { expectedByEachWarp, expectedInEach } from './signal.ts';

/** What `create` of every kind takes. */
export interface CreateOptions {
  readonly numStages: number;
  /** Bytes of a stage, or of each of its parts; none where nothing is copied. */
  readonly bytes?: PipelineOptions['bytes'];
  /** Whose arrivals fill a stage; one thread unless given. */
  readonly producerGroup?: CooperativeGroup;
  /** Whose arrivals empty a stage; one thread unless given. */
  readonly consumerGroup?: CooperativeGroup;
  /** Whether the program calls `init` itself, and syncs after it. */
  readonly deferSync?: boolean;
}

/** What kinds with a TMA producer take as well. */
export interface TmaOptions extends CreateOptions {
  /** The bytes that an acquire expects; those of the whole stage unless given. */
  readonly txCount?: number;
  readonly clusterShapeMn?: ClusterShape;
  readonly mcastModeMn?: McastMode;
  /**
   * Whether `consumerGroup` counts the threads of one CTA that call wait and release, and the
   * arrivals are computed; else it counts arrivals.
   */
  readonly enableMulticastSignaling?: boolean;
}

const ALONE = multicastOf();

/** Threads fill a stage and threads empty it: every one that commits or releases arrives. */
export const PipelineAsync = {
  create: (name: string, options: CreateOptions): Pipeline =>
    new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byThreads,
      consumerSignal: byThreads,
    }),
};

/** TMA fills a stage and threads empty it: one lane of each warp arrives, for each partner. */
export const PipelineTmaAsync = {
  create: (name: string, options: TmaOptions): Pipeline => {
    const multicast = multicastOf(options.clusterShapeMn, options.mcastModeMn);
    return tma(name, options, multicast, byWarps(multicast));
  },
};

/** TMA fills a stage and the tensor core empties it: a release commits what reads it. */
export const PipelineTmaUmma = {
  create: (name: string, options: TmaOptions): Pipeline => {
    const multicast = multicastOf(options.clusterShapeMn, options.mcastModeMn);
    return tma(name, options, multicast, byCommit(multicast));
  },
};

/** The tensor core fills a stage, told by a commit, and threads empty it. Its tail is weaker. */
export const PipelineUmmaAsync = {
  create: (name: string, options: CreateOptions): Pipeline =>
    new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byCommit(ALONE),
      consumerSignal: byThreads,
      tail: 'last-stage-of-even-ctas',
    }),
};

/** Threads fill a stage and the tensor core empties it. */
export const PipelineAsyncUmma = {
  create: (name: string, options: CreateOptions): Pipeline =>
    new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byThreads,
      consumerSignal: byCommit(ALONE),
    }),
};

/** The bytes of a response of the cluster launch control. */
const CLC_RESPONSE_BYTES = 16;

/**
 * The scheduler of CTA 0 fetches work for the whole cluster, and the threads of every CTA release
 * it there. An acquire expects the response in every CTA; a commit would expect it again.
 */
export const PipelineClcFetchAsync = {
  create: (name: string, options: TmaOptions): Pipeline => {
    const { txCount = CLC_RESPONSE_BYTES } = options;
    const expect = expectedInEach(ctasOf(options.clusterShapeMn), txCount);
    return new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byExpecting(expect, txCount),
      consumerSignal: byThreadsAt(0),
      expect,
    });
  },
};

function tma(
  name: string,
  options: TmaOptions,
  multicast: Multicast,
  consumerSignal: PipelineParts['consumerSignal'],
): Pipeline {
  const { txCount, enableMulticastSignaling = false } = options;
  const arrivals = enableMulticastSignaling
    ? signallingThreads(name, options.consumerGroup, multicast)
    : arrivalsOf(options.consumerGroup);
  return new Pipeline(name, {
    ...counted(options, arrivals),
    producerSignal: byBytes,
    consumerSignal,
    expect: expectedByEachWarp(txCount),
  });
}

function counted(options: CreateOptions, emptyArrivals: number) {
  const { numStages, bytes, producerGroup, deferSync } = options;
  const fullArrivals = arrivalsOf(producerGroup);
  return { numStages, bytes, deferSync, fullArrivals, emptyArrivals, tail: 'every-stage' } as const;
}

function arrivalsOf(group: CooperativeGroup = new CooperativeGroup(Agent.Thread)): number {
  return group.arrivals;
}

/** One thread of each warp, for each partner. */
function signallingThreads(
  name: string,
  group: CooperativeGroup | undefined,
  multicast: Multicast,
): number {
  const threads = arrivalsOf(group);
  if (threads % WARP_THREADS === 0) return (threads / WARP_THREADS) * multicast.size;
  throw new InputError(
    `the consumerGroup of ${name} must be whole warps of ${WARP_THREADS} threads, not ${threads}`,
    currentPosition(),
  );
}
