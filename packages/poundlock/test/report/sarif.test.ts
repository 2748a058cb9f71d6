import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log, Result } from 'sarif';
import { readRulePage } from '#src/cli/rule-pages';
import { ALL_RULES, severityOf, titleOf, type RuleId } from '../../../core/src/finding/index.ts';
import type { Report } from '../../../core/src/finding/index.ts';
import { sarif } from '#src/report/sarif';
import { expectReport } from './golden.ts';
import {
  checked,
  DEADLOCK,
  environment,
  EVERYTHING,
  failed,
  FILE,
  LATE_PASS,
  report,
} from './sample.ts';
import { sarifFaults } from './sarif-schema.ts';

/** GitHub cuts a longer description of a rule. */
const MAX_DESCRIPTION = 1024;

function logOf(of: Report<'check'>): Log {
  const log = JSON.parse(sarif.render(of, environment([]))) as Log;
  assert.deepEqual(sarifFaults(log), []);
  return log;
}

function resultsOf(of: Report<'check'>): Result[] {
  return logOf(of).runs[0]!.results!;
}

test('every kind of outcome is in one valid log', () => {
  const log = logOf(EVERYTHING);
  // What a page says is not this golden's business.
  for (const rule of log.runs[0]!.tool.driver.rules!) {
    const text = `<page of ${rule.id}>`;
    for (const name of ['shortDescription', 'fullDescription', 'help'] as const) {
      rule[name] = { text };
    }
  }
  expectReport('everything/sarif.json', `${JSON.stringify(log, null, 2)}\n`);
});

test('the schema rejects what is no log', () => {
  const broken: [path: string, change: (result: Record<string, unknown>) => void][] = [
    ['level', (result) => (result['level'] = 'fatal')],
    ['message', (result) => delete result['message']],
    ['line', (result) => (result['line'] = 3)],
    ['locations', (result) => (result['locations'] = [{ physicalLocation: { region: 3 } }])],
  ];
  for (const [what, change] of broken) {
    const [result] = resultsOf(EVERYTHING);
    const log = logOf(EVERYTHING);
    change(result as unknown as Record<string, unknown>);
    log.runs[0]!.results = [result!];
    assert.notDeepEqual(sarifFaults(log), [], what);
  }
});

test('nothing found is a log with the checks that were made', () => {
  const { results, properties, tool, invocations } = logOf(report([checked()])).runs[0]!;
  assert.deepEqual([results, tool.driver.rules], [[], []]);
  assert.equal(tool.driver.semanticVersion, '1.2.3');
  assert.equal(invocations![0]!.executionSuccessful, true);
  assert.deepEqual(properties!['results'], [
    {
      verb: 'check',
      file: 'examples/gemm.ts',
      kernel: 'gemm',
      params: { stages: 3, tiles: 16 },
      verdict: 'certified',
      scope: { params: { stages: 3, tiles: 16 }, every: [], assumptions: [], sizes: [] },
      stats: {
        engine: 'search',
        events: 0,
        states: 12_345,
        transitions: 23_456,
        elapsedMs: 123.4,
      },
    },
  ]);
});

test('a result has its rule, every party and one location per step', () => {
  const verdict = 'counterexample';
  const [result] = resultsOf(report([checked({ verdict, findings: [DEADLOCK] })]));
  assert.deepEqual([result!.ruleId, result!.ruleIndex, result!.level], ['deadlock', 0, 'error']);
  assert.deepEqual(result!.locations![0]!.physicalLocation, {
    artifactLocation: { uri: FILE, uriBaseId: '%SRCROOT%' },
    region: { startLine: 14, startColumn: 27 },
  });
  assert.deepEqual(
    result!.relatedLocations!.map(({ id, message }) => [id, message!.text]),
    DEADLOCK.labels.map(({ text }, at) => [at + 1, text]),
  );
  const steps = result!.codeFlows![0]!.threadFlows[0]!.locations;
  assert.deepEqual(
    steps.map(({ executionOrder, location }) => [executionOrder, location!.message!.text]),
    [
      [1, 'load: arrive ab.full[0], expects 32,768 B'],
      [2, '(tma): complete the copy into ab[0]; ab.full[0] phase 0 completes'],
    ],
  );
  assert.match(result!.message.text!, /^load and mma wait .*\n.*\n\[.*:27\]\(1\): the arrival /);
});

