// Every number of something that a kernel only counts with: one proof, or the smallest that fails.
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult, Parameters } from '@poundlock/core/internal/finding';
import {
  AnyNumber,
  Program,
  resolveParameters,
  type Kernel,
} from '@poundlock/core/internal/program';
import { proveByChoices, proveByOneRun } from './certify/index.ts';
import type { Explored, Undecided } from './certify/index.ts';
import { MAX_TRIED, TRIED, type CheckOptions } from './options.ts';

/** What `check` lends: a check of one number, and its clock. */
export interface Lent {
  readonly check: (options: CheckOptions) => Promise<CheckResult>;
  readonly stopReason: () => string | null;
  readonly elapsedMs: () => number;
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
  options: CheckOptions,
  lent: Lent,
): Promise<CheckResult> {
  const params = numbersOf(kernel, every, options);
  const any = new AnyNumber(every, params[every] as number);
  if (kernel.ownership !== 'explicit') return forItsSize(every, params, RAII, lent);
  const explored = await explore(kernel, any, options, lent);
  const why = plainUse(kernel, any, options);
  if (why !== null) return forItsSize(every, params, why, lent);
  if (explored === null) return lent.check({});
  const { proof } = explored;
  if (proof.undecided?.condition === 'bound') return report(kernel, every, params, explored, lent);
  if (proof.undecided !== null) return smallest(every, explored.lead, proof.undecided.why, lent);
  for (const value of TRIED) {
    const one = new Program(kernel, { ...options.params, [every]: value });
    if ((await provePlainly(one, options, lent)) === null) continue;
    const result = await lent.check({ params: { [every]: value } });
    if (result.verdict !== 'certified') return withSmallest(result, every, value);
  }
  return report(kernel, every, params, explored, lent);
}

const RAII = "releases are moved (ownership: 'raii') in a list of steps, which has one length";

function numbersOf(kernel: Kernel, every: string, { params, engine }: CheckOptions): Parameters {
  const resolved = resolveParameters(kernel, params ?? {});
  const known = Object.keys(resolved);
  if (!known.includes(every)) {
    const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    throw new InputError(`kernel ${kernel.name} has no parameter ${every}: ${list}`);
  }
  if (typeof resolved[every] !== 'number') {
    throw new InputError(`parameter ${every} of kernel ${kernel.name} is no number`);
  }
  if (engine === 'search' || engine === 'reduced') {
    throw new InputError(`a search sees one number at a time: every ${every} needs a proof`);
  }
  return resolved;
}

/** The proof with any number; `null` where a kernel can not be called with one. */
async function explore(
  kernel: Kernel,
  any: AnyNumber,
  options: CheckOptions,
  lent: Lent,
): Promise<Explored | null> {
  try {
    const program = new Program(kernel, options.params, any);
    return await proveByChoices(program, options, lent.stopReason);
  } catch (error) {
    // What a kernel makes of something that is no number is not its fault.
    if (any.isUsed) return null;
    throw error;
  }
}

/** Why there is no proof for a kernel without a parameter of any number, or `null`. */
async function provePlainly(
  program: Program,
  options: CheckOptions,
  { stopReason }: Lent,
): Promise<Undecided | null> {
  const { proof, run } = await proveByOneRun(program, options, stopReason);
  if (proof.undecided?.condition !== 'choice') return proof.undecided;
  const explored = await proveByChoices(program, options, stopReason, run.unfolded);
  return explored.proof.undecided;
}

/** Why the kernel is known for one number alone, or `null`. */
function plainUse(kernel: Kernel, any: AnyNumber, options: CheckOptions): string | null {
  const { name } = any;
  const [one, more] = [0, 1].map((add) => {
    const params = { ...options.params, [name]: any.value + add };
    const others = { ...resolveParameters(kernel, params), [name]: 0 };
    return { others: JSON.stringify(others), shape: shapeOf(kernel, params) };
  });
  if (any.isUsed && one!.shape !== more!.shape) {
    throw new InputError(
      `every number of ${name} is out of reach of a finite proof, since it shapes the kernel: ` +
        `try --sweep ${name}=1..16`,
      any.usedAt ?? undefined,
    );
  }
  if (one!.others !== more!.others) return `other parameters follow from ${name}`;
  if (!any.isUsed) return null;
  const place = any.usedAt === undefined ? '' : ` in line ${any.usedAt!.line}`;
  return `${name} is used as a plain number${place}`;
}

/** What a kernel declares, but for how far it counts; '' where it can not be made. */
function shapeOf(kernel: Kernel, params: CheckOptions['params']): string {
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
  params: Parameters,
  why: string,
  lent: Lent,
): Promise<CheckResult> {
  const result = await lent.check({});
  const note =
    `this holds for ${every}=${params[every]} alone, since ${why}: a loop() whose rounds ask ` +
    `count(${every}).more() is proved for every number`;
  return { ...result, notes: [...(result.notes ?? []), note] };
}

/** The smallest number for which something is wrong, tried one by one. */
async function smallest(
  every: string,
  lead: number,
  why: string,
  lent: Lent,
): Promise<CheckResult> {
  const last = Math.min(lead * 2 + TRIED.length, MAX_TRIED);
  let result: CheckResult | undefined;
  for (let value = 0; value <= last; value++) {
    result = await lent.check({ params: { [every]: value } });
    if (result.verdict !== 'certified') return withSmallest(result, every, value);
  }
  const reason = `${why}; every number of ${every} from 0 to ${last} is certified one by one`;
  return { ...result!, verdict: 'inconclusive', reason };
}

/** A counterexample tells how many it needs. */
function withSmallest(result: CheckResult, every: string, value: number): CheckResult {
  const fewer = value === 0 ? '' : `: with fewer ${every} nothing is wrong`;
  const note = `it needs ${every}=${value}${fewer}`;
  const findings = result.findings.map((finding) =>
    finding.severity === 'error' ? { ...finding, notes: [...finding.notes, note] } : finding,
  );
  return { ...result, findings };
}

/** Certified for every number, with the warnings of the smallest that has one; or a bound. */
async function report(
  kernel: Kernel,
  every: string,
  params: Parameters,
  { proof, leftoverTiles }: Explored,
  lent: Lent,
): Promise<CheckResult> {
  const { engine, undecided, events, states, transitions } = proof;
  const isProved = undecided === null;
  const warned =
    isProved && proof.hasLeftovers
      ? await lent.check({ params: { [every]: leftoverTiles } })
      : null;
  const assumption =
    `no role tells numbers of ${every} apart with === or by their truth, which can not be seen; ` +
    `${TRIED.join(', ')} were tried one by one`;
  return {
    kernel: kernel.name,
    params,
    verdict: isProved ? 'certified' : 'inconclusive',
    scope: {
      params: Object.fromEntries(Object.entries(params).filter(([name]) => name !== every)),
      every: isProved ? [every] : [],
      assumptions: isProved ? [assumption] : [],
    },
    findings: warned?.findings ?? [],
    ...(isProved ? {} : { reason: undecided.why }),
    stats: { engine, events, states, transitions, elapsedMs: lent.elapsedMs() },
  };
}
