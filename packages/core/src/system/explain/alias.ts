// Explains a parity alias: the wait tests one bit, and the true phase is two or more off.
import { positionKey } from '../../base/index.ts';
import { E, K } from '../../machine/index.ts';
import { list, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { debts, placeOf } from './needs.ts';

export function explainAlias(scene: Scene, draft: Draft): void {
  const { symptom, names, system, schedule } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const barrier = system.wantedBarrier(schedule.words, instruction);
  const phase = system.wantedPhase(schedule.words, instruction);
  const completed = schedule.words[system.machine.barrierAt(barrier) + K]!;
  const [who, name] = [names.agent(symptom.agent), names.barrier(barrier)];
  const wants = `${who} waits for ${name} phase ${phase}`;
  const fresh = phase < 0 ? ', the phase before the first one' : '';
  const state =
    completed === 0
      ? 'no phase has completed'
      : `${plural(completed, 'phase')} ${completed === 1 ? 'has' : 'have'} completed`;
  if (symptom.rule === 'false-pass') {
    draft.message =
      `${who} passes its wait for ${name} too early: ` +
      'the parity it tests is that of an older phase';
    draft.notes.push(
      `the wait tests one parity bit, which is equal for phases ${phase} and ${completed - 1}: ` +
        `it passes while phase ${completed} is the current one`,
    );
  } else if (symptom.rule === 'false-block') {
    const wait = phase < 0 ? 'its wait for the fresh barrier' : `its wait for phase ${phase}`;
    draft.message =
      `${name} can complete phase ${completed - 1} before ${who} comes to ${wait}, ` +
      `whose parity is then that of phase ${completed}, and blocks`;
    draft.notes.push(
      `the wait tests one parity bit, which is equal for phase ${phase} and phase ${completed}, ` +
        'the current one: it blocks until one more phase completes',
    );
    draft.helps.push(
      `no operation orders this wait before the next phase of ${name} completes: ` +
        'add an arrival or a sync',
    );
  } else {
    const late = plural(completed - phase - 1, 'phase');
    draft.message = `${who} passes its wait for ${name} ${late} late`;
    draft.notes.push(
      `${wants}, and ${state}: the wait passes only because the parity bit has wrapped around`,
    );
  }
  draft.primary(placeOf(scene, symptom.step), `${wants} here${fresh}: ${state}`, symptom.agent);
  if (explainBurst(scene, draft, barrier)) return;
  labelCompletions(scene, draft, barrier);
  if (symptom.rule !== 'false-pass') return;
  for (const debt of debts(system, schedule.words, barrier)) {
    if (debt.what !== 'arrival' || debt.role === symptom.agent) continue;
    const text = `the arrival of ${names.agent(debt.role)} in phase ${completed} is here`;
    draft.label(placeOf(scene, debt.step), text, debt.role);
  }
}

/** One operation that completed several phases is the cause: more threads arrive than count. */
function explainBurst(scene: Scene, draft: Draft, barrier: number): boolean {
  const { schedule, names, system, symptom } = scene;
  const phasesOf = (index: number): number =>
    schedule.records[index]!.completed.filter((one) => one.barrier === barrier).length;
  const burst = schedule.records.findLastIndex((_, index) => phasesOf(index) > 1);
  if (burst < 0) return false;
  const { agent, instruction } = schedule.records[burst]!;
  const [who, name] = [names.agent(agent), names.barrier(barrier)];
  const takes = schedule.words[system.machine.barrierAt(barrier) + E]!;
  const phases = plural(phasesOf(burst), 'phase');
  const lanes = instruction?.lanes ?? 1;
  draft.message =
    `${who} completes ${phases} of ${name} at once, ` +
    `and ${names.agent(symptom.agent)} waits for one of them`;
  const text =
    `${plural(lanes, 'thread')} of ${who} arrive here, ` +
    `and a phase expects ${plural(takes, 'arrival')}`;
  draft.label(schedule.position(burst), text, agent);
  draft.helps.length = 0;
  draft.helps.push(
    `set the arrival count of ${name} to ${lanes}, ` +
      `or let ${takes === 1 ? 'one elected thread' : `${takes} elected threads`} arrive`,
  );
  return true;
}

/** Shows the operations that completed the barrier's last phases: one is early, or one is late. */
function labelCompletions(scene: Scene, draft: Draft, barrier: number): void {
  const { schedule, names } = scene;
  const phases = schedule.records.flatMap((record, index) =>
    record.completed.filter((one) => one.barrier === barrier).map((one) => ({ ...one, index })),
  );
  const byPlace = new Map<string, { index: number; phases: number[] }>();
  for (const { index, phase } of phases.slice(-3)) {
    const key = positionKey(schedule.position(index));
    const known = byPlace.get(key) ?? { index, phases: [] };
    known.phases.push(phase);
    byPlace.set(key, known);
  }
  for (const { index, phases: done } of byPlace.values()) {
    const { agent } = schedule.records[index]!;
    const what = done.length === 1 ? `phase ${done[0]}` : `phases ${list(done.map(String))}`;
    const text = `${names.agent(agent)} completed ${names.barrier(barrier)} ${what} here`;
    draft.label(schedule.position(index), text, agent);
  }
}
