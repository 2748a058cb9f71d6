// Litmus programs: registers that warpgroups give and take (Q01–Q05).
import { arr, dec, inc, wait, warpgroup, type LitmusRow } from './words.ts';

export const REGISTERS: readonly LitmusRow[] = [
  {
    id: 'G1',
    text: '3 × 168: one to 24, two to 240',
    want: 'ok',
    why: '24 + 240 + 240 = 504',
    agents: [
      warpgroup('p', 168, dec(24)),
      warpgroup('a', 168, inc(240)),
      warpgroup('b', 168, inc(240)),
    ],
  },
  {
    id: 'G2',
    text: 'no role decreases',
    want: 'register-deadlock',
    why: 'helion 3620',
    agents: [warpgroup('p', 168), warpgroup('a', 168, inc(240))],
  },
  {
    id: 'G3',
    text: '4 × 128: one to 24, three to 240',
    want: 'register-deadlock',
    why: 'tilelang 2406',
    agents: [
      warpgroup('p', 128, dec(24)),
      warpgroup('a', 128, inc(240)),
      warpgroup('b', 128, inc(240)),
      warpgroup('c', 128, inc(240)),
    ],
  },
  {
    id: 'G4',
    text: 'the decrease waits for who wants the increase',
    want: 'register-deadlock',
    why: 'a circle through a barrier',
    bars: { b: {} },
    agents: [warpgroup('p', 168, wait('b'), dec(24)), warpgroup('a', 168, inc(240), arr('b'))],
  },
  {
    id: 'G5',
    text: 'increase below what it has',
    want: 'register-misuse',
    why: 'undefined',
    agents: [warpgroup('a', 168, inc(160))],
  },
  {
    id: 'G6',
    text: '100 is no multiple of 8',
    want: 'register-misuse',
    agents: [warpgroup('a', 168, dec(100))],
  },
  {
    id: 'G7',
    text: 'two CTAs per SM: 2 × 128 at 80 → 24 and 160',
    want: 'register-deadlock',
    why: 'tilelang 2559: 160 in all, 184 wanted',
    agents: [warpgroup('p', 80, dec(24)), warpgroup('a', 80, inc(160))],
  },
];
