// Litmus programs: asynchronous writes after generic reads (K04, H1).
import { R, RELAXED, S, W, agent, arr, fence, load, wait, type LitmusRow } from './words.ts';

export const REUSE: readonly LitmusRow[] = [
  {
    id: 'U1',
    text: 'TMA load; wait; R s; arrive ∥ wait; TMA load overwrites',
    want: 'ok',
    isa: 'unfenced-reuse',
    why: 'practice H1 (DeepGEMM scales, CUTLASS rs main loops)',
    mem: S,
    bars: { b: {}, c: {}, e: {} },
    agents: [
      agent('t', ...load('s', 'b'), wait('e'), ...load('s', 'c')),
      agent('r', wait('b'), R('s'), arr('e'), wait('c'), R('s')),
    ],
  },
  {
    id: 'U2',
    text: 'as U1, reader fences before its arrive',
    want: 'ok',
    why: 'FA 2462, CUTLASS epilogue load',
    mem: S,
    bars: { b: {}, c: {}, e: {} },
    agents: [
      agent('t', ...load('s', 'b'), wait('e'), ...load('s', 'c')),
      agent('r', wait('b'), R('s'), fence('async'), arr('e'), wait('c'), R('s')),
    ],
  },
  {
    id: 'U3',
    text: 'as U1, issuer fences after its wait',
    want: 'ok',
    why: 'DeepEP 642',
    mem: S,
    bars: { b: {}, c: {}, e: {} },
    agents: [
      agent('t', ...load('s', 'b'), wait('e'), fence('async'), ...load('s', 'c')),
      agent('r', wait('b'), R('s'), arr('e'), wait('c'), R('s')),
    ],
  },
  {
    id: 'U4',
    text: 'one thread: R s; TMA load overwrites s',
    want: 'ok',
    isa: 'unfenced-reuse',
    why: 'practice H1 (TransformerEngine 2695)',
    mem: S,
    bars: { b: {} },
    agents: [agent('t', R('s'), ...load('s', 'b'), wait('b'))],
  },
  {
    id: 'U5',
    text: 'R s; arrive missing; TMA load overwrites',
    want: 'race',
    why: 'released nothing',
    mem: S,
    bars: { b: {} },
    agents: [agent('t', ...load('s', 'b')), agent('r', R('s'))],
  },
  {
    id: 'U6',
    text: 'R s; arrive.relaxed ∥ wait; TMA load overwrites',
    want: 'relaxed-signal',
    why: 'a relaxed arrive does not wait for the read',
    mem: S,
    bars: { b: {}, c: {} },
    agents: [
      agent('r', R('s'), arr('b', RELAXED)),
      agent('t', wait('b'), ...load('s', 'c'), wait('c')),
    ],
  },
  {
    id: 'U7',
    text: 'W s; arrive ∥ wait; R s; arrive ∥ wait; TMA load overwrites',
    want: 'ok',
    isa: 'missing-proxy-fence',
    why: 'practice H1: a write that was read back is over with its reads (Triton, sm_100)',
    mem: S,
    bars: { b: {}, c: {}, e: {} },
    agents: [
      agent('w', W('s'), arr('b')),
      agent('r', wait('b'), R('s'), arr('e')),
      agent('t', wait('e'), ...load('s', 'c'), wait('c')),
    ],
  },
  {
    id: 'U8',
    text: 'as U7 without the read',
    want: 'missing-proxy-fence',
    mem: S,
    bars: { b: {}, c: {}, e: {} },
    agents: [
      agent('w', W('s'), arr('b')),
      agent('r', wait('b'), arr('e')),
      agent('t', wait('e'), ...load('s', 'c'), wait('c')),
    ],
  },
];
