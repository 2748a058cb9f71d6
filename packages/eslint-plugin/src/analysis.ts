// One analysis for each program: its files are walked when ESLint comes to them, and what `--fix`
// changes on the way is followed.
import { classicProgram, type ClassicProgram, type LintOptions } from '@poundlock/lint';
import { ProgramLint, type Told } from '@poundlock/lint/internal';
import { compilerOf } from './compiler.ts';

/** More changes than this between two looks are another state of the project. */
const MAX_CHANGES = 8;

/**
 * What others say of a changed file is of its first version. That is good enough while a run with
 * `--fix` goes on, or somebody types; after a pause of this length, everything is looked at anew.
 */
const PAUSE_MS = 1000;

class Analysis {
  readonly options: LintOptions;
  readonly #lint: ProgramLint;
  #program: ClassicProgram;
  #hasChanged = false;
  #lookedAt = performance.now();

  constructor(program: ClassicProgram, options: LintOptions) {
    this.options = options;
    this.#program = program;
    const classic = classicProgram(compilerOf(program), program, []);
    this.#lint = new ProgramLint(classic, { ...options, onFailure: warn });
  }

  isOf(program: ClassicProgram, options: LintOptions): boolean {
    return this.#program === program && this.options === options;
  }

  /** Goes on to a program with few changes; whether it could. */
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

  /** Whether what it knows is still true, or at least new. */
  get isFresh(): boolean {
    return !this.#hasChanged || performance.now() - this.#lookedAt < PAUSE_MS;
  }

  look(path: string): readonly Told[] {
    const told = this.#lint.lint(path);
    this.#lookedAt = performance.now();
    return told;
  }
}

/** A bug of ours in one function is no reason to end a run of ESLint. */
function warn(path: string, error: unknown): void {
  const cause = error instanceof Error ? error.stack : String(error);
  process.emitWarning(`a function of ${path} could not be analysed: ${cause}`, 'PoundlockWarning');
}

const analyses = new WeakMap<ClassicProgram, Analysis>();
let latest: Analysis | undefined;

/** What is found in a file of a program. */
export function look(program: ClassicProgram, options: LintOptions, path: string): readonly Told[] {
  const own = analyses.get(program);
  if (own?.isOf(program, options)) latest = own;
  else if (latest?.options !== options || !latest.follow(program)) latest = undefined;
  if (!latest?.isFresh) latest = new Analysis(program, options);
  analyses.set(program, latest);
  return latest.look(path);
}

/** The files whose text differs; `undefined` where there are others. */
function changesBetween(one: ClassicProgram, other: ClassicProgram): string[] | undefined {
  const [before, after] = [one.getSourceFiles(), other.getSourceFiles()];
  if (before.length !== after.length) return undefined;
  const changes: string[] = [];
  for (const [index, file] of after.entries()) {
    const known = before[index]!;
    if (known.fileName !== file.fileName) return undefined;
    if (known !== file && known.text !== file.text) changes.push(file.fileName);
  }
  return changes;
}
