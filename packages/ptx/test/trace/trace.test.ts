// Logs of launches on hardware: those that an H100 wrote, and how records become steps.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { InputError } from '@poundlock/core/internal/base';
import { check } from '../accepting.ts';
import { readTrace } from '#src/trace/read-trace';
import { RECORD_KINDS, type RecordKind } from '#src/trace/records';
import { stepsKernel } from '#src/kernel/steps-kernel';

const FOLDER = new URL('../../../../bench/cuda/', import.meta.url);

/** What an H100 logged for each bug of ring-trace.cu, and whether its kernel ended. */
const LOGS = [
  ['certified', null, 'right'],
  ['counterexample', 'race', 'releases a stage before it is read'],
  ['counterexample', 'deadlock', 'waits for the wrong parity'],
  ['counterexample', 'deadlock', 'expects too few bytes'],
  ['counterexample', 'deadlock', 'one warp too many at a named barrier'],
  ['counterexample', 'deadlock', 'a reader skips its release'],
] as const;

for (const [bug, [verdict, rule, title]] of LOGS.entries())
  test(`a log of an H100: ${title}`, async () => {
    const text = readFileSync(new URL(`ring-${bug}.jsonl`, FOLDER), 'utf8');
    const result = await check(stepsKernel({ file: 'ring.jsonl', text }));
    assert.equal(result.verdict, verdict);
    assert.equal(result.findings[0]?.rule ?? null, rule);
    const steps = stepsKernel({ file: 'ring.jsonl', text }).runText!({});
    const again = await check(stepsKernel({ file: 'steps.jsonl', text: steps }));
    assert.deepEqual(structuredClone(again.findings), structuredClone(result.findings));
  });

test('the finding of a log names the line of the kernel', async () => {
  const text = readFileSync(new URL('ring-1.jsonl', FOLDER), 'utf8');
  const source = readFileSync(new URL('ring-trace.cu', FOLDER), 'utf8').split('\n');
  const { findings } = await check(stepsKernel({ file: 'ring.jsonl', text }));
  assert.match(
    findings[0]!.message,
    /^warp1 arrives on empty\[0\] before it reads tile\+0\/1024: the arrival lets warp0's copy write/,
  );
  const lines = findings[0]!.labels.map(({ line }) => source[line - 1]!);
  assert.ok(lines.some((line) => line.includes('poundlock::copy(')));
  assert.ok(lines.some((line) => line.includes('poundlock::read(')));
});

const HEAD = {
  format: 'poundlock-trace',
  version: 1,
  kernel: 'k',
  file: 'k.cu',
  block: [64, 1, 1],
  cluster: [1, 1, 1],
  ended: true,
  complete: true,
};
const BEGIN = 0x80;

function record(kind: RecordKind, thread: number, words: readonly number[], begin = 0): number[] {
  const all = [...words, 0, 0, 0, 0].slice(0, 4);
  return [RECORD_KINDS.indexOf(kind) + begin, 7, 0, thread, ...all];
}

function textOf(head: object, ...records: readonly (readonly number[])[]): string {
  return [head, ...records].map((line) => JSON.stringify(line)).join('\n');
}

test('lanes that do the same one after the other make one step', () => {
  const lanes = Array.from({ length: 32 }, (_, lane) => lane);
  const records = [
    ...lanes.map((lane) => record('arrive', lane, [64, 1, 0, 0])),
    ...lanes.map((lane) => record('read', lane, [128 + 4 * lane, 4])),
    record('wait', 40, [64, 1]),
  ];
  const { warps } = readTrace(textOf(HEAD, ...records), 'k.jsonl');
  const [first, second] = warps;
  assert.deepEqual(
    first!.steps.map(({ op }) => op),
    ['arrive', 'access'],
  );
  const [arrive, access] = first!.steps;
  assert.ok(arrive?.op === 'arrive' && arrive.arrivals === 32 && arrive.lanes === undefined);
  assert.ok(access?.op === 'access' && access.reads.length === 64);
  assert.deepEqual(second!.steps, [{ at: 0, lanes: 1 << 8, op: 'wait', barrier: 64, parity: 1 }]);
});

test('what a lane does after another went on stays behind it', () => {
  const records = [
    record('read', 0, [128, 4]),
    record('arrive', 0, [64, 1, 0, 0]),
    record('read', 1, [132, 4]),
  ];
  const { warps } = readTrace(textOf(HEAD, ...records), 'k.jsonl');
  assert.deepEqual(
    warps[0]!.steps.map(({ op, lanes }) => [op, lanes]),
    [
      ['access', 1],
      ['arrive', 1],
      ['access', 2],
    ],
  );
});

