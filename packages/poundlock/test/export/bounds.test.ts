// Kernels that are too large, or have no finite graph of steps, are reported in one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportKernel } from '#src/export/index';
import { promela } from '#src/export/promela/index';
import { unfoldRoles } from '#src/export/graph';
import { lower } from '#src/export/lower';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { System } from '../../../core/src/system/index.ts';
import { arrive, barrier, cell, fetchAdd, kernel, loop, pool, read, role } from 'poundlock';
import { waitParity } from 'poundlock';
import { handOver } from '../kernels.ts';

test('the bound max-steps is named, with what to reduce', () => {
  const message = /^kernel hand-over is too large .* max-steps of 2 was reached; set fewer tiles/;
  assert.throws(() => exportKernel(handOver, 'dot', { maxSteps: 2 }), { message });
});

test('the bound holds for all roles together', () => {
  assert.throws(() => exportKernel(handOver, 'dot', { maxSteps: 5 }), /max-steps of 5/);
  assert.match(exportKernel(handOver, 'dot', { maxSteps: 6 }), /^digraph "hand-over"/);
});

test('a cell that a loop adds to has max-answers values, and the rest is no finding', () => {
  const counter = kernel('counter', {}, () => {
    const tickets = cell('tickets');
    return [
      role('drawer', function* () {
        yield* loop(null, function* () {
          yield* fetchAdd(tickets, 1);
          return null;
        });
      }),
    ];
  });
  const text = exportKernel(counter, 'promela', { maxAnswers: 3 });
  assert.match(text, /c_tickets == 2 ->/);
  assert.match(text, /c_tickets != 0 && c_tickets != 1 && c_tickets != 2 ->/);
  assert.match(text, /assert\(export_bound\)/);
});

test('adding without a loop has as many values as there are additions', () => {
  const two = kernel('two', {}, () => {
    const tickets = cell('tickets');
    const draw = (name: string) =>
      role(name, function* () {
        yield* fetchAdd(tickets, 1);
      });
    return [draw('first'), draw('second')];
  });
  const text = exportKernel(two, 'promela');
  assert.match(text, /c_tickets == 1/);
  assert.doesNotMatch(text, /c_tickets == 2/);
});

test('a wait without a signal is exported, but nothing after it', () => {
  const stuck = kernel('stuck', {}, () => {
    const never = barrier('never');
    const other = barrier('other');
    return [
      role('waiter', function* () {
        yield* waitParity(never, 0);
        arrive(other);
      }),
    ];
  });
  const text = exportKernel(stuck, 'promela');
  assert.match(text, /L0: \/\* wait for never parity 0 \*\/\n {2}false;/);
  assert.doesNotMatch(text, /arrive on other/);
});

test('a role that is not deterministic is reported with its position', () => {
  let runs = 0;
  const fickle = kernel('fickle', {}, () => {
    const [one, two] = [barrier('one'), barrier('two')];
    return [
      role('role', function* () {
        arrive(runs++ % 2 === 0 ? one : two);
      }),
    ];
  });
  assert.throws(() => exportKernel(fickle, 'tla'), /\brole role\b.* shows where$/);
});

test('large models are atomic: SPIN has a bound on its d_steps', () => {
  const chain = kernel('chain', { length: 10 }, ({ length }) => {
    const bar = barrier('bar');
    return [
      role('only', function* () {
        for (let count = 0; count < length; count++) arrive(bar);
      }),
    ];
  });
  const text = (length: number): string => {
    const program = new Program(chain, { length });
    const system = new System(program, (_, machine) => new Unfolding(program, machine));
    return promela(lower(system, unfoldRoles(system, { maxSteps: 10_000, maxAnswers: 1 })));
  };
  assert.match(text(10), /d_step \{\n {7}arrive\(b_bar, 1, 1\)/);
  assert.match(text(600), / atomic \{\n {7}arrive\(b_bar, 1, 1\)/);
});

test('a pool without allocations exists for accesses to its buffers', () => {
  const early = kernel('early', {}, () => {
    const tmem = pool('tmem', { capacity: 1, buffers: 1 });
    return [
      role('reader', function* () {
        read(tmem.buffers[0]!);
      }),
    ];
  });
  assert.match(
    exportKernel(early, 'promela'),
    /int Units\[1\];[^]*assert\(tmem_use_after_free \|\|/,
  );
});
