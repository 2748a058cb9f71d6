// What a certificate that fails says, and the schedule that is constructed from it (T11).
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { failureAgain, proveByOneRun } from '#src/check/certify/index';
import { witnessOf } from '#src/check/witness/index';
import { check } from '../accepting.ts';
import { Program, Unfolding, type Kernel } from '../../../core/src/program/index.ts';
import { System } from '../../../core/src/system/index.ts';
import { arrive, asyncUse, barrier, buffer, commit, init, invalidate } from 'poundlock';
import { kernel, registers, role, setMaxRegisters, syncNamed, UNITS } from 'poundlock';
import { wait, write } from 'poundlock';

/** The failed condition of the one run, and what is constructed from it. */
async function failedBy(target: Kernel) {
  const program = new Program(target);
  const { run } = await proveByOneRun(program, { memory: 'none' }, () => null);
  const failure = failureAgain(program, run);
  assert.ok(failure !== null, 'the run fails a condition');
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const witness = witnessOf(system, failure);
  const { condition, place, x, y } = failure;
  return { condition, place, x, y, rule: witness?.symptom.rule };
}

suite('a failed condition has two operations and a place', () => {
  test('R: two accesses, the first one by work in flight', async () => {
    const failed = await failedBy(
      kernel('r', {}, () => {
        const [done, slot] = [barrier('done'), buffer('slot')];
        return [
          role('mma', function* () {
            asyncUse(UNITS.tcgen05, { reads: [slot] });
            commit(UNITS.tcgen05, done);
          }),
          role('late', function* () {
            write(slot);
          }),
        ];
      }),
    );
    assert.deepEqual(failed, {
      condition: 'R',
      place: 'slot',
      x: { role: 0, at: 0, flight: 0 },
      y: { role: 1, at: 0, flight: -1 },
      rule: 'race',
    });
  });

  test('R: a barrier that is used before it is initialized', async () => {
    const failed = await failedBy(
      kernel('birth', {}, () => {
        const late = barrier('late', { count: 0 });
        return [
          role('first', function* () {
            init(late, 1);
          }),
          role('second', function* () {
            arrive(late);
          }),
        ];
      }),
    );
    assert.deepEqual([failed.condition, failed.place, failed.x?.role], ['R', 'late', 0]);
    assert.equal(failed.rule, 'uninitialised-barrier');
  });

  test('R: a barrier that ends while a signal is on its way', async () => {
    const failed = await failedBy(
      kernel('death', {}, () => {
        const [full, go] = [barrier('full', { count: 2 }), barrier('go')];
        return [
          role('second', function* () {
            arrive(full);
            arrive(go);
            arrive(full);
          }),
          role('first', function* () {
            yield* wait(go, 0);
            invalidate(full);
          }),
        ];
      }),
    );
    assert.deepEqual([failed.condition, failed.x], ['R', { role: 0, at: 2, flight: -1 }]);
    assert.notEqual(failed.rule, undefined);
  });

  test('Q: warps of two groups take the last registers and wait for their groups', async () => {
    const failed = await failedBy(
      kernel('q', {}, () => {
        // Four warps can have what they want: those of one group in the run, two of each elsewhere.
        registers({ perThread: 64, threads: 256 + 160 });
        const group = (id: number) =>
          Array.from({ length: 4 }, (_, warp) =>
            role(`g${id}w${warp}`, { warps: 1 }, function* () {
              yield* setMaxRegisters('inc', 144);
              yield* syncNamed(id, 128);
              yield* setMaxRegisters('dec', 24);
            }),
          );
        return [...group(0), ...group(1)];
      }),
    );
    assert.deepEqual([failed.condition, failed.place], ['Q', 'CTA 0']);
    assert.equal(failed.rule, 'deadlock');
  });
});

/** A pair of CTAs: the first one multiplies for both, and its commits arrive in both. */
function pair({ hasTail }: { readonly hasTail: boolean }): Kernel {
  const [stages, tiles] = [2, 6];
  return kernel('pair', {}, () => {
    const rings = Array.from({ length: stages }, (_, at) => ({
      full: barrier(`full[${at}]`, { count: 2 }),
      empty: barrier(`empty[${at}]`),
    }));
    const produced = barrier('produced');
    const producer = (cta: number) =>
      role(`producer${cta}`, { cta }, function* () {
        for (let tile = 0; tile < tiles; tile++) {
          const { full, empty } = rings[tile % stages]!;
          yield* wait(empty, Math.floor(tile / stages) - 1);
          arrive(full, { ctas: [0] });
        }
        if (!hasTail) return;
        for (let tile = tiles; tile < tiles + stages; tile++)
          yield* wait(rings[tile % stages]!.empty, Math.floor(tile / stages) - 1);
      });
    const mma = role('mma', { cta: 0 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        const { full, empty } = rings[tile % stages]!;
        yield* wait(full, Math.floor(tile / stages));
        asyncUse(UNITS.tcgen05, {});
        commit(UNITS.tcgen05, empty, { ctas: [0, 1] });
      }
      commit(UNITS.tcgen05, produced, { ctas: [0, 1] });
    });
    const epilogue = (cta: number) =>
      role(`epilogue${cta}`, { cta }, function* () {
        yield* wait(produced, 0);
      });
    return [producer(0), producer(1), mma, epilogue(0), epilogue(1)];
  });
}

test('a commit into a CTA that may have ended', async () => {
  const { condition, place, x, rule } = await failedBy(pair({ hasTail: false }));
  assert.deepEqual([condition, place, rule], ['R', 'CTA 1', 'missing-drain']);
  // Role 2 is `mma`, and the second flight of its commit is that into the other CTA.
  assert.deepEqual([x?.role, x?.flight], [2, 1]);
  const { findings } = await check(pair({ hasTail: false }));
  assert.equal(findings[0]?.rule, 'missing-drain');
  const roles = [findings[0].primary, ...findings[0].labels].map((label) => label.role);
  assert.ok(roles.includes('mma') && roles.some((name) => name?.endsWith('1')));
  assert.equal((await check(pair({ hasTail: true }))).verdict, 'certified');
});
