// Explains an operation that a role has created and never performed: `yield*` is missing.
import type { Misuse } from '../../program/index.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf } from './needs.ts';

/** P11: the object that a call returns was never the operand of a `yield*`. */
export function explainUnperformed(scene: Scene, draft: Draft, { call }: Misuse): void {
  const { symptom, names } = scene;
  const who = names.agent(symptom.agent);
  draft.message = `${who} calls ${call} and never performs it`;
  const text = `${who} creates the operation here`;
  draft.primary(placeOf(scene, symptom.step), text, symptom.agent);
  draft.notes.push('a call returns the operation; only `yield*` performs it');
  draft.helps.push(`write \`yield*\` before ${call}`);
}
