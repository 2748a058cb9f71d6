// Lint for tools that visit one file after the other, such as ESLint: each file is analyzed on
// request, with the summaries of all others.
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
import type { ProjectWorld } from './project/project.ts';
import { LinearTypes } from './sound/linear-types.ts';
import type { SoundTier } from './sound/tier.ts';
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
  #tier: SoundTier;
  #linear: LinearTypes | undefined;

  constructor(program: SourceProgram, options: LintOptions = {}) {
    this.#program = program;
    this.#options = options;
    const latest = latestProgram(program, () => this.#program);
    this.#world = worldOf(latest, options, (finding) => this.#found.add(finding));
    this.#tier = soundTierOf(program, this.#world, options);
  }

  /** The findings of a file, sorted by position. */
  lint(path: string): readonly LocatedFinding[] {
    const { text } = this.#program;
    const parts = { text, world: this.#world, tier: this.#tier, options: this.#options };
    const proof = proofOf(path, parts);
    if (proof !== undefined) return proof.reported;
    this.#found = new FindingCollection();
    const file = this.#world.files.find((candidate) => candidate.path === path);
    // A file that was not read contains no handles.
    if (file === undefined) return [];
    analyzeProjectFile(this.#world, file, this.#options);
    const linear = this.#linearTypes();
    const { reported } = reportFindings(linear.others(this.#found.in(path)), this.#world);
    return [...reported, ...linear.reported(path)];
  }

  #linearTypes(): LinearTypes {
    const { oracle, text } = this.#program;
    const { tier, declarations = [] } = this.#options;
    this.#linear ??= new LinearTypes(this.#world, oracle, tier, declarations.map(text));
    return this.#linear;
  }

  /** What the sound tier finds in a file, whether the file asks for it or not. */
  linear(path: string): readonly LocatedFinding[] {
    const file = this.#world.open(path);
    return file === undefined ? [] : this.#tier.report(file).reported;
  }

  /** Continues with a program in which one file was replaced; see `ProjectWorld.replace`. */
  follow(program: SourceProgram, path: string): void {
    this.#program = program;
    const file = program.read(path);
    if (file !== undefined) this.#world.replace(file);
    this.#tier = soundTierOf(program, this.#world, this.#options);
    this.#linear = undefined;
  }
}
