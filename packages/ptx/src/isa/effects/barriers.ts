// Effects of mbarriers, barriers of threads and clusters, and fences.
import type { Barrier, Effect, Fence, Mbarrier, Restriction } from '../effect.ts';
import type { Words } from '../words.ts';

/** What waits for a phase: the others give it. */
const WAITS: ReadonlySet<Mbarrier['op']> = new Set(['test', 'try']);

/** What other CTAs do to an mbarrier, by the operation: no other is made on one of them. */
const SIGNALS: ReadonlySet<Mbarrier['op']> = new Set([
  'arrive',
  'arrive drop',
  'expect',
  'complete',
]);

function mbarrier(op: Mbarrier['op']): (words: Words) => Mbarrier {
  return (words) => ({
    kind: 'mbarrier',
    op,
    isExpect: words.has('expect_tx') && op.startsWith('arrive'),
    mustNotComplete: words.has('noComplete'),
    isCounted: words.has('noinc'),
    isByParity: words.has('parity'),
    order: words.order === 'relaxed' ? 'relaxed' : WAITS.has(op) ? 'acquire' : 'release',
    scope: words.scope === 'cluster' ? 'cluster' : 'cta',
    mayBeOfOthers: words.isOfCluster || (SIGNALS.has(op) && words.space === 'generic'),
    multicast: words.multicast,
    layout: words.has('layout::v1') ? 1 : 0,
    phase: words.has('phase_type::conditional') ? 'conditional' : 'primary',
  });
}

function barrier(op: Barrier['op'], isAlwaysAligned = false): (words: Words) => Barrier {
  return (words) => ({
    kind: 'barrier',
    of: 'cta',
    op,
    isAligned: isAlwaysAligned || words.has('aligned'),
    reduction: op === 'reduce' ? words.one('popc', 'and', 'or') : null,
    isRelaxed: false,
  });
}

function clusterBarrier(op: 'arrive' | 'wait'): (words: Words) => Barrier {
  return (words) => ({
    kind: 'barrier',
    of: 'cluster',
    op,
    isAligned: words.has('aligned'),
    reduction: null,
    isRelaxed: words.has('relaxed'),
  });
}

const RESTRICTIONS: Readonly<Record<string, Restriction>> = {
  mbarrier_init: 'mbarrier init',
  'sync_restrict::shared::cta': 'shared cta',
  'sync_restrict::shared::cluster': 'shared cluster',
  'sync_restrict::shared::cluster::read': 'shared cluster reads',
};

/** A fence of memory; one that names no order is `acq_rel`, `membar` is `sc`. */
function fence(proxy: Fence['proxy'], unnamed: Fence['order']): (words: Words) => Fence {
  return (words) => {
    const { order, space } = words;
    return {
      kind: 'fence',
      order: order === undefined || order === 'weak' || order === 'relaxed' ? unnamed : order,
      scope: words.scope,
      restriction: words.pick(RESTRICTIONS) ?? 'all',
      proxy,
      space: space === 'shared' || space === 'global' ? space : null,
    };
  };
}

export const BARRIER_EFFECTS = {
  'mbarrier init': mbarrier('init'),
  'mbarrier inval': mbarrier('inval'),
  'mbarrier arrive': mbarrier('arrive'),
  'mbarrier arrive drop': mbarrier('arrive drop'),
  'mbarrier arrive on copies': mbarrier('arrive on copies'),
  'mbarrier expect': mbarrier('expect'),
  'mbarrier complete': mbarrier('complete'),
  'mbarrier test': mbarrier('test'),
  'mbarrier try': mbarrier('try'),
  'mbarrier pending count': mbarrier('pending count'),
  'mbarrier check layout': mbarrier('check layout'),
  'barrier sync': barrier('sync'),
  'barrier arrive': barrier('arrive'),
  'barrier reduce': barrier('reduce'),
  'aligned barrier sync': barrier('sync', true),
  'aligned barrier arrive': barrier('arrive', true),
  'aligned barrier reduce': barrier('reduce', true),
  'cluster arrive': clusterBarrier('arrive'),
  'cluster wait': clusterBarrier('wait'),
  fence: fence(null, 'acq_rel'),
  membar: fence(null, 'sc'),
  'async proxy fence': fence('async', null),
  'async and memory fence': fence('async::generic', null),
  'tensor map fence': fence('tensormap::generic', null),
  'alias fence': fence('alias', null),
} satisfies Record<string, (words: Words) => Effect>;
