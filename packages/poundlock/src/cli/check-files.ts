// Checks file after file: what can not run does not stop the others.
import { check, type CheckOptions } from '../check/index.ts';
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import { parametersAsText, type CheckReport, type Failed, type Outcome } from '../report/index.ts';
import { exitCodeOf, ExitCode, worst } from './exit-code.ts';
import {
  asInputError,
  failureLines,
  inputErrorText,
  fileName,
  fileNamer,
  type Host,
} from '@poundlock/core/internal/host';
import { loadKernel } from './load-kernel.ts';
import { planRuns, type Request } from './plan.ts';
import { startCrewFor } from './crew.ts';
import type { ChosenOptions, PerCheck } from './options/check-options.ts';
import { ProgressLine } from './progress.ts';
import { publish } from './present.ts';

export interface Checks {
  readonly files: readonly string[];
  readonly request: Request;
  readonly chosen: ChosenOptions;
}

interface Planned {
  readonly file: string;
  readonly kernel: Kernel;
  readonly params: ResolvedParameters;
}

/** Runs all checks of one command and collects what comes out. */
export class CheckSession {
  readonly #host: Host;
  readonly #checks: Checks;
  readonly #progress: ProgressLine;
  readonly #codes: ExitCode[] = [];
  readonly #told = new Set<string>();
  #interrupted = false;

  constructor(host: Host, checks: Checks) {
    this.#host = host;
    this.#checks = checks;
    this.#progress = new ProgressLine(host);
  }

  get exitCode(): ExitCode {
    return worst(this.#codes);
  }

  async run(): Promise<CheckReport> {
    // Before there is anything to tell, Ctrl-C just ends the process.
    const planned = await this.#plan();
    const stop = this.#host.onInterrupt(() => void (this.#interrupted = true));
    const outcomes: Outcome[] = [];
    let skipped = 0;
    for (const one of planned) {
      if ('error' in one) outcomes.push(one);
      else if (this.#interrupted) skipped++;
      else outcomes.push(await this.#checkOne(one));
      // A search too small to pause by itself would let no Ctrl-C through.
      await this.#host.pause();
    }
    stop();
    this.#progress.clear();
    if (skipped > 0) this.#codes.push(ExitCode.inconclusive);
    const { files, request } = this.#checks;
    const many = files.length > 1 || request.sweeps.length > 0 || request.cases !== undefined;
    return { outcomes, many, skipped };
  }

  /** Loads every file first, so that a mistake is told before a long search. */
  async #plan(): Promise<(Planned | Failed)[]> {
    const planned: (Planned | Failed)[] = [];
    for (const given of this.#checks.files) {
      const file = fileName(given, this.#host.cwd);
      try {
        const kernel = await loadKernel(given, this.#host);
        for (const params of planRuns(kernel, this.#checks.request))
          planned.push({ file, kernel, params });
      } catch (error) {
        planned.push(this.#failed(error, file));
      }
    }
    return planned;
  }

  async #checkOne({ file, kernel, params }: Planned): Promise<Outcome> {
    const { now, pause, cwd } = this.#host;
    const subject = `${kernel.name} (${parametersAsText(params.values)})`;
    try {
      const ownOptions: Required<Pick<CheckOptions, PerCheck>> = {
        params,
        now,
        pause,
        shouldStop: () => this.#interrupted,
        startCrew: startCrewFor(file, cwd),
        onProgress: (progress) => this.#progress.show(subject, progress),
      };
      const found = await check(kernel, { ...this.#checks.chosen, ...ownOptions });
      const name = fileNamer(file, cwd);
      const needed = this.#checkedWith(params, found).needed();
      const result = publish(this.#named(found), file, needed, name);
      this.#codes.push(exitCodeOf(result.verdict));
      return { file, result };
    } catch (error) {
      return this.#failed(error, file, params);
    }
  }

  /** Of every number, a finding is about the one that it was found with. */
  #checkedWith(params: ResolvedParameters, result: CheckResult): ResolvedParameters {
    const { every } = this.#checks.chosen;
    return every === undefined ? params : params.change({ [every]: result.params[every]! });
  }

  /** The engine only knows that it was told to stop; by whom is known here. */
  #named(result: CheckResult): CheckResult {
    if (!this.#interrupted || result.verdict !== 'inconclusive') return result;
    return { ...result, reason: 'interrupted before every interleaving was seen' };
  }

  #failed(error: unknown, file: string, params?: ResolvedParameters): Failed {
    const { stderr, cwd } = this.#host;
    this.#progress.clear();
    const lines = failureLines(error, this.#host, file);
    // A sweep meets the same mistake again and again.
    if (!this.#told.has(lines)) stderr.write(lines);
    this.#told.add(lines);
    this.#codes.push(ExitCode.couldNotRun);
    const input = asInputError(error);
    const text = input === undefined ? 'a bug of ours' : inputErrorText(input, cwd);
    const at = input?.position;
    return {
      file,
      ...(params && { params: params.values }),
      ...(at && { at: { ...at, file: fileName(at.file, cwd) } }),
      error: text,
    };
  }
}
