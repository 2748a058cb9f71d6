// Checks one file after another: a file that can not run does not stop the others.
import { boundReached, check, type CheckOptions, type CheckProgress } from '../check/index.ts';
import { BoundError, InputError } from '@poundlock/core/internal/base';
import {
  reportOf,
  type CheckResult,
  type Report,
  type ReportedFailure,
  type ResultWithFindings,
  type TextHash,
} from '@poundlock/core/internal/finding';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import { counted, parametersAsText } from '../report/index.ts';
import { failureOf } from './attempt.ts';
import { exitCodeOf, ExitCode, verdictOfError, worst } from './exit-code.ts';
import {
  asInputError,
  failureLines,
  fileName,
  fileNamer,
  Progress,
  type Amount,
  type Host,
} from '@poundlock/core/internal/host';
import { whyFull } from './heap-bound.ts';
import { inferredKernels, isWithoutLaunch, STREAM, type InferredKernel } from './built-kernels.ts';
import { chosenLaunch } from './load-ptx.ts';
import { repeatedLaunch } from './options/launch-parts.ts';
import { loadKernel, loadKernelAgain } from './load-kernel.ts';
import { planRuns, type Request } from './plan.ts';
import type { ChosenOptions, PerCheck, PerProof } from './options/check-options.ts';
import { present } from './present.ts';
import { textsOf } from './texts.ts';
import { version } from './version.ts';

export interface Checks {
  readonly files: readonly string[];
  readonly request: Request;
  readonly chosen: ChosenOptions & Pick<CheckOptions, PerProof>;
}

/** One check of a file. */
export interface Planned {
  readonly file: string;
  readonly kernel: Kernel;
  readonly params: ResolvedParameters;
  readonly texts: readonly TextHash[];
  /** For the first check of a file. */
  readonly loadAgain?: () => Promise<Kernel>;
}

/** One check of a kernel whose launch is inferred. */
interface PlannedInferred {
  readonly file: string;
  readonly inferred: InferredKernel;
  readonly texts: readonly TextHash[];
}

/** What decides about a kernel without a launch file: equal texts have one verdict. */
function textOf({ subject: { ptx, skeleton } }: InferredKernel): string {
  const { supplied, entry } = skeleton;
  const maps = [supplied.values, supplied.contents, supplied.boxes].map((each) => [...each]);
  return JSON.stringify([entry.name, supplied, maps, ptx.text]);
}

const ONE_LAUNCH =
  'has no launch file, and this option is about one launch: give numbers with --param, or write ' +
  'a launch with `poundlock launch`';

/** An error of a launch file that rests on what `poundlock launch` guessed is a possible one. */
async function rested(result: CheckResult, { guesses = [] }: Kernel): Promise<CheckResult> {
  if (guesses.length === 0 || result.verdict !== 'counterexample') return result;
  const { asPossible } = await import('../launches/index.ts');
  const { rule } = result.findings[0]!;
  const reason = `possible error[${rule}] under a guessed ${guesses[0]!.what}: ${guesses[0]!.why}`;
  const findings = asPossible(result.findings, guesses);
  return { ...result, verdict: 'inconclusive', reason, findings };
}

/** Runs all checks of one command and collects the results. */
export class CheckSession {
  readonly #host: Host;
  readonly #checks: Checks;
  readonly #progress: Progress;
  readonly #codes: ExitCode[] = [];
  readonly #shownLines = new Set<string>();
  /** Results of kernels without a launch file, by their texts. */
  readonly #sameTexts = new Map<string, CheckResult>();
  #interrupted = false;
  #first: Planned | null = null;
  /** How many of the checks are done. */
  #amount: Amount = { done: 0, all: 0, unit: 'check' };

  constructor(host: Host, checks: Checks) {
    this.#host = host;
    this.#checks = checks;
    this.#progress = new Progress(host);
  }

