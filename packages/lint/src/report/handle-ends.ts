// What becomes of the handle in a variable, path by path: the language server shows it.
import type { FlowState, HandleStatus, Instance, SourceRange } from '../flow/state.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';

/** The end of a variable on some path, while it held a handle. */
export interface HandleEnd {
  readonly instance: Instance;
  /** `lost`: nothing holds it any more, and it was not released. */
  readonly ending: 'lost' | 'returned' | Exclude<HandleStatus, 'live' | 'pending'>;
  /** Where it was released, handed over or returned, or where the path leaves that loses it. */
  readonly at: SourceRange | undefined;
  /** The line at `at` may throw, or its promise may be rejected. */
  readonly failure: string | undefined;
}

/** The ends of variables that held handles. */
export class HandleEnds {
  readonly #ends = new Map<Variable, Map<string, HandleEnd>>();

  /** Notes that a variable ends; `after` is the state without it. */
  add(variable: Variable, instance: Instance, before: FlowState, after: FlowState): void {
    const end = endOf(variable, instance, before, after);
    if (end === undefined) return;
    const { ending, at, failure } = end;
    const known = this.#ends.get(variable) ?? new Map<string, HandleEnd>();
    this.#ends.set(variable, known);
    known.set([instance.site.start, ending, at?.start, failure].join(':'), end);
  }

  /** By variable. */
  all(): ReadonlyMap<Variable, readonly HandleEnd[]> {
    return new Map([...this.#ends].map(([variable, ends]) => [variable, [...ends.values()]]));
  }

  /** Forgets the variables of a file, and those outside functions. */
  forget(file: SourceFile | undefined): void {
    for (const variable of this.#ends.keys()) {
      if (variable.home === undefined || variable.home.file === file) this.#ends.delete(variable);
    }
  }
}

/** `undefined` where another variable still holds it, or nothing is owed. */
function endOf(
  { form }: Variable,
  instance: Instance,
  { result, exit, cause }: FlowState,
  { instances }: FlowState,
): HandleEnd | undefined {
  const { id, status, at, isGuess } = instance;
  if (isGuess || status === 'idle') return undefined;
  if (status !== 'live' && status !== 'pending') {
    const isScoped = status === 'released' && form === 'using';
    return { instance, ending: isScoped ? 'scoped' : status, at, failure: undefined };
  }
  if (result.k === 'ref' && result.id === id) {
    return { instance, ending: 'returned', at: exit, failure: undefined };
  }
  if (instances.has(id)) return undefined;
  const left =
    cause === undefined ? exit : { file: cause.file, start: cause.start, end: cause.start };
  return { instance, ending: 'lost', at: left, failure: cause?.what };
}
