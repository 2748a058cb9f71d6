// Explains an operation that a role has created and never performed: `yield*` is missing.
import type { Misuse } from '../../program/index.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf } from './needs.ts';

/** P13: the object that a call returns was never the operand of a `yield*`. */
export function explainUnperformed(scene: Scene, draft: Draft, { call }: Misuse): void {
  const { symptom, names } = scene;
  const who = names.agent(symptom.agent);
  draft.message = `${who} calls ${call} and never performs it`;
  const text = `${who} creates the operation here`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  labelOthers(scene, draft);
  draft.notes.push('a call returns the operation; only `yield*` performs it');
  draft.helps.push(`write \`yield*\` before ${call}`);
}

/** A role that ends with several such operations ends with as many misuses. */
function labelOthers(scene: Scene, draft: Draft): void {
  const { steps } = scene.system;
  const { step, agent } = scene.symptom;
  let next = steps.follow(step, 0);
  for (let left = MAX_LABELS; left > 0; left--) {
    const misuse = steps.misuse(next);
    if (misuse?.rule !== 'floating-op') return;
    draft.label(placeOf(scene, next), `${misuse.call} is not performed, either`, agent);
    next = steps.follow(next, 0);
  }
}

/** The most operations of one role that a finding shows. */
const MAX_LABELS = 8;

/** Labels what a waiting role has created and not performed: perhaps `yield*` is missing. */
export function labelPending(scene: Scene, draft: Draft, step: number, role: number): void {
  const pending = scene.system.steps.pending(step).slice(0, MAX_LABELS);
  for (const { call, at } of pending) {
    const who = scene.names.agent(role);
    draft.label(at, `${who} calls ${call} here, and has not performed it`, role);
  }
  if (pending.length > 0)
    draft.notes.push('a call returns the operation; only `yield*` performs it');
}
