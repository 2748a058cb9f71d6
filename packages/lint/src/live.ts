// Lint beside an editor. Typing in a file is followed at once, with what was known of the other
// files; `settle` looks at everything again and finds what the command line would.
import {
  analyse,
  FindingCollection,
  reportFindings,
  worldOf,
  type LintOptions,
  type ReportedFinding,
} from './lint.ts';
import { latestProgram } from './latest-program.ts';
import type { ProjectWorld } from './project/project.ts';
import type { SourceProgram } from './typescript/program.ts';

/**
 * The findings of one project, version after version.
 *
 * @example
 * const lint = new LiveLint({ strict: true });
 * lint.settle(program);            // everything that the program asks for
 * lint.follow(changed, path);      // and after each change of one file, that file
 */
export class LiveLint {
  readonly #options: LintOptions;
  #program: SourceProgram | undefined;
  #world: ProjectWorld | undefined;
  #found = new FindingCollection();

  /** What `onCheckpoint` throws ends the work; `settle` leaves everything as it was before. */
  constructor(options: LintOptions) {
    this.#options = options;
  }

  /** The findings of every file that was asked for. */
  settle(program: SourceProgram): Map<string, ReportedFinding[]> {
    const requested = new Set(program.requested);
    this.#program = program;
    this.#found = new FindingCollection();
    const latest = latestProgram(program, () => this.#program ?? program);
    const world = worldOf(latest, this.#options, (each) => this.#found.add(each));
    // Looking at one file may show that another is worth reading.
    for (const file of world.files)
      if (requested.has(file.path)) analyse(world, file, this.#options);
    this.#world = world;
    return new Map(
      program.requested.map((path) => [path, reportFindings(this.#found.in(path)).reported]),
    );
  }

  /** The findings of a file that alone has changed; `undefined` when all has to be looked at. */
  follow(program: SourceProgram, path: string): ReportedFinding[] | undefined {
    const world = this.#world;
    if (world === undefined) return undefined;
    this.#program = program;
    this.#found = new FindingCollection();
    const file = program.read(path);
    if (file === undefined) return undefined;
    // What fails halfway leaves a world that nobody should ask again.
    this.#world = undefined;
    world.replace(file);
    analyse(world, file, this.#options);
    this.#world = world;
    return reportFindings(this.#found.in(path)).reported;
  }
}
