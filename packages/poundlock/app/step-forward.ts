// One step forward: along the schedule, or beyond its end.
import { withMove } from './exploration.ts';
import type { Explorer } from './use-exploration.ts';

/** The step after the current one: of the schedule, or the first that is possible. */
export function stepForward({ exploration, goTo, follow }: Explorer): void {
  if (exploration === null) return;
  const { whole, now } = exploration;
  if (now.path.length < whole.path.length) return goTo(now.path.length + 1);
  const [first] = now.moves;
  if (first !== undefined && now.findings.length === 0) follow(withMove(now, first));
}
