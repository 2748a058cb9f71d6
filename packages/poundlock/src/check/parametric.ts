// Every number of something that a kernel only counts with: one proof, or the smallest that fails.
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { SymbolicParameter, Program, requireParameter } from '@poundlock/core/internal/program';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import type { Budget } from './budget.ts';
import { proveByChoices, proveByOneRun } from './certify/index.ts';
import type { Explored } from './certify/index.ts';
import { beforeAll, compareInPlace, ordersOf } from './in-place/index.ts';
import { MAX_TRIED, TRIED, type CheckOptions } from './options.ts';

/** Checks one number at a time, within one budget. */
export interface Checker {
  readonly check: (params: ResolvedParameters) => Promise<CheckResult>;
  readonly budget: Budget;
}

/**
 * Proves a kernel for every value of the parameter `options.every` at once, or finds the smallest
 * value for which it is wrong. A parameter that is more than a count's total is checked for the one
 * value that it has, with a note of how to get more.
 *
 * @throws InputError if there is no such number, or if it shapes the kernel.
 */
export async function checkEvery(
  kernel: Kernel,
  every: string,
  params: ResolvedParameters,
  options: CheckOptions,
  checker: Checker,
): Promise<CheckResult> {
  const any = new SymbolicParameter(every, numberOf(kernel, every, params, options));
  if (kernel.ownership !== 'explicit') return forItsSize(every, params, RAII, checker);
  const explored = await explore(() => new Program(kernel, params, any), any, checker);
  const why = plainUse(kernel, any, params);
  if (why !== null) return forItsSize(every, params, why, checker);
  if (explored === null) return checker.check(params);
  const { proof } = explored;
  if (proof.failure?.condition === 'bound') return report(kernel, every, params, explored, checker);
  if (proof.failure !== null) return smallest(every, params, explored, checker);
  for (const value of new Set([...TRIED, any.value])) {
    const changed = params.change({ [every]: value });
    if ((await provePlainly(new Program(kernel, changed), checker)) === null) continue;
    const result = await checker.check(changed);
    if (result.verdict !== 'certified') return withSmallest(result, every, value);
  }
  return report(kernel, every, params, explored, checker);
}

const RAII = "ownership: 'raii' moves releases in a list of steps of fixed length";

function numberOf(
  kernel: Kernel,
  every: string,
  { values }: ResolvedParameters,
  { engine }: CheckOptions,
): number {
  requireParameter(kernel, every);
  const value = values[every];
  if (typeof value !== 'number') {
    throw new InputError(`parameter ${every} of kernel ${kernel.name} is not a number`);
  }
  if (engine === 'search' || engine === 'reduced') {
    throw new InputError(
      `a search checks one value at a time: --every ${every} needs a certificate`,
    );
  }
  return value;
}

/** The proof with any number; `null` where a kernel can not be called with one. */
async function explore(
  makeProgram: () => Program,
  any: SymbolicParameter,
  { budget }: Checker,
): Promise<Explored | null> {
  try {
    return await proveByChoices(makeProgram(), budget, () => budget.stopReason());
  } catch (error) {
    // What a kernel makes of something that is no number is not its fault.
    if (any.isUsed) return null;
    throw error;
  }
}

/** Why a kernel without a parameter of any number is not proved at once, or `null`. */
async function provePlainly(program: Program, { budget }: Checker): Promise<string | null> {
  const beside = await beforeAll(program, budget);
  const stopReason = () => budget.stopReason();
  const { proof, run } = await proveByOneRun(program, budget, stopReason);
  const hasChoices = proof.failure?.condition === 'choice';
  const { proof: all } = hasChoices
    ? await proveByChoices(program, budget, stopReason, run.context)
    : { proof };
  if (all.failure !== null || beside === null) return all.failure?.why ?? 'it cannot be run';
  const outcome = { ...all, findings: [], reason: null };
  const found = await compareInPlace(beside, outcome, ordersOf(hasChoices, false), budget);
  return found?.message ?? null;
}

