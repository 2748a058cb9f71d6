// What a program does with one of its numbers: where it is counted with, and what it is compared
// with elsewhere. The number is followed through names, functions and objects of parameters.
import type { Position } from '@poundlock/core/internal/base';
import { argumentsOf, type ProgramSyntax } from './program.ts';
import { textOf } from './self-contained.ts';
import { child, isFunction, list, positionAt, within } from './syntax.ts';
import type { Module, Node, Variable } from './syntax.ts';

const COMPARISONS = new Set(['===', '!==', '==', '!=']);
const ORDERS = new Set(['<', '<=', '>', '>=']);
/** Methods that look a value up. */
const LOOK_UPS = new Set(['includes', 'indexOf', 'lastIndexOf', 'has', 'get', 'is']);

/** The uses of a parameter. */
export class NumberUses {
  readonly constants = new Set<number>();
  single: string | null = null;
  /** Uses that count nothing. */
  others = 0;
  readonly #program: ProgramSyntax;
  readonly #countedAt: ReadonlySet<string>;
  /** By call of the library that counts: the use that it counts with. */
  readonly #counted = new Map<Node, Node>();
  readonly #seen = new Set<Variable | string>();

  constructor(program: ProgramSyntax, countedAt: readonly Position[]) {
    this.#program = program;
    const placed = countedAt.map((each) => ({ ...each, file: program.fileOf(each.file) }));
    this.#countedAt = new Set(placed.map(placeOf));
  }

