// Explains a misused handle: the misuse, the stage, and the other call that matters.
import { unreachable } from '../../base/index.ts';
import { OpKind } from '../../op/index.ts';
import type { Misuse } from '../../program/index.ts';
import { adviseAnyOrder } from './counters.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf } from './needs.ts';
import { explainUnperformed } from './unperformed.ts';

export function explainMisuse(scene: Scene, draft: Draft): void {
  const { symptom, names, system } = scene;
  const misuse = system.steps.misuse(symptom.step)!;
  if (misuse.rule === 'floating-op') return explainUnperformed(scene, draft, misuse);
  const who = names.agent(symptom.agent);
  const stage = `stage ${misuse.stage} of ${names.ring(misuse.ring)}`;
  const place = placeOf(scene, symptom.step);
  const otherAt = system.steps.otherPosition(symptom.step);
  const acquired = acquirePlace(scene, misuse);
  switch (misuse.rule) {
    case 'leaked-stage':
      return explainLeak(scene, draft, misuse);
    case 'double-acquire':
      return explainDoubleAcquire(scene, draft, misuse);
    case 'double-release':
      draft.message =
        misuse.other.why === 'moved'
          ? `${who} releases ${stage} through a handle that it has moved`
          : `${who} releases ${stage} twice`;
      draft.primary(place, `${who} releases it here although it no longer owns it`, symptom.agent);
      break;
    case 'child-outlives-parent':
      return explainChild(scene, draft, misuse);
    case 'release-order':
      return explainOrder(scene, draft, misuse);
    case 'divergent-step':
      return explainDivergentStep(scene, draft, misuse);
    case 'use-after-release':
      draft.message = {
        released: `${who} uses ${stage} after it has released it`,
        moved: `${who} uses ${stage} through a handle that it has moved`,
        foreign: `${who} uses ${stage} through a handle that another role acquired`,
      }[misuse.other.why];
      draft.primary(place, `${who} uses it here`, symptom.agent);
      break;
    default:
      return unreachable(misuse.rule);
  }
  if (misuse.other.why === 'foreign') {
    labelOwner(scene, draft, misuse);
    draft.notes.push('roles cannot share a handle: it is owned by the role that acquired it');
    draft.helps.push(`signal the stage, and let ${who} acquire it with its own handle`);
    return;
  }
  const isMoved = misuse.other.why === 'moved';
  const did = isMoved ? 'moved it to another handle' : 'released it';
  if (isMoved) draft.helps.push('use the handle that it was moved to');
  draft.label(otherAt, `${who} ${did} here`, symptom.agent);
  if (otherAt === undefined) draft.label(acquired, `${who} acquired it here`, symptom.agent);
}

function explainLeak(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { symptom, names, system } = scene;
  const who = names.agent(symptom.agent);
  const stage = `stage ${misuse.stage} of ${names.ring(misuse.ring)}`;
  const place = acquirePlace(scene, misuse) ?? placeOf(scene, symptom.step);
  draft.message = `${who} acquires ${stage} and never releases it`;
  draft.primary(place, `${who} acquires ${stage} here`, symptom.agent);
  draft.notes.push(
    system.hasEnded(scene.schedule.words, symptom.agent) || isLastStep(scene)
      ? `${who} ends while it still owns the stage`
      : `a round of the loop ends without returning the handle`,
  );
  draft.helps.push(
    misuse.linear
      ? 'release it on every path, or return it as the state of the loop'
      : 'enter its scope: `using slot = yield* …`, whose block releases it',
  );
}

function explainDoubleAcquire(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { symptom, names, system } = scene;
  const who = names.agent(symptom.agent);
  const stage = `stage ${misuse.stage} of ${names.ring(misuse.ring)}`;
  const place = placeOf(scene, symptom.step);
  draft.message = `${who} acquires ${stage} again while it still holds it`;
  draft.primary(place, `${who} acquires ${stage} here a second time`, symptom.agent);
  const firstAt = system.steps.otherPosition(symptom.step);
  draft.label(firstAt, `${who} acquired it here`, symptom.agent);
  if (!misuse.steps) {
    draft.notes.push(
      'the ring wrapped around, or its counter did not advance, before the stage was released',
    );
    return;
  }
  draft.notes.push(
    "with advance: 'release' the counter advances at a release: both acquires return one stage",
  );
  draft.helps.push("to hold several stages at once, declare the pipeline with advance: 'acquire'");
}

