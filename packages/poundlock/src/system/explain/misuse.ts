// Explains a misused handle: what was done to which stage, and the other call that matters.
import { OpKind } from '../../op/index.ts';
import type { Misuse } from '../../program/index.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf } from './needs.ts';

export function explainMisuse(scene: Scene, draft: Draft): void {
  const { symptom, names, system } = scene;
  const misuse = system.steps.misuse(symptom.step)!;
  const who = names.agent(symptom.agent);
  const stage = `stage ${misuse.stage} of ${names.ring(misuse.ring)}`;
  const place = placeOf(scene, symptom.step);
  const otherAt = system.steps.otherPosition(symptom.step);
  const acquired = acquirePlace(scene, misuse);
  switch (misuse.rule) {
    case 'leaked-stage':
      draft.message = `${who} acquires ${stage} and never releases it`;
      draft.primary(acquired ?? place, `${who} acquires ${stage} here`, symptom.agent);
      draft.notes.push(
        system.hasEnded(scene.schedule.words, symptom.agent) || isLastStep(scene)
          ? `${who} ends while it still owns the stage`
          : `a round of the loop ends, and the handle is not in what it returns`,
      );
      draft.helps.push('release it on every path, or return it as the state of the loop');
      return;
    case 'double-acquire':
      draft.message = `${who} acquires ${stage} again while it still holds it`;
      draft.primary(place, `${who} gets ${stage} here for the second time`, symptom.agent);
      draft.label(otherAt, `${who} acquired it here`, symptom.agent);
      draft.notes.push(
        "with advance: 'release' the counter moves at release, so both acquires name one stage",
      );
      draft.helps.push(
        "to hold several stages at once, declare the pipeline with advance: 'acquire'",
      );
      return;
    case 'double-release':
      draft.message = `${who} releases ${stage} twice`;
      draft.primary(place, `${who} releases it here although it no longer owns it`, symptom.agent);
      break;
    default:
      draft.message = `${who} uses ${stage} after it has released it`;
      draft.primary(place, `${who} uses it here`, symptom.agent);
  }
  draft.label(otherAt, `${who} released it here`, symptom.agent);
  if (otherAt === undefined) draft.label(acquired, `${who} acquired it here`, symptom.agent);
}

/** Whether the role has no step after the misuse. */
function isLastStep({ system, symptom }: Scene): boolean {
  const next = system.steps.follow(symptom.step, 0);
  return system.steps.instruction(next) === null && system.steps.misuse(next) === null;
}

/** The last acquire of the stage in the schedule: a handle in a loop's state forgets its own. */
function acquirePlace(scene: Scene, misuse: Misuse) {
  const made = scene.schedule.made.findLast(
    ({ agent, instruction, stage }) =>
      agent === scene.symptom.agent &&
      instruction?.kind === OpKind.waitStage &&
      instruction.target === misuse.ring &&
      instruction.value === misuse.side &&
      stage === misuse.stage,
  );
  return made === undefined ? undefined : placeOf(scene, made.step);
}