  get exitCode(): ExitCode {
    return worst(this.#codes);
  }

  /** The first check that was planned; `null` where no file could be loaded. */
  get first(): Planned | null {
    return this.#first;
  }

  async run(): Promise<Report<'check'>> {
    // Before there are results to report, Ctrl-C just ends the process.
    const planned = await this.#plan();
    const stop = this.#host.onInterrupt(() => void (this.#interrupted = true));
    const results: ResultWithFindings<'check'>[] = [];
    let skipped = 0;
    for (const [done, one] of planned.entries()) {
      this.#amount = { done, all: planned.length, unit: 'check' };
      if ('error' in one) results.push({ result: one });
      else if (this.#interrupted) skipped++;
      else if ('inferred' in one) results.push(await this.#checkInferred(one));
      else results.push(await this.#checkOne(one));
      // A search that is too small to pause would block Ctrl-C.
      await this.#host.pause();
    }
    stop();
    this.#progress.clear();
    for (const { file, error } of this.#host.lateFailures())
      results.push({ result: this.#failed(error, file) });
    if (skipped > 0) this.#codes.push(ExitCode.inconclusive);
    const { files, request } = this.#checks;
    const isBatch =
      files.length > 1 ||
      planned.length > 1 ||
      request.sweeps.length > 0 ||
      request.cases !== undefined;
    const swept = request.sweeps.map((sweep) => sweep.name);
    return reportOf('check', version(), results, { isBatch, swept, skipped });
  }

  /** Loads every file first, so that a mistake is reported before a long search. */
  async #plan(): Promise<(Planned | PlannedInferred | ReportedFailure)[]> {
    const planned: (Planned | PlannedInferred | ReportedFailure)[] = [];
    for (const argument of this.#checks.files) {
      const file = fileName(argument, this.#host.cwd);
      try {
        const { timeoutMs } = this.#checks.chosen;
        if (isWithoutLaunch(argument, this.#host)) {
          planned.push(...(await this.#inferred(argument)));
          continue;
        }
        const kernel = await loadKernel(argument, this.#host, timeoutMs);
        const all = async () => planRuns(kernel, this.#checks.request);
        const runs = await this.#host.guarded(argument, all, timeoutMs);
        const texts = textsOf(argument, this.#host.cwd);
        for (const [at, params] of runs.entries()) {
          const loadAgain = () => loadKernelAgain(argument, this.#host, timeoutMs);
          const one = { file, kernel, params, texts, ...(at === 0 && { loadAgain }) };
          this.#first ??= one;
          planned.push(one);
        }
      } catch (error) {
        planned.push(this.#failed(error, file));
      }
    }
    return planned;
  }

  /** The kernels of an input without a launch file; options that need one launch are refused. */
  async #inferred(argument: string): Promise<(PlannedInferred | ReportedFailure)[]> {
    const { chosen, request } = this.#checks;
    if (
      chosen.every !== undefined ||
      request.sets.size + request.sweeps.length > 0 ||
      request.cases !== undefined
    )
      throw new InputError(ONE_LAUNCH);
    const failures: ReportedFailure[] = [];
    const kernels = await inferredKernels(argument, this.#host, (error) => {
      failures.push(this.#failed(error, fileName(argument, this.#host.cwd)));
    });
    const texts = textsOf(argument, this.#host.cwd);
    const planned = kernels.map((inferred) => ({ file: inferred.file, inferred, texts }));
    return [...planned, ...failures];
  }

  async #checkInferred({
    file,
    inferred,
    texts,
  }: PlannedInferred): Promise<ResultWithFindings<'check'>> {
    const { now, cpuNow = now, pause, cwd } = this.#host;
    const { chosen } = this.#checks;
    this.#show(inferred.name, null);
    try {
      const { checkLaunches } = await import('../launches/index.ts');
      const options = {
        ...chosen,
        shrinkTries: undefined,
        sizes: undefined,
        // Other work of the machine decides nothing.
        now: chosen.timeoutMs === undefined ? cpuNow : now,
        pause,
        shouldStop: () => this.#interrupted,
        whyFull,
      };
      const text = textOf(inferred);
      const before = this.#sameTexts.get(text);
      const found = before ?? (await checkLaunches(inferred.subject, options));
      this.#sameTexts.set(text, found);
      const name = file === STREAM ? (each: string) => each : fileNamer(file, cwd);
      const words = repeatedLaunch(found, chosenLaunch());
      const shown = present(this.#named(found), file, {}, name, chosen.memory, words);
      const { findings, ...rest } = shown;
      this.#codes.push(exitCodeOf(rest.verdict));
      return { result: { verb: 'check', file, ...rest, texts }, findings };
    } catch (error) {
      return { result: this.#failed(error, file) };
    }
  }

  async #checkOne({
    file,
    kernel,
    params,
    texts,
    loadAgain,
  }: Planned): Promise<ResultWithFindings<'check'>> {
    const { now, pause, cwd } = this.#host;
    const start = now();
    const subject = `${kernel.name} (${parametersAsText(params.values)})`;
    this.#show(subject, null);
    try {
      const ownOptions: Required<Pick<CheckOptions, PerCheck>> = {
        params,
        now,
        pause,
        shouldStop: () => this.#interrupted,
        whyFull,
        onProgress: (progress) => this.#show(subject, progress),
      };
      const { chosen } = this.#checks;
      const options = { ...chosen, ...ownOptions, ...(loadAgain && { loadAgain }) };
      const checked = await this.#host.guarded(
        file,
        () => check(kernel, options),
        chosen.timeoutMs,
      );
      const found = await rested(checked, kernel);
      const name = fileNamer(file, cwd);
      const needed = this.#checkedWith(params, found).needed();
      const shown = present(this.#named(found), file, needed, name, chosen.memory);
      const { findings, ...rest } = shown;
      this.#codes.push(exitCodeOf(rest.verdict));
      return { result: { verb: 'check', file, ...rest, texts }, findings };
    } catch (error) {
      if (error instanceof BoundError) {
        this.#codes.push(ExitCode.inconclusive);
        const { findings, ...rest } = boundReached(kernel, params, error.message, now() - start);
        return { result: { verb: 'check', file, ...rest, texts }, findings };
      }
      return { result: this.#failed(error, file, params) };
    }
  }

  /** The checks, if there are several, and the states of a search. */
  #show(subject: string, search: CheckProgress | null): void {
    const amounts = this.#amount.all === 1 ? [] : [this.#amount];
    if (search !== null) {
      const { states, depth, frontier } = search;
      const facts = [`depth ${depth}`, counted(frontier, 'open state')];
      amounts.push({ done: states, all: null, unit: 'state', facts });
    }
    this.#progress.update(`checking ${subject}`, amounts);
  }

  /** For a proof of every number, a finding is about the number with which it was found. */
  #checkedWith(params: ResolvedParameters, result: CheckResult): ResolvedParameters {
    const { every } = this.#checks.chosen;
    return every === undefined ? params : params.change({ [every]: result.params[every]! });
  }

  /** The engine only knows that it was stopped; the reason is known here. */
  #named(result: CheckResult): CheckResult {
    if (!this.#interrupted || result.verdict !== 'inconclusive') return result;
    return { ...result, reason: 'interrupted before every interleaving was checked' };
  }

  #failed(thrown: unknown, file: string, params?: ResolvedParameters): ReportedFailure {
    const { stderr, cwd } = this.#host;
    this.#progress.clear();
    const verdict = verdictOfError(thrown);
    const error = thrown instanceof BoundError ? new InputError(thrown.message) : thrown;
    const lines = failureLines(error, this.#host, file);
    // A sweep reports the same mistake repeatedly.
    if (!this.#shownLines.has(lines)) stderr.write(lines);
    this.#shownLines.add(lines);
    this.#codes.push(exitCodeOf(verdict));
    const failure = failureOf('check', file, cwd, asInputError(error), params?.values);
    return verdict === undefined ? failure : { ...failure, verdict };
  }
}
