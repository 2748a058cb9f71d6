// Explains a parity alias: the wait tests one bit, and the true phase is two or more off.
import { K } from '../../machine/index.ts';
import { list, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf } from './needs.ts';

export function explainAlias(scene: Scene, draft: Draft): void {
  const { symptom, names, system, schedule } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const barrier = system.wantedBarrier(schedule.words, instruction);
  const phase = system.wantedPhase(schedule.words, instruction);
  const completed = schedule.words[system.machine.barrierAt(barrier) + K]!;
  const [who, name] = [names.agent(symptom.agent), names.barrier(barrier)];
  const wants = `${who} wants ${name} phase ${phase}`;
  const state =
    completed === 0 ? 'no phase has completed' : `${plural(completed, 'phase')} completed`;
  if (symptom.rule === 'false-pass') {
    draft.message =
      `${who} passes its wait for ${name} too early: ` +
      'the parity it tests is that of an older phase';
    draft.notes.push(
      `${wants}, but ${state}: phase ${completed} is still open, and phase ${phase} has its parity`,
    );
  } else if (symptom.rule === 'false-block') {
    draft.message =
      `${who} waits for ${name} although the phase it wants is over: ` +
      'the barrier has lapped it';
    draft.notes.push(`${wants}, and ${state}: one parity bit can not tell that from none`);
  } else {
    const late = plural(completed - phase - 1, 'phase');
    draft.message = `${who} passes its wait for ${name} ${late} late`;
    draft.notes.push(
      `${wants}, and ${state}: the wait passes only because the parity came round again`,
    );
  }
  draft.primary(placeOf(scene, symptom.step), `${wants}: ${state}`, symptom.agent);
  labelCompletions(scene, draft, barrier);
}

/** Shows who completed the barrier's last phases: that is who ran ahead, or who did not come. */
function labelCompletions(scene: Scene, draft: Draft, barrier: number): void {
  const { schedule, names } = scene;
  const phases = schedule.made.flatMap((made, index) =>
    made.completed.filter((one) => one.barrier === barrier).map((one) => ({ ...one, index })),
  );
  const byPlace = new Map<string, { index: number; phases: number[] }>();
  for (const { index, phase } of phases.slice(-3)) {
    const key = JSON.stringify(schedule.position(index));
    const known = byPlace.get(key) ?? { index, phases: [] };
    known.phases.push(phase);
    byPlace.set(key, known);
  }
  for (const { index, phases: done } of byPlace.values()) {
    const { agent } = schedule.made[index]!;
    const what = done.length === 1 ? `phase ${done[0]}` : `phases ${list(done.map(String))}`;
    const text = `${names.agent(agent)} completed ${names.barrier(barrier)} ${what} here`;
    draft.label(schedule.position(index), text, agent);
  }
}
