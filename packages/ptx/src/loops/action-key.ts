// Actions of several runs as texts that are equal where the actions are.
import type { Action, Plan, Uses } from '../lower/plan.ts';

function usesKey({ sets, writer }: Uses): string {
  const order = writer?.isOrdered === true ? 'ordered' : '';
  return `${order}${sets.map(({ ranges }) => ranges.join(',')).join(';')}`;
}

/** The text of an action. What each run numbers by itself has its name. */
export function actionKey(action: Action, { barriers, maps }: Plan): string {
  const nameOf = (map: number): string => maps[map]!.name;
  const { kind, at } = action;
  const words: unknown[] = [kind, at];
  for (const [name, value] of Object.entries(action)) {
    if (name === 'kind' || name === 'at') continue;
    if (name === 'barrier') words.push(barriers[value as number]!.name);
    else if (name === 'reads' || name === 'writes') words.push(usesKey(value as Uses));
    else if (name === 'read' || name === 'written') words.push((value as number[]).map(nameOf));
    else if (name === 'map' && value !== null) words.push(nameOf(value as number));
    else words.push(String(value));
  }
  return words.join(' ');
}
