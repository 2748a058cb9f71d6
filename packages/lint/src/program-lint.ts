// Lint beside a tool that comes to one file after the other, as ESLint does: each file is analysed
// when it is asked for, with what is known of all the others.
import { analyse, Collection, tell, worldOf, type LintOptions, type Told } from './lint.ts';
import { askingNewest } from './latest-program.ts';
import type { ProjectWorld } from './project/project.ts';
import type { SourceProgram } from './typescript/program.ts';

/**
 * The findings of one program, file by file. Asking for all of its files costs what `lintProgram`
 * costs for them, and finds the same.
 *
 * @example
 * const lint = new ProgramLint(classicProgram(ts, program, []));
 * for (const { finding } of lint.lint('/src/orders.ts')) console.log(finding.message);
 */
export class ProgramLint {
  readonly #options: LintOptions;
  readonly #world: ProjectWorld;
  #program: SourceProgram;
  #found = new Collection();

  constructor(program: SourceProgram, options: LintOptions = {}) {
    this.#program = program;
    this.#options = options;
    const asking = askingNewest(program, () => this.#program);
    this.#world = worldOf(asking, options, (each) => this.#found.add(each));
  }

  /** The findings of a file, in their order. */
  lint(path: string): readonly Told[] {
    this.#found = new Collection();
    const file = this.#world.files.find((each) => each.path === path);
    // A file that was not read has no handle in it.
    if (file === undefined) return [];
    analyse(this.#world, file, this.#options);
    return tell(this.#found.in(path)).told;
  }

  /** Goes on with a program in which one file is another; see `ProjectWorld.replace`. */
  follow(program: SourceProgram, path: string): void {
    this.#program = program;
    const file = program.read(path);
    if (file !== undefined) this.#world.replace(file);
  }
}
