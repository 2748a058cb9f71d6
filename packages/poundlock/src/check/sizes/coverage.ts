// How much of a kernel as built was executed, as one number over all sizes and launches tried.
import type { CoveredForm, ResultCoverage } from '@poundlock/core/internal/finding';
import type {
  InstructionForm,
  Kernel,
  KernelReference,
  ReferenceCoverage,
  ResolvedParameters,
} from '@poundlock/core/internal/program';

/** The union of what several runs of one kernel executed. */
export class Coverage {
  readonly #sizes = new Set<string>();
  #first: ReferenceCoverage | null = null;
  #reached = new Uint8Array(0);

  /** Adds the run of a kernel with parameters; `launch` is its name where there are several. */
  add({ reference }: Kernel, { values }: ResolvedParameters, launch = ''): void {
    if (reference !== undefined)
      this.addRun(reference(values), `${launch} ${JSON.stringify(values)}`);
  }

  /** Adds a run, by a name that is one for each size of a launch. */
  addRun({ coverage }: KernelReference, name: string): void {
    if (coverage === null) return;
    this.#sizes.add(name);
    this.#merge(coverage);
  }

  #merge(coverage: ReferenceCoverage): void {
    if (this.#first === null) {
      this.#first = coverage;
      this.#reached = coverage.reached.slice();
      return;
    }
    if (coverage.reached.length !== this.#reached.length) return;
    for (const [at, flag] of coverage.reached.entries()) this.#reached[at]! |= flag;
  }

  /** What all of them executed; `undefined` where nothing was run. */
  get result(): ResultCoverage | undefined {
    if (this.#first === null) return undefined;
    const { synchronizing, placeOf, formOf } = this.#first;
    const missed = synchronizing.filter((at) => this.#reached[at] === 0).map(placeOf);
    return {
      sizes: this.#sizes.size,
      instructions: this.#reached.length,
      reached: this.#reached.reduce((sum, flag) => sum + flag, 0),
      synchronizing: synchronizing.length,
      synchronizingReached: synchronizing.length - missed.length,
      missed: missed.map(({ opcode, textLine, position: { file, line, column } }) => {
        return { opcode, ptxLine: textLine, file, line, column };
      }),
      ...(formOf === undefined ? {} : { forms: this.#forms(formOf) }),
    };
  }

  /** The forms of all instructions, the most frequent first. */
  #forms(formOf: (instruction: number) => InstructionForm): CoveredForm[] {
    const forms = new Map<string, { -readonly [Key in keyof CoveredForm]: CoveredForm[Key] }>();
    for (const [at, flag] of this.#reached.entries()) {
      const { form, status } = formOf(at);
      let counts = forms.get(form);
      if (counts === undefined) forms.set(form, (counts = { form, count: 0, executed: 0, status }));
      counts.count++;
      counts.executed += flag;
    }
    return [...forms.values()].toSorted((one, other) => other.count - one.count);
  }
}
