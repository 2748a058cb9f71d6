// The pipelines of CuTe DSL, by the units that fill and empty a stage and their signals.
import { InputError } from '@poundlock/core';
import type { PipelineOptions } from '@poundlock/core';
import { closed, currentPosition, option, optionTable } from '@poundlock/core/dialect';
import { requireOptions, type OptionsOf } from '@poundlock/core/dialect';
import { clusterOf, itself, type Cluster, type CtaLayout, type McastMode } from './cluster.ts';
import { Agent, CooperativeGroup, WARP_THREADS } from './group.ts';
import { Pipeline, type PipelineParts } from './pipeline.ts';
import { byBytes, byCommit, byExpecting, byThreads, byWarps } from './signal.ts';
import { expectedByEachWarp, expectedInEach } from './signal.ts';

const group = option.object<CooperativeGroup>(
  'a CooperativeGroup',
  (value) => value instanceof CooperativeGroup,
);

/** What kinds without a cluster take. */
const ASYNC = optionTable({
  /** The number of stages. */
  numStages: option.checkedLater<number>(),
  /** The size of a stage in bytes, or of each of its parts; none where nothing is copied. */
  bytes: option.checkedLater<PipelineOptions['bytes']>(),
  /** The threads whose arrivals fill a stage; one unless specified. */
  producerGroup: group,
  /** The threads whose arrivals empty a stage; one unless specified. */
  consumerGroup: group,
  /** Whether the program calls {@link Pipeline.init} itself, and syncs after it. */
  deferSync: option.flag,
});

const CREATE = optionTable({
  ...ASYNC.values,
  /** The CTAs of the cluster; one unless specified. */
  ctaLayoutVmnk: option.checkedLater<CtaLayout>(),
});

/** What `create` of every kind of pipeline takes. */
export interface CreateOptions extends OptionsOf<typeof CREATE, 'numStages'> {}

const CLC = optionTable({
  ...CREATE.values,
  /** The bytes that an acquire expects; those of the whole stage unless specified. */
  txCount: option.checkedLater<number>(),
});

const TMA = optionTable({
  ...CLC.values,
  /** What is multicast; both A and B unless specified. */
  mcastModeMn: option.checkedLater<McastMode>(),
  /**
   * Whether `consumerGroup` counts the threads of one CTA that call wait and release, and the
   * arrivals are computed from it; otherwise it counts arrivals.
   */
  enableMulticastSignaling: option.flag,
});

/** What `create` of kinds with a TMA producer takes in addition. */
export interface TmaOptions extends OptionsOf<typeof TMA, 'numStages'> {}

/** Threads fill a stage and threads empty it: each thread that commits or releases arrives. */
export const PipelineAsync = closed('PipelineAsync', {
  /** Declares a pipeline. */
  create: (name: string, options: Omit<CreateOptions, 'ctaLayoutVmnk'>): Pipeline => {
    requireOptions('PipelineAsync.create()', ASYNC, options);
    return new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byThreads(itself),
      consumerSignal: byThreads(itself),
    });
  },
});

/**
 * TMA fills a stage and threads empty it: one lane of each warp arrives, for each CTA that shares
 * the data.
 */
export const PipelineTmaAsync = closed('PipelineTmaAsync', {
  /** Declares a pipeline. */
  create: (name: string, options: TmaOptions): Pipeline => {
    requireOptions('PipelineTmaAsync.create()', TMA, options);
    const cluster = clusterOf(options.ctaLayoutVmnk, options.mcastModeMn);
    return tma(name, options, cluster, byWarps(cluster.partners));
  },
});

/**
 * TMA fills a stage and the tensor core empties it: a release commits the work that reads it, in
 * every CTA that the data was multicast to. Of a pair, the leader expects the bytes of both.
 */
export const PipelineTmaUmma = closed('PipelineTmaUmma', {
  /** Declares a pipeline. */
  create: (name: string, options: TmaOptions): Pipeline => {
    requireOptions('PipelineTmaUmma.create()', TMA, options);
    const cluster = clusterOf(options.ctaLayoutVmnk, options.mcastModeMn);
    return tma(name, options, cluster, byCommit(cluster.partnersAndPeers));
  },
});

/**
 * The tensor core fills a stage, signaled by a commit in both CTAs of a pair, and threads empty
 * it, all on the leader's barrier. Its tail waits for the last stage alone.
 */
export const PipelineUmmaAsync = closed('PipelineUmmaAsync', {
  /** Declares a pipeline. */
  create: (name: string, options: CreateOptions): Pipeline => {
    requireOptions('PipelineUmmaAsync.create()', CREATE, options);
    const { pair, leader } = clusterOf(options.ctaLayoutVmnk);
    return new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byCommit(pair),
      consumerSignal: byThreads(leader),
      tail: 'last-stage-of-even-ctas',
    });
  },
});

/** Threads fill a stage, on the leader's barrier, and the tensor core empties it for the pair. */
export const PipelineAsyncUmma = closed('PipelineAsyncUmma', {
  /** Declares a pipeline. */
  create: (name: string, options: CreateOptions): Pipeline => {
    requireOptions('PipelineAsyncUmma.create()', CREATE, options);
    const { pair, leader } = clusterOf(options.ctaLayoutVmnk);
    return new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byThreads(leader),
      consumerSignal: byCommit(pair),
    });
  },
});

/** The bytes of a response of the cluster launch control. */
const CLC_RESPONSE_BYTES = 16;

/**
 * The scheduler of CTA 0 fetches work items for the whole cluster, and the threads of every CTA
 * release them there. An acquire expects the response in every CTA; a commit would expect it
 * again.
 */
export const PipelineClcFetchAsync = closed('PipelineClcFetchAsync', {
  /** Declares a pipeline. */
  create: (name: string, options: OptionsOf<typeof CLC, 'numStages'>): Pipeline => {
    requireOptions('PipelineClcFetchAsync.create()', CLC, options);
    const { txCount = CLC_RESPONSE_BYTES } = options;
    const expect = expectedInEach(clusterOf(options.ctaLayoutVmnk), txCount);
    return new Pipeline(name, {
      ...counted(options, arrivalsOf(options.consumerGroup)),
      producerSignal: byExpecting(expect, txCount),
      consumerSignal: byThreads(() => [0]),
      expect,
    });
  },
});

function tma(
  name: string,
  options: TmaOptions,
  cluster: Cluster,
  consumerSignal: PipelineParts['consumerSignal'],
): Pipeline {
  const { txCount, enableMulticastSignaling = false } = options;
  const arrivals = enableMulticastSignaling
    ? signallingThreads(name, options.consumerGroup, cluster)
    : arrivalsOf(options.consumerGroup);
  return new Pipeline(name, {
    ...counted(options, arrivals),
    producerSignal: byBytes,
    consumerSignal,
    expect: expectedByEachWarp(cluster, txCount),
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
  cluster: Cluster,
): number {
  const threads = arrivalsOf(group);
  if (threads % WARP_THREADS === 0) return (threads / WARP_THREADS) * cluster.multicastSize;
  throw new InputError(
    `the consumerGroup of ${name} must be whole warps of ${WARP_THREADS} threads, not ${threads}`,
    currentPosition(),
  );
}
