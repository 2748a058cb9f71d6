// Reference runs of PTX texts, for tests.
import { readLaunchFile } from '#src/launch/read-launch';
import { referenceRun } from '#src/exec/machine/reference-run';
import type { RunBounds } from '#src/exec/machine/reference-run';
import type { ExecutedRun } from '#src/steps/run';
import { parsePtx } from '#src/text/parse';

/** Fields of a launch that differ from one block of one warp. */
export type LaunchFields = Readonly<Record<string, unknown>>;

const MAX_INSTRUCTIONS = 2_000_000;

/** Executes the kernel named `entry`, or the only one, of a text. */
export function runText(
  text: string,
  fields: LaunchFields = {},
  entry?: string,
  bounds: Partial<RunBounds> = {},
): ExecutedRun {
  const module = parsePtx(text);
  const kernels = [...module.functions.values()].filter(({ isEntry }) => isEntry);
  const kernel = kernels.find(({ name }) => entry === undefined || name.includes(entry))!;
  const launch = { grid: [1, 1, 1], block: [32, 1, 1], params: [], ...fields };
  const file = readLaunchFile(JSON.stringify(launch), 'launch.json');
  return referenceRun(module, kernel, file.launch(0, kernel, {}), {
    maxInstructions: MAX_INSTRUCTIONS,
    isOver: () => false,
    ...bounds,
  });
}
