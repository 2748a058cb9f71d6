// Lint beside an editor. Typing in a file is followed at once, with what was known of the other
// files; `settle` looks at everything again and finds what the command line would.
import { analyse, Collection, tell, worldOf, type LintOptions, type Told } from './lint.ts';
import { askingNewest } from './latest-program.ts';
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
  #found = new Collection();

  /** What `onCheckpoint` throws ends the work; `settle` leaves everything as it was before. */
  constructor(options: LintOptions) {
    this.#options = options;
  }

  /** The findings of every file that was asked for. */
  settle(program: SourceProgram): Map<string, Told[]> {
    const asked = new Set(program.asked);
    this.#program = program;
    this.#found = new Collection();
    const asking = askingNewest(program, () => this.#program ?? program);
    const world = worldOf(asking, this.#options, (each) => this.#found.add(each));
    // Looking at one file may show that another is worth reading.
    for (const file of world.files) if (asked.has(file.path)) analyse(world, file, this.#options);
    this.#world = world;
    return new Map(program.asked.map((path) => [path, tell(this.#found.in(path)).told]));
  }

  /** The findings of a file that alone has changed; `undefined` when all has to be looked at. */
  follow(program: SourceProgram, path: string): Told[] | undefined {
    const world = this.#world;
    if (world === undefined) return undefined;
    this.#program = program;
    this.#found = new Collection();
    const file = program.read(path);
    if (file === undefined) return undefined;
    // What fails halfway leaves a world that nobody should ask again.
    this.#world = undefined;
    world.replace(file);
    analyse(world, file, this.#options);
    this.#world = world;
    return tell(this.#found.in(path)).told;
  }
}
