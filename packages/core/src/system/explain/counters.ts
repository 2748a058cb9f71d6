// Explains a counter that does not say what its role believes: forks, tokens and wrong releases.
import { OpKind, Side } from '../../op/index.ts';
import { plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf } from './needs.ts';

export function explainFork(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const { registers } = system;
  const other = registers.forkOf(schedule.words, instruction);
  const { target, side } = instruction;
  const [one, two] = [names.ring(target), names.ring(other)];
  const at = (ring: number): number =>
    registers.progress(schedule.words, symptom.agent, ring, side);
  const ahead = plural(at(other) - at(target), 'stage');
  const who = names.agent(symptom.agent);
  const verb = side === Side.produce ? 'produces' : 'consumes';
  draft.message =
    `${who} ${verb} through ${one} and through ${two}, two copies of one pipeline: ` +
    `${one} is ${ahead} behind`;
  const stage = registers.stage(schedule.words, instruction);
  const text = `${who} comes to stage ${stage} here, as ${one} counts: it has been there`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const last = schedule.made.findLast(({ agent, instruction: made }) => {
    return agent === symptom.agent && made?.kind === OpKind.waitStage && made.target === other;
  });
  if (last !== undefined) {
    const there = `${who} took stage ${last.stage} through ${two} here`;
    draft.label(placeOf(scene, last.step), there, symptom.agent);
  }
  draft.notes.push('copies share the barriers, and each has a counter of its own');
  draft.helps.push('let a role work through one copy on each side');
}

export function explainStaleToken(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const phase = system.wantedPhase(schedule.words, instruction);
  const [who, barrier] = [names.agent(symptom.agent), names.barrier(symptom.at)];
  draft.message = `${who} skips its wait for ${barrier}, whose phase ${phase} has not completed`;
  const text = `${who} goes on here without a wait for ${barrier} phase ${phase}`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const asked = schedule.made.findLast(({ agent, instruction: made }) => {
    const isTry = made?.kind === OpKind.tryWaitStage && made.target === instruction.target;
    return agent === symptom.agent && isTry && made.side === instruction.side;
  });
  if (asked === undefined) draft.notes.push(`${who} has not asked whether the stage is ready`);
  else {
    const about = asked.asked < 0 ? '' : `, about ${names.barrier(asked.asked)}`;
    draft.label(placeOf(scene, asked.step), `${who} last asked here${about}`, symptom.agent);
  }
  draft.notes.push('the answer of a try is about one stage: after a step it says nothing');
  draft.helps.push('try again after each step, and pass on only the answer to that try');
}

/** A release of a stage that the counter does not stand at (R10). */
export function explainMisstep(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const stage = instruction.past;
  const stands = system.registers.stage(schedule.words, instruction);
  const [who, ring] = [names.agent(symptom.agent), names.ring(instruction.target)];
  draft.message =
    `${who} releases stage ${stage} of ${ring} while its counter stands at stage ${stands}: ` +
    `the release steps past stage ${stands}`;
  const text = `${who} releases stage ${stage} here, and steps past stage ${stands}`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const took = schedule.made.findLast(({ agent, instruction: made, stage: taken }) => {
    const isWait = made?.kind === OpKind.waitStage && made.target === instruction.target;
    return agent === symptom.agent && isWait && made.side === instruction.side && taken === stage;
  });
  if (took !== undefined) {
    const there = `${who} took stage ${stage} here`;
    draft.label(placeOf(scene, took.step), there, symptom.agent);
  }
  draft.notes.push('where the counter moves at the release, only its own stage can be released');
  draft.helps.push(
    "to release in any order, declare the pipeline with advance: 'acquire'; " +
      'to leave a stage that was stepped past, signal it and do not release',
  );
}
