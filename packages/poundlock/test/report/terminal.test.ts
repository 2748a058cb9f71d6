import assert from 'node:assert/strict';
import { test } from 'node:test';
import { terminal } from '#src/report/terminal/index';
import { checked, DEADLOCK, failed, FILE, KERNEL, report, environment } from './sample.ts';

const CERTIFIED =
  'certified  gemm (stages=3, tiles=16): no interleaving can deadlock, race or misuse a stage · 12,345 states, 0.12 s\n';

const counterexample = { verdict: 'counterexample', findings: [DEADLOCK] } as const;

test('a certified kernel is one line', () => {
  assert.equal(terminal.render(report([checked()]), environment([])), CERTIFIED);
});

test('a kernel without parameters has no parentheses', () => {
  const text = terminal.render(report([checked({ params: {} })]), environment([]));
  assert.match(text, /^certified {2}gemm: no /);
});

test('a certificate for every value of a parameter says so', () => {
  const params = { stages: 3, tiles: 16 };
  const scope = { params, every: ['tiles'], assumptions: [], sizes: [] };
  const text = terminal.render(report([checked({ scope })]), environment([]));
  assert.match(text, /^certified {2}gemm \(stages=3, every tiles\): /);
});

test('a period that is seen and not proved is no promise for every value', () => {
  const params = { stages: 3, tiles: 16 };
  const subjectOf = (most: number | null) => {
    const periods = [{ parameter: 'tiles', from: 4, step: 4, most }];
    const scope = { params, every: ['tiles'], assumptions: [], sizes: [], periods };
    return terminal.render(report([checked({ scope })]), environment([])).split(': ')[0];
  };
  assert.equal(subjectOf(null), 'certified  gemm (stages=3, every tiles if the period seen holds)');
  assert.equal(subjectOf(8000), 'certified  gemm (stages=3, every tiles up to 8,000)');
});

test('a counterexample is its findings and a line', () => {
  const text = terminal.render(report([checked(counterexample)]), environment(KERNEL));
  assert.match(text, /^error\[deadlock\]: load and mma wait for each other\n/);
  assert.match(
    text,
    /\n\ncounterexample {2}gemm \(stages=3, tiles=16\): deadlock after 2 steps · /,
  );
  assert.doesNotMatch(text, /trace:/);
});

test('more findings are counted, warnings apart', () => {
  const warning = { ...DEADLOCK, rule: 'late-pass', severity: 'warning' } as const;
  const findings = [DEADLOCK, DEADLOCK, DEADLOCK, warning];
  const text = terminal.render(
    report([checked({ ...counterexample, findings })]),
    environment(KERNEL),
  );
  assert.match(text, /deadlock after 2 steps, and 2 more errors · 1 warning, 12,345 states/);
});

test('an inconclusive result says why', () => {
  const reason = 'the bound max-states of 1,000 was reached';
  const text = terminal.render(
    report([checked({ verdict: 'inconclusive', reason })]),
    environment([]),
  );
  assert.match(text, /tiles=16\): the bound max-states of 1,000 was reached, raise --max-states ·/);
});

test('the schedule is shown when it is asked for', () => {
  const text = terminal.render(
    report([checked(counterexample)]),
    environment(KERNEL, { schedules: 'folded' }),
  );
  const table = `
   trace: 2 steps
   step  line  load    (tma)     then
      1    14  arrive            ab.full[0]: phase 0 (parity 0), pending 0/1, tx 32,768 B
      2                complete  ab.full[0]: phase 0→1 (parity 1), pending 1/1; ab[0]: full
   after step 2
     load   waits for ab.empty[0] phase 0: mma still owes an arrival
     (tma)  still has to complete the copy into ab[0]
`;
  assert.ok(text.includes(table), text);
});

test('a finding of the first state has no steps to show', () => {
  const findings = [{ ...DEADLOCK, trace: [] }];
  const text = terminal.render(
    report([checked({ ...counterexample, findings })]),
    environment(KERNEL, { schedules: 'folded' }),
  );
  assert.match(text, /\n {3}trace: 0 steps: the kernel starts in this state\n/);
  assert.match(text, /: deadlock at the start · /);
});

test('a replay shows its schedule once, and says what it took in steps', () => {
  const example = {
    trace: DEADLOCK.trace!,
    standing: [],
    replayToken: 'l1',
    replayCommand: 'poundlock check a.ts --replay l1',
  };
  const stats = { engine: 'replay', events: 2, states: 0, transitions: 2, elapsedMs: 1 } as const;
  const broken = terminal.render(
    report([checked({ ...counterexample, example, stats })]),
    environment(KERNEL, { schedules: 'folded' }),
  );
  assert.equal(broken.split('trace:').length, 2);
  assert.match(broken, / · 2 steps, 1 ms\n$/);
  const harmless = checked({ verdict: 'inconclusive', example, stats });
  assert.match(
    terminal.render(report([harmless]), environment([])),
    /^replay: after these steps\n/,
  );
});

test('an example is a schedule with its replay', () => {
  const example = {
    trace: DEADLOCK.trace!,
    standing: [],
    replayToken: 'l1',
    replayCommand: 'poundlock check a.ts --replay l1',
  };
  const text = terminal.render(report([checked({ example })]), environment([]));
  assert.match(text, /^example: every role ends after these steps\n {3}trace: 2 steps\n/);
  assert.match(text, /\n {3}replay: poundlock check a.ts --replay l1\n\ncertified /);
});

test('several results end with a table of what differs', () => {
  const outcomes = [
    checked({ params: { stages: 1, tiles: 16 }, ...counterexample }, FILE),
    checked(),
    failed('examples/gone.ts', 'no such file'),
  ];
  const text = terminal.render(report(outcomes, { skipped: 2 }), environment(KERNEL));
  const table = `
${CERTIFIED}
file                          verdict         rule      states
examples/broken/one-stage.ts  counterexample  deadlock  12,345
examples/gemm.ts              certified                 12,345
examples/gone.ts              could not run
3 results: 1 certified, 1 counterexample, 1 could not run, 2 not checked
`;
  assert.ok(text.endsWith(table), text);
});

test('a parameter that varies for one file has a column', () => {
  const outcomes = [
    checked({ params: { stages: 1, tiles: 16 } }),
    checked({ params: { stages: 2, tiles: 16 } }),
    checked({ params: { depth: 2 } }, 'b.ts'),
  ];
  const lines = terminal.render(report(outcomes), environment([])).split('\n');
  assert.deepEqual(lines.slice(4, 8), [
    'file              stages  verdict    states',
    'examples/gemm.ts  1       certified  12,345',
    'examples/gemm.ts  2       certified  12,345',
    'b.ts                      certified  12,345',
  ]);
});

test('the table of a sweep has no column for its one file', () => {
  const outcomes = [1, 2].map((stages) => checked({ params: { stages, tiles: 16 } }));
  const lines = terminal.render(report(outcomes), environment([])).split('\n');
  assert.deepEqual(lines.slice(2), [
    '',
    'stages  verdict    states',
    '1       certified  12,345',
    '2       certified  12,345',
    '2 results: 2 certified',
    '',
  ]);
});

test('a single file that could not run leaves stdout empty', () => {
  const outcomes = [failed('gone.ts', 'no such file')];
  assert.equal(terminal.render(report(outcomes), environment([])), '');
});
