// Barriers that are initialized, and CTAs that have begun and have not ended (I01, X01, X02).
import { hasBegun, isGone } from './control.ts';
import type { Draft } from './draft.ts';
import { COPIES } from './scene.ts';
import type { SceneFlight, SceneStep } from './scene.ts';

/** I01: whether the one who uses a barrier may see that it is initialized. */
export function useBarrier(draft: Draft, agent: number, { bar, id }: SceneStep): void {
  const { bytesAt, cta, name } = draft.scene.barriers[bar]!;
  reachCta(draft, cta, agent, `${id} reaches ${name}`);
  if (bytesAt < 0) return;
  const newest = draft.state.versions[bytesAt]!;
  if (newest === 0 || draft.view(agent).generic[bytesAt] !== newest) {
    draft.report('init', `${id} uses ${name} and may not see its initialization`);
  }
}

/** X01: an access to memory of another CTA. */
export function reach(draft: Draft, location: number, agent: number, id: string): void {
  const { space, cta, name } = draft.scene.locations[location]!;
  if (space === 'sh') reachCta(draft, cta, agent, `${id} reaches ${name}`);
}

/** X01: a CTA that another one reaches has begun, and has not ended. */
function reachCta(draft: Draft, cta: number, agent: number, text: string): void {
  const { hasEnds, hasBegins, agents } = draft.scene;
  if (!hasEnds || agents[agent]!.cta === cta) return;
  const { control } = draft.state;
  if (isGone(draft.scene, control, cta)) draft.report('exit', `${text} of a CTA that has ended`);
  if (hasBegins && !hasBegun(draft.scene, control, cta)) {
    draft.report('begin', `${text} of a CTA that has not begun`);
  }
}

/**
 * X02, L03: a flight lands in a CTA that has not ended; in-order work of its own is exempt, and so
 * are its own copies, but for the profile `isa`.
 */
export function requireThere(
  draft: Draft,
  location: number,
  { unit, agent, id }: SceneFlight,
  isRead: boolean,
): void {
  const { space, cta, name } = draft.scene.locations[location]!;
  const { hasEnds, agents } = draft.scene;
  if (!hasEnds || (space !== 'sh' && space !== 'tm')) return;
  const isInOrder = unit === 'tc' || unit === 'wg';
  const isExempt = isInOrder || (COPIES.has(unit) && !draft.isIsa);
  if (isExempt && agents[agent]!.cta === cta) return;
  if (!isGone(draft.scene, draft.state.control, cta)) return;
  draft.report('exit', `${id} ${isRead ? 'reads' : 'writes'} ${name} of a CTA that has ended`);
}
