// What a page asks for: states, verdicts, and the sources that they name.
import { InputError, type Position } from '@poundlock/core/internal/base';
import type { CheckResult, Finding, TextHash } from '@poundlock/core/internal/finding';
import { resolveParameters, type Kernel } from '@poundlock/core/internal/program';
import { check } from '../check/index.ts';
import { presentFinding, type Command } from '../report/index.ts';
import { partsOf } from '../report/verdict.ts';
import type { ModelName } from '../simulate/index.ts';
import { exampleToken, explore } from './explore.ts';
import { simulated, whatIf, type ExploredSimulation, type WhatIf } from './simulation.ts';
import type { ExploredKernel, ExploredState, ExploredVerdict, Values } from './state.ts';

/** The kernel that is explored, and how it is loaded another time. */
export interface Loaded {
  readonly file: string;
  readonly kernel: Kernel;
  readonly texts: readonly TextHash[];
  readonly loadAgain?: () => Promise<Kernel>;
}

/** Where a session runs: files, a clock, and what stops code that does not return. */
export interface SessionHost {
  /** How a file is named on the page. */
  readonly name: (file: string) => string;
  /** The text of a file by that name; `null` where it is not here. */
  readonly read: (name: string) => string | null;
  readonly now: () => number;
  readonly pause: () => Promise<void>;
  /** Runs work that calls the code of the program text. */
  readonly guarded: <T>(work: () => Promise<T>, timeoutMs: number) => Promise<T>;
  /** The command that replays a token with these parameters. */
  readonly commandFor: (params: Values) => Command;
}

/** How long a verdict may take. */
const CHECK_MS = 60_000;
/** The tries for smaller parameters: none, since a finding is wanted for these. */
const SHRINK_TRIES = 0;

/** Answers the requests of one page, one after the other. */
export class ExploreSession {
  readonly #host: SessionHost;
  readonly #loaded: Loaded;
  /** The files that a state or a finding has named: no others can be read. */
  readonly #named = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  /** Counts requests for verdicts: a newer one stops the one before it. */
  #checks = 0;

  constructor(host: SessionHost, loaded: Loaded) {
    this.#host = host;
    this.#loaded = loaded;
    this.#named.add(loaded.file);
  }

  /** What is explored. */
  kernel(): ExploredKernel {
    const { file, kernel, texts } = this.#loaded;
    const { values } = resolveParameters(kernel, {});
    return { file, kernel: kernel.name, parameters: values, texts };
  }

  /** The state after a schedule. */
  state(params: Values, token: string): Promise<ExploredState> {
    const { kernel } = this.#loaded;
    return this.#inTurn(async () => {
      const found = await this.#guarded(() => explore(kernel, params, token));
      const name = this.#known;
      return {
        ...found,
        trace: found.trace.map((step) => named(step, name)),
        moves: found.moves.map((move) => named(move, name)),
        operations: found.operations.map((operation) => named(operation, name)),
        findings: this.#present(found.findings, params),
      };
    });
  }

  /** The verdict of `check`. */
  verdict(params: Values): Promise<ExploredVerdict> {
    const number = ++this.#checks;
    const { kernel, loadAgain } = this.#loaded;
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
      const parts = partsOf(this.#shown(result, params));
      const { verdict, params: values } = result;
      if (verdict === 'counterexample') return { ...parts, params: values };
      const example = await this.#guarded(() => exampleToken(kernel, params));
      return { ...parts, params: values, ...(example !== '' && { example }) };
    });
  }

  /** A result with names of the page; schedules are replayed when they are shown. */
  #shown(result: CheckResult, params: Values): CheckResult {
    const { texts } = this.#loaded;
    const findings = this.#present(result.findings, params).map(
      ({ trace: _trace, standing: _standing, ...rest }) => rest,
    );
    const assumptions = result.scope.assumptions.map(({ place, ...rest }) =>
      place === undefined ? rest : { ...rest, place: named(place, this.#known) },
    );
    return { ...result, scope: { ...result.scope, assumptions }, findings, texts };
  }

  /** A simulated run. */
  simulation(params: Values, model: ModelName): Promise<ExploredSimulation> {
    const { kernel } = this.#loaded;
    return this.#inTurn(async () => {
      const found = await this.#guarded(async () => simulated(kernel, params, model, this.#known));
      return { ...found, lines: found.lines.map((line) => named(line, this.#known)) };
    });
  }

  /** What other stages and release points would cost. */
  whatIf(params: Values, model: ModelName): Promise<WhatIf> {
    const { kernel } = this.#loaded;
    return this.#inTurn(() => this.#guarded(() => whatIf(kernel, params, model, this.#known)));
  }

  /** The text of a file that a state or finding has named; `null` where it is not here. */
  source(file: string): string | null {
    if (!this.#named.has(file)) throw new InputError(`${file} is no source of this kernel`);
    return this.#host.read(file);
  }

  readonly #known = (file: string): string => {
    const name = this.#host.name(file);
    this.#named.add(name);
    return name;
  };

  #present(findings: readonly Finding[], params: Values): Finding[] {
    const command = this.#host.commandFor(params);
    return findings.map((finding) => presentFinding(finding, this.#known, command));
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#host.guarded(work, CHECK_MS);
  }

  /** The code of a kernel is not called twice at the same time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

function named<T extends Partial<Position>>(one: T, name: (file: string) => string): T {
  const { file, ptx } = one;
  if (file === undefined) return one;
  return { ...one, file: name(file), ...(ptx && { ptx: { ...ptx, file: name(ptx.file) } }) };
}
