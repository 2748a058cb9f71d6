// Schedules that are built from one run: what each condition leads to, and large broken programs.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { check } from '../accepting.ts';
import { FEW_STATES } from '#src/check/options';
import { constructWitness, shrinkSchedule } from '#src/check/witness/index';
import { Program, Unfolding, type Kernel } from '../../../core/src/program/index.ts';
import { explain, Names, Schedule, System } from '../../../core/src/system/index.ts';
import { arrive, asyncCopy, barrier, buffer, expectTx, kernel, read, role } from 'poundlock';
import { syncNamed, UNITS, wait, waitParity, write } from 'poundlock';

const BROKEN = join(import.meta.dirname, '../../../../examples/broken');

function systemOf(target: Kernel, params = {}): System {
  const program = new Program(target, params);
  return new System(program, (_, machine) => new Unfolding(program, machine));
}

/** What is built of a kernel: the condition that fails, and the rule that its cut breaks. */
function built(target: Kernel): string {
  const witness = constructWitness(systemOf(target));
  return witness === null ? 'nothing' : `${witness.condition} ${witness.symptom.rule}`;
}

suite('what a failed condition leads to', () => {
  test('D: the run itself', () => {
    const target = kernel('d', {}, () => {
      const never = barrier('never');
      return [
        role('waiter', function* () {
          yield* wait(never, 0);
        }),
      ];
    });
    assert.equal(built(target), 'D deadlock');
  });

  test('R: both accesses next', () => {
    const target = kernel('r', {}, () => {
      const full = barrier('full');
      const slot = buffer('slot');
      return [
        role('writer', function* () {
          arrive(full);
          write(slot);
        }),
        role('reader', function* () {
          yield* wait(full, 0);
          read(slot);
        }),
      ];
    });
    assert.equal(built(target), 'R race');
  });

  test('L: a wait that can come a phase early', () => {
    const target = kernel('l', {}, () => {
      const [full, other] = [barrier('full'), barrier('other')];
      return [
        role('writer', function* () {
          arrive(full);
          arrive(full);
        }),
        role('late', function* () {
          arrive(other);
          yield* wait(full, 1);
        }),
      ];
    });
    assert.equal(built(target), 'L false-pass');
  });

  test('U: a wait that the barrier can lap', () => {
    const target = kernel('u', {}, () => {
      const [full, again] = [barrier('full'), barrier('again')];
      return [
        // The one run lets `slow` go first: it waits for nothing but its phase.
        role('writer', function* () {
          arrive(full);
          yield* wait(again, 0);
          arrive(full);
        }),
        role('slow', function* () {
          yield* wait(full, 0);
        }),
        role('fast', function* () {
          yield* wait(full, 0);
          arrive(again);
        }),
      ];
    });
    assert.equal(built(target), 'U false-block');
  });

  test('M: an arrival that can count for the phase before', () => {
    const target = kernel('m', {}, () => {
      const full = barrier('full', { count: 2 });
      const slot = buffer('slot');
      return [
        role('left', function* () {
          write(slot);
          arrive(full);
        }),
        role('right', function* () {
          arrive(full);
          arrive(full);
        }),
        role('reader', function* () {
          yield* waitParity(full, 0);
          read(slot);
        }),
      ];
    });
    assert.equal(built(target), 'M race');
  });

  test('E: a phase that can end before its bytes are expected', () => {
    const target = kernel('e', {}, () => {
      const full = barrier('full');
      const slot = buffer('slot');
      return [
        role('expecter', function* () {
          expectTx(full, 64);
          asyncCopy(UNITS.tma, { into: [slot], bar: full, bytes: 64 });
        }),
        role('arriver', function* () {
          arrive(full);
        }),
        role('reader', function* () {
          yield* wait(full, 0);
          read(slot);
        }),
      ];
    });
    assert.equal(built(target), 'E race');
  });

  test('a named barrier that others can come to first', () => {
    const target = kernel('n', {}, () => {
      const slot = buffer('slot');
      const meets = (name: string) =>
        role(name, { lanes: 32 }, function* () {
          if (name === 'a') write(slot);
          yield* syncNamed(1, 64);
          if (name === 'd') read(slot);
        });
      return ['a', 'b', 'c', 'd'].map(meets);
    });
    assert.equal(built(target), 'R race');
  });
});