test('lanes that meet at a barrier are one step, and a warp that waits is stuck', () => {
  const records = [
    record('sync', 0, [1, 64], BEGIN),
    record('sync', 1, [1, 64], BEGIN),
    record('sync', 0, [1, 64]),
    record('read', 0, [128, 4]),
    record('sync', 1, [1, 64]),
    record('wait', 32, [64, 0], BEGIN),
  ];
  const { warps, undecided } = readTrace(textOf({ ...HEAD, ended: false }, ...records), 'k.jsonl');
  assert.deepEqual(
    warps[0]!.steps.map(({ op, lanes }) => [op, lanes]),
    [
      ['named', 3],
      ['access', 1],
    ],
  );
  assert.equal(warps[0]!.stuck, null);
  assert.equal(warps[1]!.stuck?.op, 'wait');
  assert.deepEqual(undecided, []);
});

test('a log that is cut off proves nothing', async () => {
  const read = record('read', 0, [128, 4]);
  for (const [head, records, reason] of [
    [{ ...HEAD, complete: false }, [read], /^the log is full/],
    [{ ...HEAD, ended: false }, [read], /^the kernel did not end, and no thread of the log waits/],
    [HEAD, [], /^nothing was logged/],
    [{ ...HEAD, records: 2 }, [read], /^the log has 1 of the 2 records/],
  ] as const) {
    const text = textOf(head, ...records);
    const result = await check(stepsKernel({ file: 'k.jsonl', text }));
    assert.equal(result.verdict, 'inconclusive');
    assert.match(result.reason!, reason);
  }
});

test('what lanes of a warp do one after the other is joined', async () => {
  const lanes = Array.from({ length: 32 }, (_, lane) => lane);
  const write = lanes.map((lane) => record('write', lane, [128 + 4 * lane, 4]));
  const fence = lanes.map((lane) => record('fence', lane, [0]));
  const store = [
    record('store', 0, [128, 128]),
    record('commitGroup', 0, [0]),
    record('waitGroup', 0, [0, 0, 0]),
  ];
  for (const [records, rule] of [
    [[...write, ...fence, ...store], null],
    [[record('write', 0, [128, 128]), record('fence', 0, [0]), ...store], null],
    [[...write, ...store], 'missing-proxy-fence'],
  ] as const) {
    const text = textOf({ ...HEAD, block: [32, 1, 1] }, ...records);
    const kernel = stepsKernel({ file: 'k.jsonl', text });
    const { findings, verdict } = await check(kernel);
    assert.equal(findings[0]?.rule ?? null, rule);
    assert.equal(verdict, rule === null ? 'certified' : 'counterexample');
    const again = await check(stepsKernel({ file: 'k.jsonl', text: kernel.runText!({}) }));
    assert.equal(again.verdict, verdict);
  }
});

test('a record that cannot be read is one error that names its line', () => {
  const cases: readonly (readonly [readonly number[], RegExp])[] = [
    [[1, 2], /^k\.jsonl:2: the document has to be 8 numbers$/],
    [[99, 0, 0, 0, 0, 0, 0, 0], /'operation' is not an operation of the log$/],
    [record('wait', 64, [0, 0]), /'thread' is not a thread of a block of 64$/],
    [record('read', 0, [0, 0]), /k\.jsonl:2: .* has a range that is not shared memory$/],
    [record('init', 0, [0, 0]), /k\.jsonl:2: .* has 0 where 1 to 1048575 are possible$/],
    [record('fence', 0, [9]), /k\.jsonl:2: .* is a fence that is not known$/],
  ];
  for (const [line, message] of cases)
    assert.throws(
      () => stepsKernel({ file: 'k.jsonl', text: textOf(HEAD, line) }),
      (error) => error instanceof InputError && message.test(error.message),
    );
});

test('the numbers of the operations are those of the header file', () => {
  const header = readFileSync(new URL('poundlock-trace.cuh', FOLDER), 'utf8');
  const [, body = ''] = /enum Op : uint32_t \{([^}]*)\}/.exec(header) ?? [];
  const names = body.split('\n').flatMap((line) => /^ {2}(\w+),/.exec(line)?.[1] ?? []);
  const camel = names.map((name) =>
    name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  assert.deepEqual(camel, [...RECORD_KINDS]);
});

test('the header compiles, with the log and without', (t) => {
  const compiler = spawnSync('nvcc', ['--version']);
  if (compiler.error !== undefined) return t.skip('nvcc is not installed');
  const out = mkdtempSync(join(tmpdir(), 'trace-'));
  t.after(() => rmSync(out, { recursive: true, force: true }));
  const source = fileURLToPath(new URL('ring-trace.cu', FOLDER));
  const architecture = ['-std=c++17', '-gencode=arch=compute_90a,code=sm_90a'];
  for (const define of [['-DPOUNDLOCK_TRACE'], []]) {
    const words = [...architecture, ...define, '-ptx', '-o', join(out, 'ring.ptx'), source];
    const { status, stderr } = spawnSync('nvcc', words, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
});
