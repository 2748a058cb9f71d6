// Checks one file after another: a file that can not run does not stop the others.
import { boundReached, check, type CheckOptions, type CheckProgress } from '../check/index.ts';
import { BoundError, InputError } from '@poundlock/core/internal/base';
import {
  reportOf,
  type CheckResult,
  type Report,
  type ReportedFailure,
  type ResultWithFindings,
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
import { loadKernel, loadKernelAgain } from './load-kernel.ts';
import { planRuns, type Request } from './plan.ts';
import type { ChosenOptions, PerCheck, PerProof } from './options/check-options.ts';
import { present } from './present.ts';
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
  /** For the first check of a file. */
  readonly loadAgain?: () => Promise<Kernel>;
}

/** Runs all checks of one command and collects the results. */
export class CheckSession {
  readonly #host: Host;
  readonly #checks: Checks;
  readonly #progress: Progress;
  readonly #codes: ExitCode[] = [];
  readonly #shownLines = new Set<string>();
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
    const isBatch = files.length > 1 || request.sweeps.length > 0 || request.cases !== undefined;
    const swept = request.sweeps.map((sweep) => sweep.name);
    return reportOf('check', version(), results, { isBatch, swept, skipped });
  }

  /** Loads every file first, so that a mistake is reported before a long search. */
  async #plan(): Promise<(Planned | ReportedFailure)[]> {
    const planned: (Planned | ReportedFailure)[] = [];
    for (const argument of this.#checks.files) {
      const file = fileName(argument, this.#host.cwd);
      try {
        const { timeoutMs } = this.#checks.chosen;
        const kernel = await loadKernel(argument, this.#host, timeoutMs);
        const all = async () => planRuns(kernel, this.#checks.request);
        const runs = await this.#host.guarded(argument, all, timeoutMs);
        for (const [at, params] of runs.entries()) {
          const loadAgain = () => loadKernelAgain(argument, this.#host, timeoutMs);
          const one = { file, kernel, params, ...(at === 0 && { loadAgain }) };
          this.#first ??= one;
          planned.push(one);
        }
      } catch (error) {
        planned.push(this.#failed(error, file));
      }
    }
    return planned;
  }

  async #checkOne({
    file,
    kernel,
    params,
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
      const found = await this.#host.guarded(file, () => check(kernel, options), chosen.timeoutMs);
      const name = fileNamer(file, cwd);
      const needed = this.#checkedWith(params, found).needed();
      const shown = present(this.#named(found), file, needed, name, chosen.memory);
      const { findings, ...rest } = shown;
      this.#codes.push(exitCodeOf(rest.verdict));
      return { result: { verb: 'check', file, ...rest }, findings };
    } catch (error) {
      if (error instanceof BoundError) {
        this.#codes.push(ExitCode.inconclusive);
        const { findings, ...rest } = boundReached(kernel, params, error.message, now() - start);
        return { result: { verb: 'check', file, ...rest }, findings };
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
