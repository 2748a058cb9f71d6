// A report of every verb with every field in it, for the tests of renderings.
import { reportOf } from '../../../core/src/finding/index.ts';
import type { Report, ReportVerb } from '../../../core/src/finding/index.ts';
import { checked, DEADLOCK, FILE, LATE_PASS } from './sample.ts';

const VERSION = '1.2.3';
const HEAD = { file: FILE, kernel: 'gemm', params: { stages: 3 } };

const example = {
  trace: DEADLOCK.trace!,
  standing: DEADLOCK.standing!,
  replayToken: 'l1',
  replayCommand: 'poundlock …',
};
const CHECK = reportOf('check', VERSION, [
  checked({ verdict: 'counterexample', findings: [DEADLOCK, LATE_PASS], notes: ['one & two'] }),
  checked({ verdict: 'inconclusive', reason: 'a bound', example }),
  { result: { verb: 'check', file: 'gone.ts', error: 'no such <file>' } },
]);

const MODEL = { name: 'b200', title: 'NVIDIA B200', caveat: 'not measured', clockMegahertz: 1850 };
const DEVICE = {
  microseconds: 0.5,
  timed: 'roles' as const,
  waveCycles: 925,
  occupancy: {
    sharedBytes: 1024,
    threads: 64,
    ctas: 133,
    fitting: 2,
    limitedBy: 'threads',
    ctasPerSm: 1,
    waves: 2,
    tailCtas: 1,
  },
  roofs: [{ name: 'tensor core', achieved: 50, peak: 100, unit: '%' }],
  roofline: {
    intensity: 64,
    teraflops: 300,
    peakTeraflops: 900,
    peakGigabytesPerSecond: 4800,
    roof: 'memory' as const,
  },
  accuracy: ['not measured: 133 CTAs'],
};

const SIMULATE = reportOf('simulate', VERSION, [
  {
    result: {
      verb: 'simulate',
      ...HEAD,
      model: MODEL,
      totalCycles: 1850,
      limits: ['a CTA has | 2 MiB'],
      detail: {
        device: DEVICE,
        moreStages: {
          tried: 3,
          best: { parameter: 'stages', value: 4, totalCycles: 1480 },
        },
        roles: [{ name: 'load', busyCycles: 600, stallCycles: { full: 0, empty: 400, unit: 0 } }],
        rings: [{ name: 'ab', stages: 3, meanOccupancy: 1.5 }],
        lines: [
          { role: 'load', cause: 'empty', times: 4, cycles: 400, file: FILE, line: 14, column: 27 },
        ],
        criticalPath: [{ what: 'role', name: 'load', cycles: 600 }],
        stats: { events: 12 },
        timeline: {
          spans: [
            {
              role: 0,
              name: 'wait </script>',
              start: 0,
              end: 9,
              stall: 4,
              cause: 'empty',
              signal: 0,
            },
          ],
          flights: [{ unit: 'tma', name: 'copy', role: 0, start: 2, end: 8, bytes: 64 }],
          signals: [{ barrier: 0, time: 3, role: -1, flight: 0 }],
          path: [{ what: 'flight', role: 0, flight: 0, start: 2, end: 8 }],
          isTruncated: false,
        },
      },
    },
  },
]);

const ADVISE = reportOf('advise', VERSION, [
  {
    result: {
      verb: 'advise',
      ...HEAD,
      model: 'h200',
      caveat: null,
      current: { totalCycles: 1000 },
      checkedItems: 5,
      limit: null,
      proposals: [
        {
          kind: 'earlier',
          change: 'release ab earlier',
          totalCycles: 800,
          speedup: 1.25,
          verdict: 'certified',
          why: null,
        },
        {
          kind: 'raii',
          change: 'release every handle after its last use',
          totalCycles: NaN,
          speedup: NaN,
          verdict: 'counterexample',
          why: 'race: a | b',
        },
      ],
    },
  },
]);

const RUN = reportOf('run', VERSION, [
  {
    result: {
      verb: 'run',
      ...HEAD,
      items: 16,
      elapsedMs: 12,
      itemsPerSecond: 1333,
      conforms: true,
      certified: false,
      reason: 'the bound timeout is 1 s',
    },
    findings: [DEADLOCK],
  },
]);

const { message, primary, labels, notes, helps } = DEADLOCK;
const leak = { severity: 'error', message, primary, labels, notes, helps } as const;
const edits = [{ start: 0, end: 5, text: 'using' }];
const LINT = reportOf('lint', VERSION, [
  {
    result: {
      verb: 'lint',
      files: 12,
      unread: 1,
      suppressed: 2,
      known: 3,
      fixed: 1,
      coverage: {
        handles: 7,
        kinds: 2,
        files: 5,
        sound: { files: 1, proved: 3, refused: 0, suppressed: 0 },
        bounds: 1,
      },
      elapsedMs: 80,
    },
    findings: [
      { ...leak, rule: 'leak', fixes: [{ title: 'bind it with `using`', edits, isSafe: true }] },
    ],
  },
]);

/** One report for each verb. */
export const OF_VERB: { readonly [V in ReportVerb]: Report<V> } = {
  check: CHECK,
  simulate: SIMULATE,
  advise: ADVISE,
  run: RUN,
  lint: LINT,
};
