// Litmus programs: barriers that the program initializes (I01–I05).
import {
  CLUSTER,
  R,
  RELAXED,
  S,
  agent,
  arr,
  clarr,
  clwait,
  fence,
  inCta,
  init,
  load,
  named,
  wait,
  type LitmusRow,
} from './words.ts';

export const INITS: readonly LitmusRow[] = [
  {
    id: 'I1',
    text: 'init; named barrier; the other arrives',
    want: 'ok',
    bars: { b: {} },
    agents: [agent('a', init('b'), named(2), wait('b')), agent('c', named(2), arr('b'))],
  },
  {
    id: 'I2',
    text: 'init without a sync',
    want: 'uninitialised-barrier',
    why: 'Fuser 1552',
    bars: { b: {} },
    agents: [agent('a', init('b'), wait('b')), agent('c', arr('b'))],
  },
  {
    id: 'I3',
    text: 'init; cluster arrive.relaxed, wait; CTA 1 arrives',
    want: 'unfenced-init',
    why: 'cutlass 2030',
    bars: { b: {} },
    agents: [
      inCta(0, 'a', init('b'), clarr(RELAXED), clwait(), wait('b', 0, CLUSTER)),
      inCta(1, 'c', clarr(RELAXED), clwait(), arr('b', CLUSTER)),
    ],
  },
  {
    id: 'I4',
    text: 'init; fence.mbarrier_init; cluster arrive.relaxed, wait',
    want: 'ok',
    why: 'CUTLASS, DeepGEMM',
    bars: { b: {} },
    agents: [
      inCta(0, 'a', init('b'), fence('init'), clarr(RELAXED), clwait(), wait('b', 0, CLUSTER)),
      inCta(1, 'c', clarr(RELAXED), clwait(), arr('b', CLUSTER)),
    ],
  },
  {
    id: 'I5',
    text: 'init; cluster arrive (release), wait',
    want: 'ok',
    why: 'release.cluster covers the init',
    bars: { b: {} },
    agents: [
      inCta(0, 'a', init('b'), clarr(), clwait(), wait('b', 0, CLUSTER)),
      inCta(1, 'c', clarr(), clwait(), arr('b', CLUSTER)),
    ],
  },
  {
    id: 'I6',
    text: 'init; sync; TMA load completes on it, no proxy fence',
    want: 'ok',
    why: 'a copy reaches its mbarrier by the generic proxy (PTX 9.3); practice H5',
    mem: S,
    bars: { b: {} },
    agents: [
      agent('a', init('b'), named(2), wait('b'), R('s')),
      agent('t', named(2), ...load('s', 'b')),
    ],
  },
  {
    id: 'I7',
    text: 'init in CTA 0, CTA 1 arrives without a cluster sync',
    want: 'uninitialised-barrier',
    bars: { b: {} },
    agents: [inCta(0, 'a', init('b'), wait('b', 0, CLUSTER)), inCta(1, 'c', arr('b', CLUSTER))],
  },
];