test('nothing is built of a program that is right, nor of one that differs harmlessly', async () => {
  // Any two of three arrivals complete the phase, in any order (checking.md §4.5).
  const benign = kernel('benign', {}, () => {
    const full = barrier('full', { count: 2 });
    const one = (name: string) =>
      role(name, function* () {
        arrive(full);
      });
    const waiter = role('d', function* () {
      yield* wait(full, 0);
      arrive(full);
    });
    return [one('a'), one('b'), one('c'), waiter];
  });
  assert.equal(built(benign), 'nothing');
  const { verdict, notes, stats } = await check(benign);
  assert.deepEqual([verdict, stats.engine], ['certified', 'search']);
  assert.match(
    notes![0]!,
    /^phases are ambiguous, but no failing schedule was found: the arrivals on full/,
  );
});

/** Sizes that a search of every interleaving does not live to see the end of. */
const LARGE: Readonly<Record<string, number>> = { tiles: 200, stages: 16, pairs: 500 };
/** Examples that are right when they are large. */
const RIGHT = new Set(['divergent-exit', 'one-stage', 'ticket-alias']);
/** A role that does something else each time has no schedule. */
const MOODY = new Set(['loop-captures', 'nondeterministic-role']);

suite('large broken programs', () => {
  for (const file of readdirSync(BROKEN).toSorted()) {
    const name = file.replace(/\.ts$/, '');
    test(`${name} has its finding without a large search`, async () => {
      const target = ((await import(join(BROKEN, file))) as { default: Kernel }).default;
      const sizes = Object.entries(LARGE).filter(([size]) => size in target.defaults);
      const params = Object.fromEntries(sizes);
      const { verdict, findings, stats } = await check(target, { params });
      if (RIGHT.has(name)) return assert.equal(verdict, 'certified');
      assert.equal(verdict, 'counterexample');
      assert.ok(stats.states <= FEW_STATES + 10_000, `${stats.states} states`);
      const [first] = findings;
      if (MOODY.has(name)) return assert.equal(first!.replayToken, undefined);
      if (stats.engine === 'witness') assert.match(first!.notes.at(-1)!, /not be the shortest/);
      const again = await check(target, { params, replay: first!.replayToken! });
      assert.ok(again.findings.some(({ rule }) => rule === first!.rule));
    });
  }
});

test('a schedule is shrunk to what its finding needs', async () => {
  const target = ((await import(join(BROKEN, 'adopted-twice.ts'))) as { default: Kernel }).default;
  const system = systemOf(target, { tiles: 100, stages: 16 });
  const long = constructWitness(system)!;
  const short = shrinkSchedule(system, long);
  assert.ok(long.path.length > 50 && short.path.length < 10);
  const token = (path: typeof short.path) => new Schedule(system, new Names(system), path).token();
  assert.equal(token(short.path), 'l3t1m2a1m1');
});

test('shrinking keeps the rule, the place and the parties of every broken example', async () => {
  const changed: string[] = [];
  for (const file of readdirSync(BROKEN)) {
    const target = ((await import(join(BROKEN, file))) as { default: Kernel }).default;
    const system = systemOf(target, 'tiles' in target.defaults ? { tiles: 12 } : {});
    const long = constructWitness(system);
    if (long === null) continue;
    const short = shrinkSchedule(system, long);
    const [before, after] = [long, short].map(({ symptom, path }) => {
      const { rule, primary } = explain(system, new Names(system), symptom, path);
      return `${rule} ${primary.line}:${primary.column} ${primary.role}`;
    });
    if (before !== after) changed.push(`${file}: ${before}, then ${after}`);
    assert.ok(short.path.length <= long.path.length);
  }
  assert.deepEqual(changed, []);
});
