// The variables that a function takes from the functions around it: by value where they never
// change, and as variables where they do.
import { forEachChild } from '../syntax/children.ts';
import type {
  ClassNode,
  FunctionNode,
  MemberExpression,
  Name,
  Node,
  SourceFile,
} from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { isOutside } from './lower.ts';

export interface Captures {
  /** Never assigned after the function was created; with a name that has its type. */
  readonly values: readonly Name[];
  readonly variables: readonly Name[];
  /** Variables without identity that the function assigns. */
  readonly assigned: readonly Variable[];
  /** An arrow function in which `this` is that of the function around it. */
  readonly usesThis: boolean;
  /** Parts of `this` that it reads or writes. */
  readonly parts: readonly MemberExpression[];
}

interface Found {
  readonly names: Map<Variable, Name[]>;
  readonly assigned: Set<Variable>;
  readonly parts: MemberExpression[];
  usesThis: boolean;
}

/** Where variables and functions begin to be there. */
export class Positions {
  readonly #variables = new Map<Variable, number>();
  readonly #functions = new Map<FunctionNode | ClassNode, number>();
  readonly #parents = new Map<FunctionNode, ClassNode>();

  constructor(file: SourceFile) {
    this.#walk(file.body, 0);
  }

  #walk(node: Node, block: number): void {
    if (node.kind === 'variables') {
      for (const { target } of node.declarations) this.#declare(target, node.start);
    }
    if (node.kind === 'function') {
      for (const { target } of node.parameters) this.#declare(target, node.start);
    }
    if (node.kind === 'declaration') this.#functions.set(node.declaration, block);
    if (node.kind === 'class') for (const fn of node.methods) this.#parents.set(fn, node);
    if (node.kind === 'try' && node.parameter) this.#declare(node.parameter, node.start);
    const inner = node.kind === 'block' ? node.start : block;
    forEachChild(node, (child) => this.#walk(child, inner));
  }

  #declare(node: Node, start: number): void {
    if (node.kind === 'name' && node.variable !== undefined) {
      if (!this.#variables.has(node.variable)) this.#variables.set(node.variable, start);
    }
    if (node.kind === 'objectPattern') {
      for (const { target } of node.properties) this.#declare(target, start);
    }
    if (node.kind === 'arrayPattern') {
      for (const element of node.elements) if (element) this.#declare(element.target, start);
    }
  }

  /** The class that a function is a method of. */
  classOf(fn: FunctionNode): ClassNode | undefined {
    return this.#parents.get(fn);
  }

  /** Whether a variable has its value where a function is created. */
  isBefore(variable: Variable, fn: FunctionNode): boolean {
    const start = this.#variables.get(variable);
    return start !== undefined && start < (this.#functions.get(fn) ?? fn.start);
  }
}

/** What a function takes from the functions around it. */
export function capturesOf(fn: FunctionNode, positions: Positions): Captures {
  const found: Found = { names: new Map(), assigned: new Set(), parts: [], usesThis: false };
  collect(fn, fn, found, fn.form === 'arrow');
  const values: Name[] = [];
  const variables: Name[] = [];
  for (const [variable, [name]] of found.names) {
    const isFixed = variable.assignments === 0 && positions.isBefore(variable, fn);
    if (name !== undefined) (isFixed ? values : variables).push(name);
  }
  const { parts, usesThis } = found;
  return { values, variables, assigned: [...found.assigned], usesThis, parts };
}

function isAround(variable: Variable, fn: FunctionNode): boolean {
  if (isOutside(variable)) return false;
  for (let { outer } = fn; outer !== undefined; { outer } = outer) {
    if (variable.home === outer) return true;
  }
  return false;
}

function collect(node: Node, fn: FunctionNode, found: Found, hasThis: boolean): void {
  const taken = (name: Node): Variable | undefined => {
    const variable = name.kind === 'name' ? name.variable : undefined;
    return variable !== undefined && isAround(variable, fn) ? variable : undefined;
  };
  if (node.kind === 'name') {
    const variable = taken(node);
    if (variable !== undefined) {
      found.names.set(variable, [...(found.names.get(variable) ?? []), node]);
    }
  }
  if (node.kind === 'this' && hasThis) found.usesThis = true;
  if (node.kind === 'member' && hasThis && node.object.kind === 'this') found.parts.push(node);
  const target =
    node.kind === 'assign'
      ? node.target
      : node.kind === 'unary' && node.operator === 'update'
        ? node.operand
        : undefined;
  const assigned = target && taken(target);
  if (assigned !== undefined) found.assigned.add(assigned);
  const inner = hasThis && (node === fn || node.kind !== 'function' || node.form === 'arrow');
  forEachChild(node, (child) => collect(child, fn, found, inner));
}