/** Why the kernel is known for one number alone, or `null`. */
function plainUse(
  kernel: Kernel,
  any: SymbolicParameter,
  params: ResolvedParameters,
): string | null {
  const { name } = any;
  const [one, more] = [0, 1].map((add) => {
    const changed = params.change({ [name]: any.value + add });
    const others = { ...changed.values, [name]: 0 };
    return { others: JSON.stringify(others), shape: shapeOf(kernel, changed) };
  });
  if (any.isUsed && one!.shape !== more!.shape) {
    throw new InputError(
      `no finite proof covers every value of ${name}, because it changes the kernel's structure: ` +
        `try --sweep ${name}=1..16`,
      any.usedAt ?? undefined,
    );
  }
  if (one!.others !== more!.others) return `other parameters depend on ${name}`;
  if (!any.isUsed) return null;
  const place = any.usedAt === undefined ? '' : ` in line ${any.usedAt!.line}`;
  return `${name} is used as a plain number${place}`;
}

/** What a kernel declares, but for how far it counts; '' where it can not be made. */
function shapeOf(kernel: Kernel, params: ResolvedParameters): string {
  try {
    const { declarations, roles } = new Program(kernel, params);
    const counts = declarations.counts.map((count) => count.name);
    return `${declarations.fingerprint(counts)} ${roles.length}`;
  } catch {
    return '';
  }
}

/** P05: certified for one number, and how to get more. */
async function forItsSize(
  every: string,
  params: ResolvedParameters,
  why: string,
  checker: Checker,
): Promise<CheckResult> {
  const result = await checker.check(params);
  const value = params.values[every];
  const note =
    `this holds for ${every}=${value} only, because ${why}: a loop() that calls ` +
    `count(${every}).more() in each round is proved for every value`;
  return { ...result, notes: [...(result.notes ?? []), note] };
}

/** The smallest number for which something is wrong, tried one by one. */
async function smallest(
  every: string,
  params: ResolvedParameters,
  { lead, proof }: Explored,
  checker: Checker,
): Promise<CheckResult> {
  const last = Math.min(lead * 2 + TRIED.length, MAX_TRIED);
  let result: CheckResult | undefined;
  for (let value = 0; value <= last; value++) {
    result = await checker.check(params.change({ [every]: value }));
    if (result.verdict !== 'certified') return withSmallest(result, every, value);
  }
  const why = proof.failure?.why;
  const reason = `${why}; each value of ${every} from 0 to ${last} is certified individually`;
  return { ...result!, verdict: 'inconclusive', reason };
}

/** The number of items that a counterexample needs. */
function withSmallest(result: CheckResult, every: string, value: number): CheckResult {
  const fewer = value === 0 ? '' : `: smaller values have no error`;
  const note = `the error needs ${every}=${value}${fewer}`;
  const findings = result.findings.map((finding) =>
    finding.severity === 'error' ? { ...finding, notes: [...finding.notes, note] } : finding,
  );
  return { ...result, findings };
}

/** Certified for every number, with the warnings of the smallest that has one; or a bound. */
async function report(
  kernel: Kernel,
  every: string,
  params: ResolvedParameters,
  { proof, leftoverTiles }: Explored,
  checker: Checker,
): Promise<CheckResult> {
  const { engine, failure, events, states, transitions } = proof;
  const isProved = failure === null;
  const warned =
    isProved && proof.hasLeftovers
      ? await checker.check(params.change({ [every]: leftoverTiles }))
      : null;
  const assumption =
    `no role distinguishes values of ${every} with === or truthiness, which is not observable; ` +
    `${TRIED.join(', ')} were checked individually`;
  return {
    kernel: kernel.name,
    params: params.values,
    verdict: isProved ? 'certified' : 'inconclusive',
    scope: {
      params: Object.fromEntries(Object.entries(params.values).filter(([name]) => name !== every)),
      every: isProved ? [every] : [],
      assumptions: isProved ? [assumption] : [],
    },
    findings: warned?.findings ?? [],
    ...(isProved ? {} : { reason: failure.why }),
    stats: { engine, events, states, transitions, elapsedMs: checker.budget.elapsedMs },
  };
}
