// The same finding at a smaller size, in one line.
import type { ShrunkFinding } from '@poundlock/core/internal/finding';
import { counted } from '@poundlock/core/internal/base';
import { parametersAsText } from './summary.ts';

/** `with stages=1, tiles=2, after 8 steps`. */
export function smallerText({ params, steps }: ShrunkFinding): string {
  const after = steps === 0 ? 'at the start' : `after ${counted(steps, 'step')}`;
  return `with ${parametersAsText(params)}, ${after}`;
}

/** The same with the command that shows it, once there is one. */
export function smallerLine(also: ShrunkFinding): string {
  const { replayCommand } = also;
  return replayCommand === undefined ? smallerText(also) : `${smallerText(also)}: ${replayCommand}`;
}
