// The context in which one function is lowered to the core language: operations, temporary places,
// and which variables have a place at all.
import type { At, Operation, Place, Step } from '../calculus/core.ts';
import type { Expression, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { SoundProject } from './project.ts';
import type { Self } from './classes.ts';

/** A place that never holds anything: what is outside. */
export const NOWHERE: Place = '?';
export const THIS: Place = 'this';

/** What `break` and `continue` leave. */
export interface Target {
  readonly name: string | undefined;
  readonly end: string;
  readonly next: string | undefined;
}

export class Lower {
  readonly project: SoundProject;
  readonly file: SourceFile;
  readonly fn: FunctionNode | undefined;
  /** The class whose fields have places, in its methods. */
  readonly self: Self | undefined;
  readonly locals = new Set<Place>();
  readonly flags = new Set<string>();
  readonly targets: Target[] = [];
  steps: Step[] = [];
  #temporary: Place[] = [];
  readonly #valueOf: (to: Lower, node: Expression) => Place | undefined;

  constructor(
    project: SoundProject,
    file: SourceFile,
    fn: FunctionNode | undefined,
    self: Self | undefined,
    valueOf: (to: Lower, node: Expression) => Place | undefined,
  ) {
    this.#valueOf = valueOf;
    this.project = project;
    this.file = file;
    this.fn = fn;
    this.self = self;
  }

  /** The place of an expression's value; what has no identity has none. */
  value(node: Expression): Place | undefined {
    return this.#valueOf(this, node);
  }

  at({ start, end }: Pick<Node, 'start' | 'end'>): At {
    return { start, end, file: this.file };
  }

  emit(operation: Operation, node: Pick<Node, 'start' | 'end'>): void {
    this.steps.push({ ...operation, at: this.at(node) });
  }

  temporary(): Place {
    const place = this.project.newPlace();
    this.#temporary.push(place);
    this.locals.add(place);
    return place;
  }

  /** The operations that a function emits, apart from the others. */
  apart(run: () => void): Step[] {
    const outer = this.steps;
    this.steps = [];
    run();
    const inner = this.steps;
    this.steps = outer;
    return inner;
  }

  /** A statement: its temporary places end with it. */
  statement(node: Pick<Node, 'start' | 'end'>, run: () => void): void {
    const outer = this.#temporary;
    this.#temporary = [];
    run();
    if (this.#temporary.length > 0) this.emit({ k: 'clear', xs: this.#temporary }, node);
    this.#temporary = outer;
  }

  label(node: Node): string {
    return `${node.start}-${this.project.newPlace()}`;
  }

  /** The place of a variable of this function, or of one around it. */
  placeOf(variable: Variable | undefined): Place | undefined {
    if (variable === undefined || isOutside(variable)) return undefined;
    const place = `${variable.name}#${variable.id}`;
    if (variable.home === this.fn) this.locals.add(place);
    return place;
  }

  /** The name of a fact about a variable; of one that other code may change, none. */
  factOf(variable: Variable | undefined): string | undefined {
    if (variable === undefined) return undefined;
    const isFixed = variable.assignments === 0 && variable.form !== 'import';
    return isFixed || !isOutside(variable) ? `is ${variable.id}` : undefined;
  }

  refuse(ys: readonly Place[] | undefined, why: string, node: Pick<Node, 'start' | 'end'>): void {
    this.emit({ k: 'refuse', ys, why }, node);
  }

  kindOf(node: Expression): ReturnType<SoundProject['types']['kind']> {
    return this.project.types.kind(this.project.types.of(node));
  }
}

/** A variable of a module, which others may read and change. */
export function isOutside({ home, form }: Variable): boolean {
  return home === undefined || form === 'import';
}
