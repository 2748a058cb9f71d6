// Litmus programs: fences of all threads around a barrier, and one of them signals or waits (H15).
import {
  CLUSTER,
  R,
  RELAXED,
  W,
  agent,
  arr,
  fence,
  inCta,
  named,
  strands,
  wait,
  type LitmusRow,
} from './words.ts';

const GPU = { sc: 'gpu' } as const;
const RELAXED_GPU = { ...RELAXED, ...GPU };
const G = { g: { space: 'gl' } } as const;
const WHY = '__threadfence(); __syncthreads(); a relaxed store of one thread';

/** CTA 0 signals CTA 1. */
const BARS = { b: { cta: 1 } };

export const FENCED: readonly LitmusRow[] = [
  {
    id: 'F1',
    text: 'one writes and fences, another signals relaxed behind a barrier',
    want: 'ok',
    isa: 'relaxed-signal',
    why: WHY,
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), fence('acqrel', GPU), named(2)),
      inCta(0, 's', named(2), arr('b', RELAXED_GPU)),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F2',
    text: 'the same with a release fence, and two barriers on the way',
    want: 'ok',
    isa: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), fence('rel', GPU), named(2)),
      inCta(0, 'm', named(2), named(2, { bid: 1 })),
      inCta(0, 's', named(2, { bid: 1 }), arr('b', RELAXED_GPU)),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F3',
    text: 'without the fence of the one who writes',
    want: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), named(2)),
      inCta(0, 's', fence('acqrel', GPU), named(2), arr('b', RELAXED_GPU)),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F4',
    text: 'a write between the fence and the barrier',
    want: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', fence('acqrel', GPU), W('g'), named(2)),
      inCta(0, 's', named(2), arr('b', RELAXED_GPU)),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F5',
    text: 'a fence at cluster scope',
    want: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), fence('acqrel', CLUSTER), named(2)),
      inCta(0, 's', named(2), arr('b', RELAXED_GPU)),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F6',
    text: 'a signal at cluster scope',
    want: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), fence('acqrel', GPU), named(2)),
      inCta(0, 's', named(2), arr('b', { ...RELAXED, ...CLUSTER })),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F7',
    text: 'the signal comes before the barrier',
    want: 'race',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), fence('acqrel', GPU), named(2)),
      inCta(0, 's', arr('b', RELAXED_GPU), named(2)),
      inCta(1, 'r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F8',
    text: 'one waits relaxed, another fences behind the barrier and reads',
    want: 'ok',
    isa: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), arr('b', GPU)),
      inCta(1, 'a', wait('b', 0, RELAXED_GPU), named(2)),
      inCta(1, 'r', named(2), fence('acqrel', GPU), R('g')),
    ],
  },
  {
    id: 'F9',
    text: 'the same without the fence',
    want: 'relaxed-signal',
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), arr('b', GPU)),
      inCta(1, 'a', wait('b', 0, RELAXED_GPU), named(2)),
      inCta(1, 'r', named(2), R('g')),
    ],
  },
  {
    id: 'F10',
    text: 'both sides',
    want: 'ok',
    isa: 'relaxed-signal',
    why: WHY,
    mem: G,
    bars: BARS,
    agents: [
      inCta(0, 'w', W('g'), fence('rel', GPU), named(2)),
      inCta(0, 's', named(2), arr('b', RELAXED_GPU)),
      inCta(1, 'a', wait('b', 0, RELAXED_GPU), named(2)),
      inCta(1, 'r', named(2), fence('acq', GPU), R('g')),
    ],
  },
  {
    id: 'F11',
    text: 'strands of one role',
    want: 'ok',
    isa: 'relaxed-signal',
    mem: G,
    bars: { b: {} },
    agents: [
      strands('w', W('g'), fence('acqrel', GPU), named(2), arr('b', { ...RELAXED_GPU, by: [0] })),
      agent('r', wait('b', 0, GPU), R('g')),
    ],
  },
  {
    id: 'F12',
    text: 'one strand fences behind the barrier',
    want: 'relaxed-signal',
    mem: G,
    bars: { b: {} },
    agents: [
      strands(
        'w',
        W('g'),
        fence('acqrel', { ...GPU, by: [0] }),
        named(2),
        fence('acqrel', { ...GPU, by: [1] }),
        arr('b', { ...RELAXED_GPU, by: [0] }),
      ),
      agent('r', wait('b', 0, GPU), R('g')),
    ],
  },
];
