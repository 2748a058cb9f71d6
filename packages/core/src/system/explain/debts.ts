// Labels of the operations that waiting roles need, where those have not been reached.
import { positionKey, type Position } from '../../base/index.ts';
import { list } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { placeOf, type Debt, type Need } from './needs.ts';

/** An operation at a place, and the roles that need it. */
interface Owed {
  readonly role: number;
  readonly place: Position | undefined;
  readonly what: string;
  readonly are: 'is' | 'are';
  readonly whose: string[];
}

/** Labels each operation that would help once, with all roles that wait for it. */
export function labelDebts(
  scene: Scene,
  draft: Draft,
  needs: readonly Need[],
  stuck: readonly Need[],
): void {
  const { names } = scene;
  const labels = new Map<string, Owed>();
  for (const need of needs) {
    for (const one of owedTo(scene, need)) {
      const own = one.role === need.role ? ' itself' : '';
      const key = `${keyOf(one)} ${one.what}${own}`;
      const known = labels.get(key) ?? one;
      labels.set(key, known);
      known.whose.push(names.agent(need.role) + own);
    }
  }
  for (const { role, place, what, are, whose } of labels.values()) {
    const after = stuck.some((one) => one.role === role) ? ', after that wait' : '';
    const need = whose.length === 1 ? 'needs' : 'need';
    draft.label(place, `${what} ${list(whose)} ${need} ${are} issued here${after}`, role);
  }
}

/** What one role needs: arrival and copy of one place are one operation. */
function owedTo(scene: Scene, need: Need): Owed[] {
  const byPlace = Map.groupBy(need.debts, (debt: Debt) => {
    return keyOf({ role: debt.role, place: placeOf(scene, debt.step) });
  });
  return [...byPlace.values()].map(([debt, other]) => {
    const one = debt!.what === 'arrival' ? 'the arrival that' : 'the copy that';
    const what = other === undefined ? one : 'the arrival and the copy that';
    const are = other === undefined ? 'is' : 'are';
    return { role: debt!.role, place: placeOf(scene, debt!.step), what, are, whose: [] };
  });
}

function keyOf({ role, place }: Pick<Owed, 'role' | 'place'>): string {
  return `${role} ${positionKey(place)}`;
}
