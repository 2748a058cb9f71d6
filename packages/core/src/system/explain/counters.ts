// Explains a counter that differs from what its role assumes: forks, tokens and wrong releases.
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
  const text = `${who} waits for stage ${stage} here through ${one}, but has already passed it`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const last = schedule.records.findLast(({ agent, instruction: earlier }) => {
    return (
      agent === symptom.agent && earlier?.kind === OpKind.waitStage && earlier.target === other
    );
  });
  if (last !== undefined) {
    const there = `${who} acquired stage ${last.stage} through ${two} here`;
    draft.label(placeOf(scene, last.step), there, symptom.agent);
  }
  draft.notes.push('copies of a pipeline share its barriers, but each copy has its own counter');
  draft.helps.push('use one copy on each side in each role');
}

export function explainStaleToken(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const phase = system.wantedPhase(schedule.words, instruction);
  const [who, barrier] = [names.agent(symptom.agent), names.barrier(symptom.at)];
  draft.message = `${who} skips its wait for ${barrier}, whose phase ${phase} has not completed`;
  const text = `${who} continues here without a wait for ${barrier} phase ${phase}`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const lastTry = schedule.records.findLast(({ agent, instruction: earlier }) => {
    const isTry = earlier?.kind === OpKind.tryWaitStage && earlier.target === instruction.target;
    return agent === symptom.agent && isTry && earlier.side === instruction.side;
  });
  if (lastTry === undefined) draft.notes.push(`${who} has not tried the stage`);
  else {
    const about = lastTry.testedBarrier < 0 ? '' : `, on ${names.barrier(lastTry.testedBarrier)}`;
    draft.label(
      placeOf(scene, lastTry.step),
      `the last try of ${who} is here${about}`,
      symptom.agent,
    );
  }
  draft.notes.push('the result of a try is valid for one stage only: a step makes it stale');
  draft.helps.push('try again after each step, and use only the result of that try');
}

/** A release of another stage than the counter's (R10). */
export function explainMisstep(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const instruction = system.steps.instruction(symptom.step)!;
  const stage = instruction.past;
  const stands = system.registers.stage(schedule.words, instruction);
  const [who, ring] = [names.agent(symptom.agent), names.ring(instruction.target)];
  draft.message =
    `${who} releases stage ${stage} of ${ring} while its counter is at stage ${stands}: ` +
    `the release steps past stage ${stands}`;
  const text = `${who} releases stage ${stage} here, and steps past stage ${stands}`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const took = schedule.records.findLast(({ agent, instruction: earlier, stage: taken }) => {
    const isWait = earlier?.kind === OpKind.waitStage && earlier.target === instruction.target;
    return (
      agent === symptom.agent && isWait && earlier.side === instruction.side && taken === stage
    );
  });
  if (took !== undefined) {
    const there = `${who} acquired stage ${stage} here`;
    draft.label(placeOf(scene, took.step), there, symptom.agent);
  }
  adviseAnyOrder(draft);
}

/** How stages are released in another order than that of the counter. */
export function adviseAnyOrder(draft: Draft): void {
  draft.notes.push(
    'if the counter advances at the release, only the stage at the counter can be released',
  );
  draft.helps.push(
    "to release in any order, declare the pipeline with advance: 'acquire'; " +
      'to leave a stage that was stepped past, signal it instead of releasing it',
  );
}
