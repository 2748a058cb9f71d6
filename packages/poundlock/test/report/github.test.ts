import assert from 'node:assert/strict';
import { test } from 'node:test';
import { github } from '#src/report/github';
import type { Report } from '../../../core/src/finding/index.ts';
import { expectReport } from './golden.ts';
import { checked, DEADLOCK, EVERYTHING, LATE_PASS, report, environment } from './sample.ts';

const rendered = (of: Report<'check'>) => github.render(of, environment([]));

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Reads a workflow command as the runner does. */
function parsed(line: string): Command {
  const [, name, list, data] = /^::(\w+) (.*?)::(.*)$/.exec(line)!;
  const text = (escaped: string) => escaped.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  const property = (value: string) => text(value.replaceAll('%3A', ':').replaceAll('%2C', ','));
  const pairs = list!.split(',').map((pair) => {
    const [key, ...value] = pair.split('=');
    return [key, property(value.join('=')).replaceAll('%25', '%')];
  });
  const message = text(data!).replaceAll('%25', '%');
  return { name: name!, properties: Object.fromEntries(pairs), message };
}

test('every kind of outcome', () => {
  expectReport('everything/github.txt', rendered(EVERYTHING));
});

const SUMMARY =
  'certified  gemm (stages=3, tiles=16): no interleaving can deadlock, race or misuse a stage · ' +
  '12,345 states, 0.12 s';

test('a certified kernel is an ordinary line', () => {
  assert.equal(rendered(report([checked()])), `${SUMMARY}\n1 result: 1 certified\n`);
});

test('what is worth knowing of a result is a notice', () => {
  const [line] = rendered(report([checked({ notes: ['phases are ambiguous'] })])).split('\n');
  const { name, properties, message } = parsed(line!);
  assert.deepEqual([name, properties['title']], ['notice', 'certified']);
  assert.equal(message, 'examples/gemm.ts: gemm (stages=3, tiles=16): phases are ambiguous');
});

test('a finding is an annotation at its line, with all of it in the log', () => {
  const result = checked({ verdict: 'counterexample', findings: [DEADLOCK] });
  const [line] = rendered(report([result])).split('\n');
  const { name, properties, message } = parsed(line!);
  assert.equal(name, 'error');
  assert.deepEqual(properties, {
    file: 'examples/broken/one-stage.ts',
    line: '14',
    col: '27',
    title: 'deadlock in gemm (stages=3, tiles=16)',
  });
  assert.match(
    message,
    /^load and mma wait for each other\nexamples\/broken\/one-stage.ts:14:27: /,
  );
  assert.match(
    message,
    /\nnote: mma holds .*\nhelp: .*\nalso: with .*\nreplay: poundlock check \S+ --set .*$/,
  );
});

test('what a command means is escaped', () => {
  const file = 'a,b:c%2C.ts';
  const finding = { ...LATE_PASS, primary: { ...LATE_PASS.primary, file }, message: '1%\r\n::x::' };
  const lines = rendered(report([checked({ findings: [finding] })])).split('\n');
  assert.equal(lines.length, 4);
  assert.equal(lines.filter((line) => line.startsWith('::')).length, 1);
  assert.ok(lines[0]!.startsWith('::warning file=a%2Cb%3Ac%252C.ts,line=24,'), lines[0]);
  const { properties, message } = parsed(lines[0]!);
  assert.equal(properties['file'], file);
  assert.ok(message.startsWith('1%\r\n::x::\n'), message);
});