  /** Follows the part of the parameters with this name; `false` where that is not understood. */
  followNamed(module: Module, pattern: Node | null, name: string): boolean {
    if (pattern === null) return true;
    if (pattern.type === 'Identifier') {
      const whole = module.variables.get(pattern)!;
      if (this.#seen.has(whole)) return true;
      this.#seen.add(whole);
      return whole.uses.every((use) => this.#followWhole(module, use, name));
    }
    if (pattern.type !== 'ObjectPattern') return false;
    const parts = list(pattern, 'properties');
    const own = parts.find((each) => child(each, 'key')?.['name'] === name);
    if (own === undefined) return parts.every(({ type }) => type !== 'RestElement');
    const value = child(own, 'value')!;
    if (value.type !== 'Identifier' || own['computed'] === true) return false;
    this.#follow(module, value);
    return true;
  }

  /** `params.tiles`, `const { tiles } = params`, `f(params)` or `{ params }`: all parameters. */
  #followWhole(module: Module, whole: Node, name: string): boolean {
    const parent = module.parents.get(whole)!;
    switch (parent.type) {
      case 'VariableDeclarator':
        return this.followNamed(module, child(parent, 'id'), name);
      case 'MemberExpression':
        if (parent['object'] !== whole || parent['computed'] === true) return false;
        if (child(parent, 'property')?.['name'] === name) this.#use(module, parent);
        return true;
      case 'CallExpression': {
        const taken = this.#parameterFor(module, parent, whole);
        return taken !== null && this.followNamed(taken.module, taken.node, name);
      }
      case 'Property': {
        const isOfObject = module.parents.get(parent)?.type === 'ObjectExpression';
        if (!isOfObject || parent['computed'] === true) return false;
        return this.#followProperty(String(child(parent, 'key')?.['name']), name);
      }
      default:
        return false;
    }
  }

  /** All parameters are a property of an object: wherever one of its name is read. */
  #followProperty(key: string, name: string): boolean {
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return this.#program.modules.every((module) =>
      [...within(module.program)].every((node) => {
        const isRead = node.type === 'MemberExpression' && node['computed'] !== true;
        if (isRead && child(node, 'property')?.['name'] === key)
          return this.#followWhole(module, node, name);
        const isTaken = module.parents.get(node)?.type === 'ObjectPattern';
        if (!isTaken || child(node, 'key')?.['name'] !== key) return true;
        return this.followNamed(module, child(node, 'value'), name);
      }),
    );
  }

  /** The parameter that an argument of a call of the program's is; `null` where it is not known. */
  #parameterFor(module: Module, call: Node, argument: Node) {
    const all = argumentsOf(call);
    const index = all.indexOf(argument);
    const called = this.#program.valueOf(module, child(call, 'callee')!);
    const param = called === null ? undefined : list(called.node, 'params')[index];
    if (called === null || param === undefined || !isFunction(called.node)) return null;
    const isSpread = all.slice(0, index).some(({ type }) => type === 'SpreadElement');
    const hasOthers = [...within(called.node)].some((node) => node['name'] === 'arguments');
    return isSpread || hasOthers ? null : { module: called.module, node: param };
  }

  #follow(module: Module, name: Node): void {
    const variable = module.variables.get(name)!;
    if (this.#seen.has(variable)) return;
    this.#seen.add(variable);
    for (const use of variable.uses) this.#use(module, use);
  }

  /** One use: it is counted with, passed on, or what the number is compared with there. */
  #use(module: Module, use: Node): void {
    const parent = module.parents.get(use)!;
    if (this.#isCounted(module, use, parent)) return;
    if (parent.type === 'CallExpression') {
      const taken = this.#parameterFor(module, parent, use);
      if (taken?.node.type === 'Identifier') return this.#follow(taken.module, taken.node);
    }
    this.others++;
    let at = use;
    for (;;) {
      const around = module.parents.get(at);
      if (around === undefined || isFunction(around) || around.type.endsWith('Statement')) {
        if (around?.type === 'SwitchStatement') this.#switch(module, around, at);
        return;
      }
      this.#compare(module, around, at);
      if (around.type === 'VariableDeclarator' && child(around, 'id')?.type === 'Identifier')
        return this.#follow(module, child(around, 'id')!);
      at = around;
    }
  }

  /** Whether the library counts with the number, and does nothing else with it there. */
  #isCounted(module: Module, use: Node, parent: Node): boolean {
    if (parent.type === 'CallExpression' && argumentsOf(parent)[0] === use) {
      return this.#program.libraryName(module, child(parent, 'callee')) === 'count';
    }
    const options = module.parents.get(parent);
    if (parent.type !== 'Property' || options?.type !== 'ObjectExpression') return false;
    return this.#callsWith(module, options).every((call) => {
      const isOther = call !== null && (this.#counted.get(call) ?? use) !== use;
      if (call === null || isOther || !this.#counts(module, call)) return false;
      this.#counted.set(call, use);
      return true;
    });
  }

  /** The calls that get an object of options; `null` for any other use of it. */
  #callsWith(module: Module, options: Node): (Node | null)[] {
    const parent = module.parents.get(options)!;
    const id = parent.type === 'VariableDeclarator' ? child(parent, 'id') : null;
    const variable = id === null ? undefined : module.variables.get(id);
    if (variable?.kind === 'const' && variable.init === options && variable.uses.length > 0)
      return variable.uses.map((use) => callWith(module.parents.get(use)!, use));
    return [callWith(parent, options)];
  }

  /** Whether a run has seen that a call of the library counts with the number. */
  #counts(module: Module, call: Node): boolean {
    const callee = child(call, 'callee')!;
    const named = callee.type === 'MemberExpression' ? child(callee, 'property')! : callee;
    const { start } = call.type === 'NewExpression' ? call : named;
    const place = placeOf(positionAt(module, start));
    return this.#countedAt.has(place) && this.#program.isLibrary(module, callee);
  }

  /** The constants in a comparison, whose other side depends on the number. */
  #compare(module: Module, node: Node, side: Node): void {
    if (node.type === 'BinaryExpression') {
      const operator = String(node['operator']);
      const other = child(node, node['left'] === side ? 'right' : 'left')!;
      if (!COMPARISONS.has(operator) && !ORDERS.has(operator)) return;
      this.#constantsIn(module, other);
      if (COMPARISONS.has(operator)) this.#isSingle(module, node);
      return;
    }
    if (
      node.type === 'MemberExpression' &&
      node['computed'] === true &&
      node['property'] === side
    ) {
      this.#constantsIn(module, child(node, 'object')!);
      return this.#isSingle(module, node);
    }
    if (node.type !== 'CallExpression' || !argumentsOf(node).includes(side)) return;
    const callee = child(node, 'callee')!;
    const isLookUp = LOOK_UPS.has(String(child(callee, 'property')?.['name']));
    if (callee.type !== 'MemberExpression' || !isLookUp) return;
    this.#constantsIn(module, child(callee, 'object')!);
    for (const each of argumentsOf(node)) if (each !== side) this.#constantsIn(module, each);
    this.#isSingle(module, node);
  }

  #switch(module: Module, node: Node, side: Node): void {
    if (node['discriminant'] !== side) return;
    for (const each of list(node, 'cases')) {
      const test = child(each, 'test');
      if (test !== null) this.#constantsIn(module, test);
    }
    this.#isSingle(module, side);
  }

  #isSingle(module: Module, node: Node): void {
    const { line } = positionAt(module, node.start);
    this.single ??= `${textOf(node, module)} (line ${line})`;
  }

  /** The numbers in an expression, and in what its names are declared with. */
  #constantsIn(module: Module, node: Node, depth = 0): void {
    for (const each of within(node)) {
      const number = numberOf(each);
      if (number !== null) this.constants.add(number);
      if (each.type !== 'Identifier' || depth > 4) continue;
      const value = this.#program.valueOf(module, each);
      if (value !== null) this.#constantsIn(value.module, value.node, depth + 1);
    }
  }
}

/** The call that an expression is an argument of; `null` where it is none. */
function callWith(parent: Node, argument: Node): Node | null {
  const isCall = parent.type === 'CallExpression' || parent.type === 'NewExpression';
  return isCall && argumentsOf(parent).includes(argument) ? parent : null;
}

function placeOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** The number of a literal, of a key, or of a text that is one. */
function numberOf(node: Node): number | null {
  if (node.type !== 'Literal') return null;
  const { value } = node;
  const isNumeric = typeof value === 'number' || typeof value === 'bigint';
  if (!isNumeric && typeof value !== 'string') return null;
  const number = value === '' ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}