test('a file of any name is a URI', () => {
  const names: [file: string, uri: string][] = [
    ['a b/100%#?.ts', 'a%20b/100%25%23%3F.ts'],
    ['../ä:1.ts', '../%C3%A4%3A1.ts'],
    ['https://host/a b.ts', 'https://host/a%20b.ts'],
  ];
  for (const [file, uri] of names) {
    const primary = { ...DEADLOCK.primary, file };
    const findings = [{ ...DEADLOCK, primary }];
    const [result] = resultsOf(report([checked({ verdict: 'counterexample', findings })]));
    assert.equal(result!.locations![0]!.physicalLocation!.artifactLocation!.uri, uri);
  }
});

test('every rule has a page as help', () => {
  const findings = ALL_RULES.map((rule) => ({ ...DEADLOCK, rule, severity: severityOf(rule) }));
  const log = logOf(report([checked({ verdict: 'counterexample', findings })]));
  const rules = log.runs[0]!.tool.driver.rules!;
  assert.deepEqual(
    rules.map(({ id, defaultConfiguration }) => [id, defaultConfiguration!.level]),
    ALL_RULES.map((rule) => [rule, severityOf(rule)]),
  );
  for (const { id, shortDescription, fullDescription, help } of rules) {
    const { what, rejected, fixed } = readRulePage(id as RuleId);
    assert.equal(shortDescription!.text, titleOf(id as RuleId));
    assert.ok(what.startsWith(`${fullDescription!.text}\n\n`), id);
    assert.ok(fullDescription!.text.length <= MAX_DESCRIPTION, id);
    assert.match(help!.text, new RegExp(`^\\w+\\[${id}\\]: `));
    const markdown = help!.markdown!;
    assert.ok(markdown.startsWith(what), id);
    assert.ok(markdown.includes(rejected) && markdown.includes(fixed), id);
  }
});

test('a finding keeps its fingerprint when lines, numbers and parties move', () => {
  const print = (finding: typeof DEADLOCK) => {
    const [result] = resultsOf(report([checked({ findings: [finding] })]));
    return result!.partialFingerprints!['poundlockFinding/v1'];
  };
  const message = 'w1 reads ab.full[1] 2 phases early, 32,768 B of 1.5';
  const finding = { ...DEADLOCK, message };
  assert.equal(
    print(finding),
    `deadlock|${FILE}|load|w1 reads ab.full[#] # phases early, # B of #`,
  );
  const { primary } = finding;
  const moved = { ...finding, primary: { ...primary, line: 90, column: 1 }, trace: [], labels: [] };
  assert.equal(
    print({ ...moved, message: message.replace('[1] 2', '[0] 11').replace('32,768', '16') }),
    print(finding),
  );
  assert.notEqual(print({ ...finding, primary: { ...primary, role: 'mma' } }), print(finding));
  assert.notEqual(print({ ...finding, rule: 'race' }), print(finding));
  assert.notEqual(print({ ...finding, message: message.replace('w1', 'w2') }), print(finding));
});

test('a warning is a warning, and a finding without a trace has no code flow', () => {
  const [result] = resultsOf(report([checked({ findings: [LATE_PASS] })]));
  assert.equal(result!.level, 'warning');
  assert.ok(!('codeFlows' in result!) && !('relatedLocations' in result!));
});

test('what is not decided is no success', () => {
  const inconclusive = report([checked({ verdict: 'inconclusive', reason: 'a bound' })]);
  const broken = report([failed('gone.ts', 'no such file')]);
  const interrupted = report([checked()], { isBatch: true, skipped: 1 });
  const expected = [
    [inconclusive, 'inconclusive', 'gemm (stages=3, tiles=16): a bound'],
    [broken, 'could-not-run', 'no such file'],
    [interrupted, 'interrupted', '1 check not started'],
  ] as const;
  for (const [of, id, text] of expected) {
    const [invocation] = logOf(of).runs[0]!.invocations!;
    const [notification] = invocation!.toolExecutionNotifications!;
    assert.equal(invocation!.executionSuccessful, false);
    assert.deepEqual([notification!.descriptor!.id, notification!.message.text], [id, text]);
  }
});
