// What the page of `explore` asks for: states, verdicts, and the sources that they name.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { Finding } from '@poundlock/core/internal/finding';
import { fileNamer, type Host } from '@poundlock/core/internal/host';
import { resolveParameters, type Kernel } from '@poundlock/core/internal/program';
import { check } from '../../check/index.ts';
import { explore } from '../../explore/index.ts';
import type {
  ExploredKernel,
  ExploredState,
  ExploredVerdict,
  Values,
} from '../../explore/index.ts';
import { statement } from '../../report/index.ts';
import { presentFindings } from '../present.ts';

/** The kernel that is explored, and how it is loaded another time. */
export interface Loaded {
  readonly file: string;
  readonly kernel: Kernel;
  readonly loadAgain?: () => Promise<Kernel>;
}

/** How long a verdict may take. */
export const CHECK_MS = 60_000;
/** The tries for smaller parameters: none, since a finding is wanted for these. */
const SHRINK_TRIES = 0;

/** Answers the requests of one page, one after the other. */
export class ExploreSession {
  readonly #host: Host;
  readonly #loaded: Loaded;
  readonly #name: (file: string) => string;
  /** The files that a state or a finding has named: no others can be read. */
  readonly #named = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  /** Counts requests for verdicts: a newer one stops the one before it. */
  #checks = 0;

  constructor(host: Host, loaded: Loaded) {
    this.#host = host;
    this.#loaded = loaded;
    this.#name = fileNamer(loaded.file, host.cwd);
    this.#named.add(loaded.file);
  }

  /** Errors name files relative to it. */
  get cwd(): string {
    return this.#host.cwd;
  }

  /** What is explored. */
  kernel(): ExploredKernel {
    const { file, kernel } = this.#loaded;
    return { file, kernel: kernel.name, parameters: resolveParameters(kernel, {}).values };
  }

  /** The state after a schedule. */
  state(params: Values, token: string): Promise<ExploredState> {
    const { file, kernel } = this.#loaded;
    return this.#inTurn(async () => {
      const found = await this.#guarded(() => explore(kernel, params, token));
      const name = this.#known;
      return {
        ...found,
        trace: found.trace.map((step) => named(step, name)),
        moves: found.moves.map((move) => named(move, name)),
        operations: found.operations.map((operation) => named(operation, name)),
        findings: this.#present(found.findings, params, file),
      };
    });
  }

  /** The verdict of `check`. */
  verdict(params: Values): Promise<ExploredVerdict> {
    const number = ++this.#checks;
    const { file, kernel, loadAgain } = this.#loaded;
    const { now, pause } = this.#host;
    return this.#inTurn(async () => {
      const shouldStop = (): boolean => this.#checks !== number;
      const result = await this.#guarded(() =>
        check(kernel, {
          params,
          now,
          pause,
          shouldStop,
          timeoutMs: CHECK_MS,
          shrinkTries: SHRINK_TRIES,
          ...(loadAgain !== undefined && { loadAgain }),
        }),
      );
      const findings = this.#present(result.findings, params, file);
      // Their schedules are replayed when they are shown.
      const short = findings.map(({ trace: _trace, standing: _standing, ...rest }) => rest);
      const { verdict, params: values } = result;
      return { verdict, statement: statement(result), params: values, findings: short };
    });
  }

  /** The text of a file that a state or finding has named; `null` where it is not here. */
  source(file: string): string | null {
    if (!this.#named.has(file)) throw new InputError(`${file} is no source of this kernel`);
    try {
      return readFileSync(resolve(this.#host.cwd, file), 'utf8');
    } catch {
      return null;
    }
  }

  readonly #known = (file: string): string => {
    const name = this.#name(file);
    this.#named.add(name);
    return name;
  };

  #present(findings: readonly Finding[], params: Values, file: string): Finding[] {
    return presentFindings(findings, file, params, this.#known);
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#host.guarded(this.#loaded.file, work, CHECK_MS);
  }

  /** The code of a kernel is not called twice at the same time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

function named<T extends { readonly file?: string }>(one: T, name: (file: string) => string): T {
  return one.file === undefined ? one : { ...one, file: name(one.file) };
}
