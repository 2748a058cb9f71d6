// Hand-made findings and results for the tests of renderings.
import { readRulePage } from '#src/cli/rule-pages';
import { PLAIN, type ReporterEnvironment } from '#src/report/index';
import { reportOf } from '../../../core/src/finding/index.ts';
import type {
  CheckResult,
  Finding,
  Report,
  ReportedFailure,
  ResultWithFindings,
} from '../../../core/src/finding/index.ts';

export const KERNEL = [
  "import { kernel } from 'poundlock';",
  ...Array.from({ length: 12 }, () => ''),
  '      using slot = yield* ab.produce();',
  ...Array.from({ length: 9 }, () => ''),
  '      const tile = yield* ab.acquireConsumer();',
  '',
  '',
  '      previous?.release();',
];

export const FILE = 'examples/broken/one-stage.ts';

export const DEADLOCK: Finding = {
  rule: 'deadlock',
  severity: 'error',
  message: 'load and mma wait for each other',
  primary: {
    file: FILE,
    line: 14,
    column: 27,
    role: 'load',
    text: 'load waits here for ab.empty[0] phase 0: needs 1 arrival from mma',
  },
  labels: [
    {
      file: FILE,
      line: 27,
      column: 17,
      role: 'mma',
      text: 'the arrival that load needs is issued here, after that wait',
    },
    {
      file: FILE,
      line: 24,
      column: 27,
      role: 'mma',
      text: 'mma waits here for ab.full[0] phase 1: needs 1 arrival and 32,768 B from load',
    },
  ],
  notes: ['mma holds stage 0, which load needs next'],
  helps: ['declare 2 stages'],
  trace: [
    {
      agent: 'load',
      kind: 'role',
      verb: 'arrive',
      text: 'arrive ab.full[0], expects 32,768 B',
      effects: [],
      barriers: [
        {
          name: 'ab.full[0]',
          phase: 0,
          parity: 0,
          pending: 0,
          expected: 1,
          txBytes: 32_768,
        },
      ],
      slots: [],
      file: FILE,
      line: 14,
      column: 27,
    },
    {
      agent: 'tma',
      kind: 'unit',
      verb: 'complete',
      text: 'complete the copy into ab[0]',
      effects: ['ab.full[0] phase 0 completes'],
      barriers: [{ name: 'ab.full[0]', phase: 1, parity: 1, pending: 1, expected: 1, txBytes: 0 }],
      slots: [{ name: 'ab[0]', owners: [], data: 'full', flights: [] }],
    },
  ],
  standing: [
    {
      agent: 'load',
      kind: 'role',
      state: 'waits',
      owedBy: ['mma'],
      text: 'waits for ab.empty[0] phase 0: mma still owes an arrival',
    },
    {
      agent: 'tma',
      kind: 'unit',
      state: 'open',
      text: 'still has to complete the copy into ab[0]',
    },
  ],
  replayToken: 'l3t1m3',
  replayCommand: `poundlock check ${FILE} --set stages=1 --replay l3t1m3`,
  also: {
    params: { tiles: 2 },
    steps: 6,
    replayToken: 'l3t1m1',
    replayCommand: `poundlock check ${FILE} --set stages=1 --set tiles=2 --replay l3t1m1`,
  },
};

/** A warning without trace or replay, whose texts have what renderings must escape. */
export const LATE_PASS: Finding = {
  rule: 'late-pass',
  severity: 'warning',
  message: 'epi_0 passes full[1] 2 phases late: 50% of <all> *waits*\nin `epi_0`',
  primary: { file: FILE, line: 24, column: 27, role: 'epi_0', text: 'phase 1, not 3 | here' },
  labels: [],
  notes: [],
  helps: [],
};

function counterexampleOf(kernel: string): Partial<CheckResult> {
  return { kernel, verdict: 'counterexample', params: { stages: 1, label: 'a|b' } };
}

export function environment(
  lines: readonly string[],
  changes: Partial<ReporterEnvironment> = {},
): ReporterEnvironment {
  const sourceLine = (_file: string, line: number) => lines[line - 1];
  return {
    paint: PLAIN,
    sourceLine,
    schedules: 'hidden',
    rulePage: readRulePage,
    ...changes,
  };
}

export function result(changes: Partial<CheckResult> = {}): CheckResult {
  const params = changes.params ?? { stages: 3, tiles: 16 };
  return {
    kernel: 'gemm',
    params,
    verdict: 'certified',
    scope: { params, every: [], assumptions: [], sizes: [] },
    findings: [],
    stats: { engine: 'search', events: 0, states: 12_345, transitions: 23_456, elapsedMs: 123.4 },
    ...changes,
  };
}

type Checked = ResultWithFindings<'check'>;

export function checked(changes: Partial<CheckResult> = {}, file = 'examples/gemm.ts'): Checked {
  const { findings, ...rest } = result(changes);
  return { result: { verb: 'check', file, ...rest }, findings };
}

export function failed(
  file: string,
  error: string,
  changes: Partial<ReportedFailure> = {},
): Checked {
  return { result: { verb: 'check', file, error, ...changes } };
}

export function report(
  results: readonly Checked[],
  changes: Partial<Report<'check'>> = {},
): Report<'check'> {
  return reportOf('check', '1.2.3', results, changes);
}

/** Every kind of outcome, for the golden files of whole reports. */
export const EVERYTHING: Report<'check'> = report(
  [
    checked(),
    checked({ ...counterexampleOf('keeper'), findings: [DEADLOCK, LATE_PASS] }, FILE),
    checked(
      { verdict: 'inconclusive', reason: 'the bound max-states of 1,000 was reached' },
      'q.ts',
    ),
    failed('gone.ts', 'no such file'),
    failed('k.ts', 'lib/a,b 100%.ts:3:9: throws TypeError: x is not a function', {
      params: { stages: 1 },
      at: { file: 'lib/a,b 100%.ts', line: 3, column: 9 },
    }),
  ],
  { skipped: 2 },
);
