// The sound tier of a project: the files that ask for it, their findings, and what is proved.
import type { Refusal } from '../calculus/rules.ts';
import type { TypeOracle } from '../oracle.ts';
import type { LocatedFinding } from '../lint.ts';
import type { ProjectWorld } from '../project/project.ts';
import { suppressionsIn, verdictOn } from '../suppress.ts';
import type { SourceFile } from '../syntax/node.ts';
import { refusalsIn } from './check-file.ts';
import { suggestionsFor } from './fixes.ts';
import { findingOf, placeOfRefusal } from './messages.ts';
import { SoundProject } from './project.ts';

/** Which calls may throw: every one that does not say otherwise, or those of the default tier. */
export type SoundMode = 'calls' | 'raises';

export interface SoundChoice {
  /** All files, with these calls that throw. */
  readonly mode: SoundMode | undefined;
  /** The files that the configuration names. */
  readonly files: readonly string[];
  /** Only values of types with `@linear` are followed, in any file. */
  readonly onlyLinear?: boolean;
}

/** What was proved in sound files. */
export interface SoundCoverage {
  /** The files in the sound tier. */
  readonly files: number;
  /** Handles of files in which nothing is refused or suppressed. */
  readonly proved: number;
  /** Places without a proof. */
  readonly refused: number;
  /** Places that comments suppress. */
  readonly suppressed: number;
  /** Functions with too many situations. */
  readonly bounds: number;
}

export const NO_COVERAGE: SoundCoverage = {
  files: 0,
  proved: 0,
  refused: 0,
  suppressed: 0,
  bounds: 0,
};

/** The findings of one file. */
export interface SoundReport {
  readonly reported: readonly LocatedFinding[];
  readonly suppressed: number;
  readonly coverage: SoundCoverage;
}

const MAX_SITUATIONS = 64;
const MAX_IN_ALL = 20_000;

/** The directive that puts a file into the sound tier. */
const DIRECTIVE = 'poundlock/linear';

/** Whether the text of a file may have the directive. */
export function mentionsDirective(text: string): boolean {
  return text.includes(DIRECTIVE);
}

export class SoundTier {
  readonly #project: SoundProject;
  readonly #choice: SoundChoice;
  readonly #files: ReadonlySet<string>;
  readonly #handles = new Set<string>();

  constructor(world: ProjectWorld, oracle: TypeOracle, choice: SoundChoice) {
    this.#choice = choice;
    this.#files = new Set(choice.files);
    this.#project = new SoundProject(world, oracle, {
      cap: MAX_SITUATIONS,
      total: MAX_IN_ALL,
      weakened: undefined,
      onlyLinear: choice.onlyLinear ?? false,
      strict: choice.mode !== 'raises',
      onHandle: ({ file, start }) => this.#handles.add(`${(file as SourceFile).path}:${start}`),
    });
  }

  /** Whether a file is to be proved. */
  has(file: SourceFile): boolean {
    if (file.isDeclarations) return false;
    return this.mayHave(file.path) || hasDirective(file);
  }

  /** Whether options or the configuration name a file. */
  mayHave(path: string): boolean {
    return this.#choice.mode !== undefined || this.#files.has(path);
  }

  report(file: SourceFile): SoundReport {
    return this.#reportOf(refusalsIn(this.#project, file), file);
  }

  /** The report on a file that could not be judged: nothing in it is proved. */
  failed(file: SourceFile): SoundReport {
    const at = { start: 0, end: 0, file };
    const why = 'poundlock failed, see above';
    return this.#reportOf([{ wrong: 'refused', why, at, origin: undefined }], file);
  }

  #reportOf(refusals: readonly Refusal[], file: SourceFile): SoundReport {
    const suppressions = suppressionsIn(file.text);
    const reported: LocatedFinding[] = [];
    let suppressed = 0;
    for (const refusal of refusals) {
      const fixes = suggestionsFor(this.#project, refusal, file);
      const finding = { ...findingOf(refusal, file), fixes };
      const { start, end } = placeOfRefusal(refusal, file);
      if (verdictOn(finding, suppressions) === 'suppressed') suppressed++;
      else reported.push({ finding, start, end });
    }
    reported.sort((a, b) => a.start - b.start);
    const isProved = refusals.length === 0;
    const own = [...this.#handles].filter((key) => key.startsWith(`${file.path}:`));
    const bounds = refusals.filter(({ wrong }) => wrong === 'bound').length;
    const proved = isProved ? own.length : 0;
    const coverage = { files: 1, proved, refused: reported.length, suppressed, bounds };
    return { reported, suppressed, coverage };
  }
}

/** `'poundlock/linear';` among the directives at the top of a file. */
function hasDirective({ body }: SourceFile): boolean {
  for (const statement of body.statements) {
    const value =
      statement.kind === 'expression' && statement.expression.kind === 'literal'
        ? statement.expression.value
        : undefined;
    if (typeof value !== 'string') return false;
    if (value === DIRECTIVE) return true;
  }
  return false;
}

/** The sum of what was proved. */
export function sumOf(parts: readonly SoundCoverage[]): SoundCoverage {
  return parts.reduce(
    (sum, part) => ({
      files: sum.files + part.files,
      proved: sum.proved + part.proved,
      refused: sum.refused + part.refused,
      suppressed: sum.suppressed + part.suppressed,
      bounds: sum.bounds + part.bounds,
    }),
    NO_COVERAGE,
  );
}
