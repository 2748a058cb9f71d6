// One analysis for each program: files are analyzed when ESLint visits them, and the changes of
// `--fix` are applied incrementally.
import { classicProgram, type ClassicProgram, type LintOptions } from '@poundlock/lint';
import { ProgramLint, type LocatedFinding } from '@poundlock/lint/internal';
import { compilerOf } from './compiler.ts';

/** More changes than this between two files start a new analysis. */
const MAX_CHANGES = 8;

/**
 * Results about other files use the first version of a changed file. That is sufficient during a
 * run with `--fix` or while a user types; after a pause of this length, a new analysis starts.
 */
const PAUSE_MS = 1000;

class Analysis {
  readonly options: LintOptions;
  readonly #lint: ProgramLint;
  #program: ClassicProgram;
  #hasChanged = false;
  #analyzedAt = performance.now();

  constructor(program: ClassicProgram, options: LintOptions) {
    this.options = options;
    this.#program = program;
    const classic = classicProgram(compilerOf(program), program, []);
    this.#lint = new ProgramLint(classic, { ...options, onFailure: warn });
  }

  isOf(program: ClassicProgram, options: LintOptions): boolean {
    return this.#program === program && this.options === options;
  }

  /** Continues with a program with few changes; returns whether that is possible. */
  follow(program: ClassicProgram): boolean {
    const changes = changesBetween(this.#program, program);
    if (changes === undefined || changes.length > MAX_CHANGES) return false;
    this.#program = program;
    const classic = classicProgram(compilerOf(program), program, []);
    for (const path of changes) {
      this.#hasChanged = true;
      this.#lint.follow(classic, path);
    }
    return true;
  }

  /** Whether the results are exact, or at least recent. */
  get isFresh(): boolean {
    return !this.#hasChanged || performance.now() - this.#analyzedAt < PAUSE_MS;
  }

  findingsFor(path: string, isLinear: boolean): readonly LocatedFinding[] {
    const findings = isLinear ? this.#lint.linear(path) : this.#lint.lint(path);
    this.#analyzedAt = performance.now();
    return findings;
  }
}

/** An internal error in one function must not end a run of ESLint. */
function warn(path: string, error: unknown): void {
  const cause = error instanceof Error ? error.stack : String(error);
  process.emitWarning(`a function of ${path} could not be analyzed: ${cause}`, 'PoundlockWarning');
}

const analyses = new WeakMap<ClassicProgram, Analysis>();
let latest: Analysis | undefined;

/** The findings in a file of a program. */
export function findingsFor(
  program: ClassicProgram,
  options: LintOptions,
  path: string,
  isLinear = false,
): readonly LocatedFinding[] {
  const existing = analyses.get(program);
  if (existing?.isOf(program, options)) latest = existing;
  else if (latest?.options !== options || !latest.follow(program)) latest = undefined;
  if (!latest?.isFresh) latest = new Analysis(program, options);
  analyses.set(program, latest);
  return latest.findingsFor(path, isLinear);
}

/** The files whose text differs; `undefined` if the lists of files differ. */
function changesBetween(first: ClassicProgram, second: ClassicProgram): string[] | undefined {
  const [before, after] = [first.getSourceFiles(), second.getSourceFiles()];
  if (before.length !== after.length) return undefined;
  const changes: string[] = [];
  for (const [index, file] of after.entries()) {
    const earlier = before[index]!;
    if (earlier.fileName !== file.fileName) return undefined;
    if (earlier !== file && earlier.text !== file.text) changes.push(file.fileName);
  }
  return changes;
}
