// The kernels of waits.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'waits.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');

const WORDS = { kind: 'pointer', bytes: 64, int32: Array.from({ length: 16 }, () => 0) };
const DATA = { kind: 'pointer', bytes: 1024 };
const KNOWN = { kind: 'pointer', bytes: 16, int32: [3, 1, 2, 0] };

/** The kernels, and what their verdicts say. */
const KERNELS: Readonly<Record<string, RegExp | null>> = {
  patient: null,
  patient_bug: /^relaxed-signal: /,
  sense: null,
  sense_bug: /^relaxed-signal: /,
  taken_back: null,
  taken_back_bug: /^deadlock: .*\bthe value 1\b/,
  answered: null,
  answered_bug: /^relaxed-signal: /,
  wide: null,
  wide_bug: /^deadlock: /,
  clusters: null,
  clusters_bug: /^scope-too-narrow: /,
};

function verdictOf(entry: string, launch: object) {
  return check(
    ptxKernel({
      ptx: { file: FILE, text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
      entry,
    }),
  );
}

for (const [entry, expected] of Object.entries(KERNELS))
  test(`blocks wait for words: ${entry}`, async () => {
    const params = [WORDS, entry.startsWith('wide') ? KNOWN : DATA, DATA];
    const launch = { grid: [4, 1, 1], block: [32, 1, 1], params };
    const { verdict, findings, reason, scope } = await verdictOf(entry, launch);
    const [finding] = findings;
    const words = finding === undefined ? reason : `${finding.rule}: ${finding.message}`;
    assert.equal(verdict, expected === null ? 'certified' : 'counterexample', words);
    if (expected !== null) assert.match(words!, expected);
    else assert.ok(scope.assumptions.some(({ name }) => name === 'fitting-grid'));
  });

test('a word of 64 bits that is stored in halves is not followed', async () => {
  const launch = { grid: [2, 1, 1], block: [32, 1, 1], params: [WORDS, DATA, DATA] };
  const { verdict, reason } = await verdictOf('halves', launch);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /in parts/);
});

test('more blocks than the device has multiprocessors may wait for one that has not begun', async () => {
  const params = [WORDS, DATA, DATA];
  const launch = { grid: [20, 1, 1], block: [32, 1, 1], params };
  const { verdict, reason } = await verdictOf('patient', launch);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /--accept resident-blocks/);
  const large = await verdictOf('patient', { ...launch, multiprocessors: 132 });
  assert.equal(large.verdict, 'certified', large.reason);
});
