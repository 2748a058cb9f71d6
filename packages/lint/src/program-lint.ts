// Lint for tools that visit one file after the other, such as ESLint: each file is analyzed on
// request, with the summaries of all others.
import {
  analyzeProjectFile,
  FindingCollection,
  reportFindings,
  worldOf,
  type LintOptions,
  type LocatedFinding,
} from './lint.ts';
import { latestProgram } from './latest-program.ts';
import type { ProjectWorld } from './project/project.ts';
import type { SourceProgram } from './typescript/program.ts';

/**
 * The findings of one program, file by file. Requesting all files costs as much as `lintProgram`
 * and returns the same findings.
 *
 * @example
 * const lint = new ProgramLint(classicProgram(ts, program, []));
 * for (const { finding } of lint.lint('/src/orders.ts')) console.log(finding.message);
 */
export class ProgramLint {
  readonly #options: LintOptions;
  readonly #world: ProjectWorld;
  #program: SourceProgram;
  #found = new FindingCollection();

  constructor(program: SourceProgram, options: LintOptions = {}) {
    this.#program = program;
    this.#options = options;
    const latest = latestProgram(program, () => this.#program);
    this.#world = worldOf(latest, options, (finding) => this.#found.add(finding));
  }

  /** The findings of a file, sorted by position. */
  lint(path: string): readonly LocatedFinding[] {
    this.#found = new FindingCollection();
    const file = this.#world.files.find((candidate) => candidate.path === path);
    // A file that was not read contains no handles.
    if (file === undefined) return [];
    analyzeProjectFile(this.#world, file, this.#options);
    return reportFindings(this.#found.in(path)).reported;
  }

  /** Continues with a program in which one file was replaced; see `ProjectWorld.replace`. */
  follow(program: SourceProgram, path: string): void {
    this.#program = program;
    const file = program.read(path);
    if (file !== undefined) this.#world.replace(file);
  }
}
