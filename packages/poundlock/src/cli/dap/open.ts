// Opens the kernel of a launch request, and finds the schedule to replay.
import { resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { Finding } from '@poundlock/core/internal/finding';
import { fileName, type Host } from '@poundlock/core/internal/host';
import type { Overrides } from '@poundlock/core/internal/program';
import { exploreSession } from '../explore/session.ts';
import { chooseLaunch, isPtx, isSteps } from '../load-ptx.ts';
import { loadKernel, loadKernelAgain } from '../load-kernel.ts';
import { planRuns } from '../plan.ts';
import { Replay } from './replay.ts';

/** The fields of a configuration in `launch.json` of the editor. */
export interface LaunchInput {
  /** A program, PTX or steps file. */
  readonly program: string;
  /** The schedule; that of the first finding unless specified. */
  readonly replay?: string;
  /** Parameters that differ from their defaults. */
  readonly params?: Overrides;
  /** The launch file of a PTX file, its entry, and the number of the launch. */
  readonly launchFile?: string;
  readonly entry?: string;
  readonly launchIndex?: number;
  /** Starts at the end of the schedule. */
  readonly startAtFinding?: boolean;
}

/** What is debugged. */
export interface Opened {
  readonly replay: Replay;
  /** The kernel and its verdict, in a line for the console. */
  readonly summary: string;
  /** What the schedule shows; `undefined` where it is free. */
  readonly finding: Finding | undefined;
}

/** Loads the kernel; without a token, checks it for a schedule that fails. */
export async function open(input: LaunchInput, host: Host): Promise<Opened> {
  const { program, params = {}, launchFile, entry, launchIndex } = input;
  if (typeof program !== 'string' || program === '') throw new InputError('program names no file');
  chooseLaunch({
    launch: launchFile === undefined ? undefined : resolve(host.cwd, launchFile),
    entry,
    index: launchIndex,
    assumeBoxes: false,
  });
  const file = fileName(resolve(host.cwd, program), host.cwd);
  const kernel = await loadKernel(file, host);
  const [resolved] = planRuns(kernel, { sets: new Map(Object.entries(params)), sweeps: [] });
  const isBuilt = isPtx(file) || isSteps(file);
  const session = exploreSession(host, {
    file,
    kernel,
    ...(!isBuilt && { loadAgain: () => loadKernelAgain(file, host) }),
  });
  const values = resolved!.needed();
  if (input.replay !== undefined) {
    const replay = await Replay.of(session, values, input.replay);
    const { findings } = await session.state(values, input.replay);
    return {
      replay,
      summary: `${kernel.name}: the schedule ${input.replay}`,
      finding: findings[0],
    };
  }
  const { claim, findings } = await session.verdict(values);
  // A finding of another launch is a schedule of another kernel.
  const finding = findings.find(({ replayToken, launch }) => {
    return replayToken !== undefined && launch === undefined;
  });
  const own = { ...values, ...finding?.params };
  const replay = await Replay.of(session, own, finding?.replayToken ?? '');
  return { replay, summary: `${kernel.name}: ${claim.verdict}: ${claim.statement}`, finding };
}
