// The kernels of lanes.cu, as nvcc compiled them: those whose names end in _bug are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '@poundlock/core/internal/finding';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = 'lanes.sm90a.ptx';
const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');
const TILES = { kind: 'scalar', type: 'i32', value: 5 };
const POINTER = { kind: 'pointer', bytes: 65_536 };

/** Threads of a block, and of a wrong kernel its rule with the warps and lanes that it names. */
interface Expected {
  readonly threads: number;
  readonly rule?: string;
  readonly names?: readonly string[];
}

const error = (threads: number, rule: string, ...names: string[]): Expected => {
  return { threads, rule, names };
};
const fine = (threads: number): Expected => ({ threads });
const unjoined = (threads: number, ...names: string[]): Expected =>
  error(threads, 'unjoined-lanes', ...names);

const KERNELS: Readonly<Record<string, Expected>> = {
  all_wait: fine(64),
  one_waits: fine(64),
  one_waits_bug: unjoined(64, 'warp0', 'warp1.lane0', 'warp1.lanes1-31'),
  shuffled: fine(64),
  voted: fine(64),
  matched: fine(64),
  reduced: fine(64),
  one_warp: fine(32),
  lane_zero: fine(32),
  lane_zero_bug: unjoined(32, 'warp0', 'warp0.lane0', 'warp0.lanes2-31'),
  released: fine(64),
  released_bug: unjoined(64, 'warp0', 'warp1.lane0', 'warp1.lanes1-31'),
  lagging: fine(64),
  load_order: fine(64),
  storing: fine(64),
  released_late_bug: unjoined(64, 'warp0', 'warp1.lane0', 'warp1.lanes1-31'),
  published: fine(64),
  published_bug: unjoined(64, 'warp0.lane0', 'warp0.lanes1-31', 'warp1'),
  exchanged: fine(32),
  exchanged_bug: unjoined(32, 'warp0', 'warp0.lane0', 'warp0.lane1'),
  summed: fine(32),
  summed_bug: unjoined(32, 'warp0', 'warp0.lane0', 'warp0.lane16'),
  copied: fine(32),
  copied_bug: unjoined(32, 'warp0', 'warp0.lane0', 'warp0.lane5'),
  copied_own: fine(32),
  stored: fine(32),
  stored_bug: error(32, 'race', 'warp0.lanes1-31'),
  stored_one: fine(32),
  stored_one_bug: unjoined(32, 'warp0', 'warp0.lane0', 'warp0.lane1'),
  stored_other_bug: error(32, 'race', 'warp0.lane0'),
  halves: fine(64),
  halves_bug: unjoined(64, 'warp0', 'warp1.lane0', 'warp1.lanes17-31'),
  matrix_loaded: fine(64),
  loaded_bug: unjoined(64, 'warp0', 'warp1.lane0', 'warp1.lanes1-31'),
  met_at_barrier: fine(64),
  begun: fine(32),
  begun_bug: error(32, 'uninitialised-barrier', 'warp0.lanes1-31'),
  branches: fine(32),
  branches_bug: error(32, 'deadlock', 'warp0'),
  divergent_bug: error(64, 'divergent-barrier', 'warp0.lanes0-15'),
  uniform_branches: fine(64),
  compacted: fine(32),
  joined_but_one_bug: unjoined(32, 'warp0', 'warp0.lane31', 'warp0.lanes0-30'),
  ended_early: fine(32),
  eighths: fine(32),
  eighths_bug: unjoined(32, 'warp0', 'warp0.lanes0-7', 'warp0.lanes8-15'),
  eight_barriers: fine(64),
};

/** Kernels that unknown data decides. */
const UNDECIDED: Readonly<Record<string, RegExp>> = {
  compacted_bug: /^unknown data decides whether lanes \d+ and \d+ of warp 0 touch the same bytes/,
};

/** The warps and lanes that a message names, in order of their names. */
function rolesNamedIn({ message }: Finding): string[] {
  return [...new Set(message.match(/\bwarp\d+(?:\.lanes?[-+\d]+)?/g))].toSorted();
}

/** As many parameters as the entry has: pointers, and a number of tiles. */
function parametersOf(entry: string): readonly unknown[] {
  const [, list] = new RegExp(`\\.entry ${entry}\\(([^)]*)\\)`).exec(text)!;
  return [...list!.matchAll(/\.param \.(\w+)/g)].map(([, type]) =>
    type === 'u32' ? TILES : POINTER,
  );
}

/** A check of a kernel of the file. */
function checked(entry: string, threads: number) {
  const params = parametersOf(entry);
  const launch = JSON.stringify({ grid: [1, 1, 1], block: [threads, 1, 1], params });
  const kernel = ptxKernel({
    ptx: { file: FILE, text },
    launch: { file: 'launch.json', text: launch },
    entry,
  });
  return check(kernel, { sizes: 'requested' });
}

test('each kernel of the file is here', () => {
  const entries = [...text.matchAll(/\.entry (\w+)\(/g)].map(([, name]) => name!);
  const all = [...Object.keys(KERNELS), ...Object.keys(UNDECIDED)];
  assert.deepEqual(entries.toSorted(), all.toSorted());
});

for (const [entry, { threads, rule, names }] of Object.entries(KERNELS)) {
  test(`${entry} is ${rule ?? 'certified'}`, async () => {
    const { verdict, findings, reason } = await checked(entry, threads);
    assert.equal(verdict, rule === undefined ? 'certified' : 'counterexample', reason);
    if (rule === undefined) return;
    assert.equal(findings[0]!.rule, rule);
    assert.deepEqual(rolesNamedIn(findings[0]!), names);
    assert.equal(findings[0]!.primary.file, 'lanes.cu');
  });
}

test('what rests on an exchange between lanes is an assumption', async () => {
  for (const [entry, threads] of [
    ['shuffled', 64],
    ['one_warp', 32],
  ] as const) {
    const { scope } = await checked(entry, threads);
    assert.match(scope.assumptions.map((one) => one.text).join('\n'), /^H9 holds.*\(\d places?\)/m);
  }
  const { scope } = await checked('one_waits', 64);
  assert.doesNotMatch(scope.assumptions.map((one) => one.text).join('\n'), /H9/);
});

test('that lanes keep up which only wait is an assumption', async () => {
  for (const entry of ['lagging', 'load_order']) {
    const { scope } = await checked(entry, 64);
    assert.match(
      scope.assumptions.map((one) => one.text).join('\n'),
      /^lanes that only wait for an mbarrier keep up/m,
    );
  }
  const { scope: other } = await checked('all_wait', 64);
  assert.doesNotMatch(other.assumptions.map((one) => one.text).join('\n'), /keep up/);
});

for (const [entry, expected] of Object.entries(UNDECIDED)) {
  test(`${entry} is inconclusive`, async () => {
    const { verdict, reason } = await checked(entry, 32);
    assert.equal(verdict, 'inconclusive');
    assert.match(reason!, expected);
  });
}

test('a finding has the wait of the lane, and where a join is missing', async () => {
  const { findings } = await checked('one_waits_bug', 64);
  const { labels, helps } = findings[0]!;
  const source = readFileSync(join(import.meta.dirname, 'lanes.cu'), 'utf8').split('\n');
  const own = labels.filter(({ role }) => role === 'warp1.lane0');
  assert.equal(own.length, 1);
  assert.match(source[own[0]!.line - 1]!, /\bone_waits_bug\(/);
  assert.equal(helps.length, 1);
});
