// Incremental lint for editors: `follow` analyzes the edited file with the known results of the
// others; `settle` analyzes all files again and finds what the command line finds.
import {
  analyzeProjectFile,
  FindingCollection,
  proofOf,
  reportFindings,
  soundTierOf,
  worldOf,
  type LintOptions,
  type LocatedFinding,
} from './lint.ts';
import { latestProgram } from './latest-program.ts';
import type { FlowFinding } from './flow/report.ts';
import type { ProjectWorld } from './project/project.ts';
import { HandleEnds } from './report/handle-ends.ts';
import { hoversOf, type Hover } from './report/hover.ts';
import type { SourceProgram } from './typescript/program.ts';

/**
 * The findings of one project, version after version.
 *
 * @example
 * const lint = new LiveLint({ strict: true });
 * lint.settle(program);            // all requested files of the program
 * lint.follow(changed, path);      // and after each change of one file, that file
 */
export class LiveLint {
  readonly #options: LintOptions;
  #program: SourceProgram | undefined;
  #world: ProjectWorld | undefined;
  #found = new FindingCollection();
  #ends = new HandleEnds();

  /** An exception from `onCheckpoint` cancels the analysis; a canceled `settle` has no effect. */
  constructor(options: LintOptions) {
    this.#options = options;
  }

  /** The findings of every requested file. */
  settle(program: SourceProgram): Map<string, LocatedFinding[]> {
    const requested = new Set(program.requested);
    this.#program = program;
    this.#found = new FindingCollection();
    const ends = new HandleEnds();
    const latest = latestProgram(program, () => this.#program ?? program);
    const report = (finding: FlowFinding): void => this.#found.add(finding);
    const world = worldOf(latest, this.#options, report, ends);
    // Analyzing one file may load another.
    for (const file of world.files)
      if (requested.has(file.path)) analyzeProjectFile(world, file, this.#options);
    this.#world = world;
    this.#ends = ends;
    return new Map(program.requested.map((path) => [path, this.#reported(program, world, path)]));
  }

  /** The findings of the only changed file; `undefined` when a full analysis is needed. */
  follow(program: SourceProgram, path: string): LocatedFinding[] | undefined {
    const world = this.#world;
    if (world === undefined) return undefined;
    this.#program = program;
    this.#found = new FindingCollection();
    const file = program.read(path);
    if (file === undefined) return undefined;
    // A canceled analysis leaves an inconsistent project, which is discarded.
    this.#world = undefined;
    this.#ends.forget(world.files.find((each) => each.path === path));
    world.replace(file);
    analyzeProjectFile(world, file, this.#options);
    this.#world = world;
    return this.#reported(program, world, path);
  }

  /** What variables with handles show, in a file that was analyzed. */
  hovers(path: string): Hover[] {
    const file = this.#world?.files.find((each) => each.path === path);
    return file === undefined ? [] : hoversOf(file, this.#ends.all());
  }

  /** The findings of a file, or what is refused in one that has to be proved. */
  #reported(program: SourceProgram, world: ProjectWorld, path: string): LocatedFinding[] {
    const options = this.#options;
    const tier = soundTierOf(program, world, options);
    const proof = proofOf(path, { text: program.text, world, tier, options });
    return [...(proof ?? reportFindings(this.#found.in(path), world)).reported];
  }
}
