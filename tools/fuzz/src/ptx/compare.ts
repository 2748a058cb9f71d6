// Compares what a checker says of a kernel as built with what all of its schedules show.
import * as fc from 'fast-check';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { shrunk } from '../order/shrink.ts';
import { exploreKernel } from './explore.ts';
import type { Outcome } from './exploration.ts';
import { launchOf, ptxOf } from './print-program.ts';
import type { Group, KernelProgram } from './program.ts';
import { kernelPrograms } from './random-kernel.ts';

/** Checks a PTX text with a launch file. */
export type PtxChecker = (
  ptx: string,
  launch: string,
) => Promise<Pick<CheckResult, 'verdict' | 'findings'>>;

/**
 * How a verdict and the schedules agree. `missed`: certified, and some schedule goes wrong. `false
 * alarm`: an error, and no schedule goes wrong. `late lanes`: an error, and a schedule goes wrong
 * only where lanes that just wait come a phase too late, which verdicts about other kernels assume
 * away. `thrown`: the kernel was refused. `open`: the schedules were not explored.
 */
export type Agreement =
  | ('agreed' | 'inconclusive' | 'open')
  | ('missed' | 'false alarm' | 'late lanes' | 'thrown');

/** Those that no checker should have. */
export const DISAGREEMENTS = ['missed', 'false alarm', 'late lanes', 'thrown'] as const;

/** A kernel, what its schedules show, and what a checker says. */
export interface Compared {
  readonly agreement: Agreement;
  readonly outcome: Outcome;
  /** The verdict with the rule of the first finding, or the message of what was thrown. */
  readonly answer: string;
}

export async function compareKernel(check: PtxChecker, program: KernelProgram): Promise<Compared> {
  const [ptx, launch] = [ptxOf(program), launchOf(program)];
  const outcome = exploreKernel(ptx, launch);
  try {
    const { verdict, findings } = await check(ptx, launch);
    const answer = [verdict, findings[0]?.rule ?? ''].join(' ').trim();
    return { agreement: agreementOf(verdict, outcome), outcome, answer };
  } catch (error) {
    return { agreement: 'thrown', outcome, answer: (error as Error).message };
  }
}

function agreementOf(
  verdict: CheckResult['verdict'],
  { verdict: shown, keepsUp }: Outcome,
): Agreement {
  if (shown === 'open') return 'open';
  if (verdict === 'inconclusive') return 'inconclusive';
  if (shown !== 'ends') return verdict === 'certified' ? 'missed' : 'agreed';
  if (verdict === 'certified') return 'agreed';
  return keepsUp ? 'late lanes' : 'false alarm';
}

/** How many kernels of a group agree how, and the smallest kernel that shows each disagreement. */
export interface GroupResult {
  readonly counts: Readonly<Partial<Record<Agreement, number>>>;
  /** Kernels without an error of which the verdict is inconclusive, and all without an error. */
  readonly inconclusive: number;
  readonly right: number;
  readonly examples: ReadonlyMap<Agreement, string>;
}

/** Draws kernels of a group and compares each. */
export async function compareGroup(
  check: PtxChecker,
  group: Group,
  { seed, runs, isShrinking }: { seed: number; runs: number; isShrinking: boolean },
): Promise<GroupResult> {
  const counts: Partial<Record<Agreement, number>> = {};
  const examples = new Map<Agreement, string>();
  let [inconclusive, right] = [0, 0];
  const arbitrary = kernelPrograms(group);
  for (const [at, program] of fc.sample(arbitrary, { seed, numRuns: runs }).entries()) {
    const { agreement, outcome } = await compareKernel(check, program);
    counts[agreement] = (counts[agreement] ?? 0) + 1;
    if (outcome.verdict === 'ends') right++;
    if (outcome.verdict === 'ends' && agreement === 'inconclusive') inconclusive++;
    if (!DISAGREEMENTS.some((each) => each === agreement) || examples.has(agreement)) continue;
    const shows = async (one: KernelProgram): Promise<boolean> =>
      (await compareKernel(check, one)).agreement === agreement;
    const small = isShrinking ? await shrunk(arbitrary, program, shows, { seed, at }) : program;
    examples.set(agreement, await described(check, small));
  }
  return { counts, inconclusive, right, examples };
}

async function described(check: PtxChecker, program: KernelProgram): Promise<string> {
  const { agreement, outcome, answer } = await compareKernel(check, program);
  const head = `// ${agreement}: check says ${answer}, the schedules ${outcome.verdict}`;
  return `${head} ${outcome.why}\n${ptxOf(program)}// ${launchOf(program)}\n`;
}
