// Actions of several runs as texts that are equal where the actions are.
import type { Action, Plan, Uses } from '../lower/plan.ts';

function usesKey({ sets, writer }: Uses): string {
  const order = writer?.isOrdered === true ? 'ordered' : '';
  return `${order}${sets.map(({ ranges }) => ranges.join(',')).join(';')}`;
}

/** The text of an action. Barriers have their names, since each run numbers them by itself. */
export function actionKey(action: Action, { barriers }: Plan): string {
  const { kind, at } = action;
  const words: unknown[] = [kind, at];
  for (const [name, value] of Object.entries(action)) {
    if (name === 'kind' || name === 'at') continue;
    if (name === 'barrier') words.push(barriers[value as number]!.name);
    else if (name === 'reads' || name === 'writes') words.push(usesKey(value as Uses));
    else words.push(String(value));
  }
  return words.join(' ');
}