/** O06: either the parent ends while its child lives, or the child is used after that. */
function explainChild(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { symptom, names, system } = scene;
  const who = names.agent(symptom.agent);
  const { other } = misuse;
  const stage = `stage ${misuse.stage} of ${names.ring(misuse.ring)}`;
  const place = placeOf(scene, symptom.step);
  const otherAt = system.steps.otherPosition(symptom.step);
  if (other.ring >= 0) {
    const child = `stage ${other.stage} of ${names.ring(other.ring)}`;
    draft.message = `${who} releases ${stage} while ${child}, acquired through it, is still held`;
    draft.primary(place, `${who} releases it here`, symptom.agent);
    draft.label(otherAt, `${who} acquired ${child} through it here`, symptom.agent);
    draft.helps.push('release the child first');
    return;
  }
  draft.message = `${who} uses ${stage} after the scope that owned it has ended`;
  draft.primary(place, `${who} uses it here`, symptom.agent);
  const how =
    other.why === 'moved' ? 'the stage was moved out of its scope here' : 'this scope owned it';
  draft.label(otherAt, how, symptom.agent);
  draft.helps.push('use the stage inside its scope, or detach() it and release it explicitly');
}

/** O08: a scope ended before one that was opened inside it. */
function explainOrder(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { symptom, names, system } = scene;
  const who = names.agent(symptom.agent);
  if (misuse.other.ring < 0) return explainLateRelease(scene, draft, misuse);
  const [outer, inner] = [misuse, misuse.other].map(({ ring, stage }) => {
    return `stage ${stage} of ${names.ring(ring)}`;
  });
  draft.message = `${who} ends the scope of ${outer} before the nested scope of ${inner}`;
  const text = `${who} opened the scope that ends too early here`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  const otherAt = system.steps.otherPosition(symptom.step);
  draft.label(
    otherAt,
    `${who} opened the nested scope, which still holds its stage, here`,
    symptom.agent,
  );
  draft.helps.push('let `using` end the scopes; to release in another order, use linear handles');
}

/** R10: the counter has moved on since the stage was acquired. */
function explainLateRelease(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { symptom, names, system } = scene;
  const who = names.agent(symptom.agent);
  const stage = `stage ${misuse.stage} of ${names.ring(misuse.ring)}`;
  draft.message =
    `${who} releases ${stage} after its counter has advanced: ` +
    'the release steps past a stage that was not acquired';
  draft.primary(placeOf(scene, symptom.step), `${who} releases ${stage} here`, symptom.agent);
  const otherAt = system.steps.otherPosition(symptom.step);
  draft.label(otherAt, `${who} acquired it here, and has stepped since`, symptom.agent);
  adviseAnyOrder(draft);
}

/** R10: some threads of a role step, and the others stay. */
function explainDivergentStep(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { symptom, names, system } = scene;
  const who = names.agent(symptom.agent);
  const { lanes } = system.program.roles[symptom.agent]!;
  const ring = names.ring(misuse.ring);
  draft.message = `only some of the ${lanes} threads of ${who} step their counter of ${ring}`;
  const text = `${who} steps here under a condition on its lanes`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  draft.notes.push(
    'every thread has its own stage and lap: threads that did not step ' +
      'wait for and signal the previous stage',
  );
  draft.helps.push('apply the condition to the signal alone, and let every thread step');
}

/** The role that a foreign handle belongs to: the last one that took the stage. */
function labelOwner(scene: Scene, draft: Draft, misuse: Misuse): void {
  const { schedule, symptom, names } = scene;
  const took = schedule.records.findLast(({ agent, instruction, stage }) => {
    const isWait = instruction?.kind === OpKind.waitStage && instruction.target === misuse.ring;
    const isIt = isWait && instruction.side === misuse.side && stage === misuse.stage;
    return isIt && agent !== symptom.agent;
  });
  if (took === undefined) return;
  draft.label(placeOf(scene, took.step), `${names.agent(took.agent)} acquired it here`, took.agent);
}

/** Whether the role has nothing left to do after the misuse. */
function isLastStep({ system, symptom }: Scene): boolean {
  let next = system.steps.follow(symptom.step, 0);
  // A role that ends with several handles ends with as many leaks.
  while (system.steps.misuse(next)?.rule === 'leaked-stage') next = system.steps.follow(next, 0);
  return system.steps.instruction(next) === null && system.steps.misuse(next) === null;
}

/** The last acquire of the stage in the schedule: a handle in a loop's state forgets its own. */
function acquirePlace(scene: Scene, misuse: Misuse) {
  const record = scene.schedule.records.findLast(
    ({ agent, instruction, stage }) =>
      agent === scene.symptom.agent &&
      instruction?.kind === OpKind.waitStage &&
      instruction.target === misuse.ring &&
      instruction.side === misuse.side &&
      stage === misuse.stage,
  );
  return record === undefined ? undefined : placeOf(scene, record.step);
}
