// `certify`: checks a kernel with each set of parameters, and throws what fails as an assertion.
import { AssertionError } from 'node:assert';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InputError, requireOptions } from '@poundlock/core/internal/base';
import { assumptionNames } from '@poundlock/core/internal/finding';
import type { CheckResult, ParameterValue } from '@poundlock/core/internal/finding';
import { inputErrorText, pathOf } from '@poundlock/core/internal/host';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import { check, type CheckOptions } from '../check/index.ts';
import { planRuns } from '../cli/plan.ts';
import { withSource } from '../cli/program-source.ts';
import { messageOf } from './message.ts';
import { CERTIFY, DEFAULT_TIMEOUT_MS, SHRINK_TRIES } from './options.ts';
import type { CertifyOptions, ParameterGrid } from './options.ts';
import { subjectOf } from './subject.ts';

/**
 * Checks every interleaving of a kernel with each set of parameters, as `poundlock check` does, and
 * returns the results if all are certified. The kernel is what a program text exports, or the path
 * of a PTX, launch or steps file. A list of values is a sweep; several lists are combined.
 *
 * A counterexample is thrown as an `AssertionError`, whose message has the failing schedule's
 * source lines and the way to replay it. A check that a bound ends is thrown, too, since nothing
 * is known then. Warnings do not fail, unless `deny` names their rule.
 *
 * The promise must be awaited or returned by the test.
 *
 * @throws AssertionError where a check is not certified.
 * @throws Error where a parameter, a file or a role is not valid; with its place.
 *
 * @example
 * import { kernel, pipeline, role, tma } from 'poundlock';
 * import { certify } from 'poundlock/test';
 *
 * const copy = kernel('copy', { stages: 1 }, ({ stages }) => {
 *   const ring = pipeline('ring', { stages, bytes: 1024 });
 *   const load = role('load', function* () {
 *     for (let tile = 0; tile < 4; tile++) {
 *       using slot = yield* ring.produce();
 *       tma.load(slot);
 *     }
 *     yield* ring.drain();
 *   });
 *   const store = role('store', function* () {
 *     for (let tile = 0; tile < 4; tile++) {
 *       using _slot = yield* ring.consume();
 *     }
 *   });
 *   return [load, store];
 * });
 * const results = await certify(copy, { stages: [1, 2, 3] });
 * console.log(results.length); // 3
 */
export async function certify(
  kernel: Kernel | string | URL,
  parameters: ParameterGrid = {},
  options: CertifyOptions = {},
): Promise<readonly CheckResult[]> {
  // Taken before the first pause, so that the stack leads to the test.
  const calledAt: { stack?: string } = {};
  Error.captureStackTrace(calledAt, certify);
  const cwd = process.cwd();
  try {
    return await certifyAll(kernel, parameters, options, cwd);
  } catch (error) {
    if (error instanceof InputError) {
      throw from(calledAt, new Error(inputErrorText(error, cwd)));
    }
    throw error instanceof AssertionError ? from(calledAt, error) : error;
  }
}

async function certifyAll(
  what: Kernel | string | URL,
  parameters: ParameterGrid,
  options: CertifyOptions,
  cwd: string,
): Promise<readonly CheckResult[]> {
  requireOptions('certify()', CERTIFY, options);
  const subject = await subjectOf(what, options, cwd);
  const { file } = subject;
  const declared = subject.kernel.position?.file;
  const kernel =
    declared === undefined ? subject.kernel : withSource(subject.kernel, pathOf(declared));
  const planned = planRuns(kernel, requestOf(parameters));
  if (planned.length === 0) throw new InputError('there is nothing to check');
  const results: CheckResult[] = [];
  for (const params of planned) {
    const found = await check(kernel, optionsOf(options, params, planned.length > 1));
    results.push(subject.present(found, replayedWith(found, params, options)));
  }
  const passes = ({ verdict }: CheckResult): boolean =>
    verdict === 'certified' || (verdict === 'inconclusive' && options.allowInconclusive === true);
  const isReplay = options.replay !== undefined;
  const failed = isReplay ? results : results.filter((result) => !passes(result));
  if (failed.length === 0) return results;
  const certified = results.filter((result) => !failed.includes(result));
  // As `assert.fail` throws it: Jest and Vitest then show the message alone.
  throw new AssertionError({
    message: messageOf(failed, certified, { file, cwd, isReplay }),
    operator: 'fail',
  });
}

function optionsOf(
  {
    accept,
    assumeBoxes,
    every,
    memory,
    sizes,
    deny,
    engine,
    maxStates,
    maxEvents,
    replay,
    timeoutMs,
  }: CertifyOptions,
  params: ResolvedParameters,
  isMany: boolean,
): CheckOptions {
  // A list of sizes gets a verdict for each of them.
  const covered = sizes ?? (isMany && every === undefined ? 'requested' : undefined);
  const accepted = assumptionNames([...(accept ?? []), ...(assumeBoxes === true ? ['boxes'] : [])]);
  return {
    accept: accepted,
    ...(every !== undefined && { every }),
    ...(memory !== undefined && { memory }),
    ...(covered !== undefined && { sizes: covered }),
    ...(deny !== undefined && { deny }),
    ...(engine !== undefined && { engine }),
    ...(maxStates !== undefined && { maxStates }),
    ...(maxEvents !== undefined && { maxEvents }),
    ...(replay !== undefined && { replay }),
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(replay === undefined && { shrinkTries: isMany ? 0 : SHRINK_TRIES }),
    params,
    now: () => performance.now(),
    pause: () => nextTurn(),
  };
}

/** For a proof of every number, a finding is about the number with which it was found. */
function replayedWith(
  { params }: CheckResult,
  requested: ResolvedParameters,
  { every }: CertifyOptions,
): ResolvedParameters {
  return every === undefined ? requested : requested.change({ [every]: params[every]! });
}

/** A parameter with a list of values is a sweep. */
function requestOf(parameters: ParameterGrid): Parameters<typeof planRuns>[1] {
  const sets = new Map<string, ParameterValue>();
  const sweeps: { name: string; values: readonly string[] }[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (!isList(value)) sets.set(name, value);
    else if (value.length > 0) sweeps.push({ name, values: value.map(String) });
    // Without a check there is nothing that could fail.
    else throw new InputError(`the list of values of ${name} is empty`);
  }
  return { sets, sweeps };
}

function isList(value: ParameterGrid[string]): value is readonly ParameterValue[] {
  return Array.isArray(value);
}

/** The error with the stack of the call of `certify`. */
function from(calledAt: { stack?: string }, error: Error): Error {
  const frames = (calledAt.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}
