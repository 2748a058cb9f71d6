// Runs of single blocks of a grid, for tests.
import { readLaunchFile } from '#src/launch/read-launch';
import type { Launch } from '#src/launch/launch';
import { inlineCalls } from '#src/flow/inline';
import { clustersAcross, placeOf } from '#src/exec/origins/classes';
import { execute } from '#src/exec/machine/execute';
import type { Execution } from '#src/exec/machine/execute';
import { prepare } from '#src/exec/warp/prepare';
import { FIRST } from '#src/paths/answers';
import { parsePtx } from '#src/text/parse';
import type { Step } from '#src/steps/step';

/** The blocks of a grid, each executed alone. */
export interface Blocks {
  readonly launch: Launch;
  readonly runs: readonly Execution[];
}

/** Executes each block of a grid alone. */
export function blocksOf(text: string, fields: object): Blocks {
  const module = parsePtx(text);
  const [entry] = [...module.functions.values()];
  const launch = readLaunchFile(
    JSON.stringify({ block: [48, 1, 1], params: [{ kind: 'pointer' }], ...fields }),
    'launch.json',
  ).launch(0, entry!, {});
  const program = prepare(inlineCalls(module, entry!), 'kernel.ptx');
  const across = clustersAcross(launch);
  const count = across[0] * across[1] * across[2];
  const runs = Array.from({ length: count }, (_, number) => {
    const executed = [placeOf(number, across)];
    const bounds = { maxInstructions: 100_000, isOver: () => false, answers: () => FIRST };
    return execute(module, program, { ...launch, executed }, bounds);
  });
  return { launch, runs };
}

/** What the warps of a run do, but for the values that they store. */
export function stepsText({ machine, warps }: Execution): string {
  const plain = (step: Step): object => {
    if (step.op !== 'access') return step;
    return { ...step, stored: null, values: null };
  };
  const steps = warps.map((warp) => warp.steps.map(plain));
  return JSON.stringify([steps, machine.undecidedReasons, machine.faults]);
}
