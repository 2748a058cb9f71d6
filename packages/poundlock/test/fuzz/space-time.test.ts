// tier: deep
// Random schedules: what a trace says of barriers, slots and waits is what the machine's state is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { constructWitness } from '#src/check/witness/index';
import { BARRIER_WORDS, E, FlightKind, K, P, T } from '../../../core/src/machine/index.ts';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { Names, Schedule, System, traceOf } from '../../../core/src/system/index.ts';
import type { TraceStep } from '../../../core/src/finding/index.ts';
import { randomProgram, toKernel, type DullProgram } from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';

/** A schedule of a program: the one that goes wrong, if one is built. */
function scheduleOf(program: DullProgram): Schedule | null {
  const built = new Program(toKernel(program));
  const system = new System(built, (_, machine) => new Unfolding(built, machine));
  const witness = constructWitness(system);
  return witness === null ? null : new Schedule(system, new Names(system), witness.path);
}

/** By name: what a state says of every barrier. */
function barriersOf({ system, names, words }: Schedule): Map<string, string> {
  const { layout, shape } = system.machine;
  const found = new Map<string, string>();
  for (let id = 0; id < shape.barriers.length * shape.ctas; id++) {
    const at = layout.barriers + id * BARRIER_WORDS;
    const [expected, pending] = [words[at + E], words[at + P]];
    found.set(names.barrier(id), [words[at + K], pending, expected, words[at + T]].join());
  }
  return found;
}

/** The flights of a state, by the buffers that they touch. */
function flightsOf({ system, names, words }: Schedule): string[] {
  const at = system.machine.layout.flights;
  const open = Array.from(words.subarray(at + 1, at + 1 + words[at]!));
  return open
    .map((id) => system.machine.flights.flights[id]!)
    .flatMap(({ kind, role, reads, writes }) => {
      const what = `${kind === FlightKind.copy ? 'copy' : 'work'} of ${names.agent(role)}`;
      return [...new Set([...reads, ...writes])].map((id) => `${names.buffer(id)}: ${what}`);
    })
    .toSorted();
}

/** Compares the trace with the state after each of its steps. */
function requireTrue(schedule: Schedule): void {
  const { system, names, moves } = schedule;
  const trace = traceOf(schedule);
  let before = barriersOf(new Schedule(system, names, []));
  const flights = new Map<string, readonly string[]>();
  for (const [index, step] of trace.entries()) {
    const prefix = new Schedule(system, names, moves.slice(0, index + 1));
    const after = barriersOf(prefix);
    const changed = [...after].filter(([name, state]) => before.get(name) !== state);
    const shown = step.barriers.map(({ name, phase, pending, expected, txBytes }) => {
      return [name, [phase, pending, expected, txBytes].join()];
    });
    assert.deepEqual(shown, changed, `step ${index + 1}: ${step.text}`);
    for (const { phase, parity } of step.barriers) assert.equal(parity, Math.abs(phase % 2));
    requireSource(trace, step);
    for (const slot of step.slots) flights.set(slot.name, slot.flights);
    const listed = [...flights].flatMap(([name, all]) => all.map((one) => `${name}: ${one}`));
    // A fault in a move can leave it half done.
    if (prefix.symptoms.length === 0) assert.deepEqual(listed.toSorted(), flightsOf(prefix));
    before = after;
  }
}

/** An arrow starts where the phase that was waited for completed. */
function requireSource(trace: readonly TraceStep[], { waited, from, verb }: TraceStep): void {
  if (waited === undefined || from === undefined) return;
  assert.equal(verb, 'wait');
  assert.ok(trace[from - 1]!.effects.includes(`${waited} completes`), `${waited} in step ${from}`);
}

test('a trace says of every step what the machine makes of it', (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  let compared = 0;
  fc.assert(
    fc.property(randomProgram, (program) => {
      const schedule = scheduleOf(program);
      if (schedule === null || schedule.moves.length > 60) return;
      compared++;
      requireTrue(schedule);
    }),
    sized(SEED, RUNS / 4),
  );
  t.diagnostic(`${compared} schedules`);
  assert.ok(RUNS < 100 || compared > RUNS / 10);
});
