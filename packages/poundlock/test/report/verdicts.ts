// Hand-made verdicts of each kind, which every surface renders.
import type { CheckResult } from '../../../core/src/finding/index.ts';
import { DEADLOCK, LATE_PASS, result } from './sample.ts';

export const FILE = 'gemm.ptx';
export const params = { stages: 3, tiles: 16 };
export const texts = [{ file: FILE, sha256: '0123456789abcdef'.repeat(4) }];
export const scope: CheckResult['scope'] = {
  params,
  every: ['stages'],
  assumptions: [{ name: 'no-trap', text: 'a trap is not reached' }],
  sizes: [{ parameter: 'tiles', certified: [1, 2, 3], refused: [], open: [] }],
  blocks: { total: 132, clusterSize: 1, classes: [{ block: [0, 0, 0], ranges: [[0, 131]] }] },
};
export const coverage: CheckResult['coverage'] = {
  sizes: 4,
  instructions: 200,
  reached: 150,
  synchronizing: 20,
  synchronizingReached: 20,
  missed: [],
};
const all = { scope, coverage, texts, notes: ['phases repeat after 2 tiles'] };

/** A verdict of each kind, with every part that it can have. */
export const VERDICTS: Readonly<Record<string, CheckResult>> = {
  certified: result({ ...all, findings: [LATE_PASS] }),
  counterexample: result({ ...all, verdict: 'counterexample', findings: [DEADLOCK, LATE_PASS] }),
  inconclusive: result({
    ...all,
    verdict: 'inconclusive',
    reason: 'the bound max-states of 1,000 was reached',
    stats: { ...result().stats, unfinished: { depth: 41, open: 3_456 } },
  }),
  'seen, not proved': result({
    ...all,
    verdict: 'inconclusive',
    scope: {
      ...scope,
      periods: [{ parameter: 'stages', from: 4, step: 4, most: null }],
      assumptions: [{ name: 'period', text: 'the period of stages that was seen holds' }],
    },
    reason: 'the proof rests on what was seen and is not proved',
  }),
};
