// Waits of a kernel as built that never end for another reason than a barrier.
import type { Lack } from '../../program/index.ts';
import { alsoWaiting } from './cycle.ts';
import type { Scene } from './draft.ts';
import type { Need } from './needs.ts';

/** What a role waits for in vain; `undefined` where it waits for a barrier. */
export function lackOf({ system }: Pick<Scene, 'system'>, { barrier }: Need): Lack | undefined {
  const { declarations, ctas } = system.program;
  return declarations.lacks.get(Math.floor(barrier / ctas));
}

/** The first wait of this kind as a sentence, or `null`. */
export function lackText(scene: Scene, stuck: readonly Need[]): string | null {
  const need = stuck.find((one) => lackOf(scene, one) !== undefined);
  if (need === undefined) return null;
  return lackOf(scene, need)!.why + alsoWaiting(scene, stuck, [need]);
}
