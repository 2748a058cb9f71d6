// What a program does with a parameter that counts items: whether it counts only, and which single
// numbers it compares it with.
import { argumentsOf, type ProgramSyntax } from './program.ts';
import { textOf } from './self-contained.ts';
import { child, isFunction, list, positionAt, within } from './syntax.ts';
import type { Module, Node, Variable } from './syntax.ts';

/** What the text says of a parameter. */
export interface NumberUse {
  /** Whether it is the argument of `count` wherever it occurs. */
  readonly onlyCounts: boolean;
  /** Numbers that it is compared with, or that stand in a table where it is looked up. */
  readonly constants: readonly number[];
  /** A test of single values: `tiles === 5000 (line 17)`. */
  readonly single: string | null;
}

/** The declaration of a kernel. */
interface Declared {
  readonly module: Module;
  readonly defaults: Node;
  readonly build: Node;
}

/** What a program does with a parameter of a kernel; `null` where that is not understood. */
export function numberUse(
  program: ProgramSyntax,
  kernel: string,
  parameter: string,
): NumberUse | null {
  const declared = declarationOf(program, kernel);
  if (declared === null) return null;
  const found = new Uses(program, declared.module);
  const isUnderstood = followParameter(found, declared, parameter, new Set());
  const { constants, single, others } = found;
  const onlyCounts = isUnderstood && others === 0;
  return { onlyCounts, constants: [...constants], single };
}

/** The one call of `kernel` with this name, or the only one. */
function declarationOf(program: ProgramSyntax, name: string): Declared | null {
  const all = program.modules.flatMap((module) =>
    [...within(module.program)].flatMap((node) => {
      if (node.type !== 'CallExpression') return [];
      const isKernel = program.libraryName(module, child(node, 'callee')) === 'kernel';
      return isKernel ? [{ module, call: node }] : [];
    }),
  );
  const named = all.filter(({ call }) => argumentsOf(call)[0]?.['value'] === name);
  const [one, ...more] = named.length === 0 ? all : named;
  if (one === undefined || more.length > 0) return null;
  const [, defaults, build] = argumentsOf(one.call);
  if (defaults === undefined || build === undefined) return null;
  const callback = program.functionOf(one.module, build);
  if (callback === null || (build.type === 'Identifier' && !isOf(one.module, callback)))
    return null;
  return { module: one.module, defaults: valueOf(one.module, defaults), build: callback };
}

function isOf(module: Module, node: Node): boolean {
  return module.parents.has(node);
}

/** What a name is declared with, if that is fixed. */
function valueOf(module: Module, node: Node): Node {
  if (node.type !== 'Identifier') return node;
  const variable = module.variables.get(node);
  const value = variable?.kind === 'const' ? variable.init : null;
  return value ?? node;
}

/** Follows a parameter into the callback, and into those that have its value by their default. */
function followParameter(
  found: Uses,
  declared: Declared,
  parameter: string,
  seen: Set<string>,
): boolean {
  if (seen.has(parameter)) return true;
  seen.add(parameter);
  const { module, build, defaults } = declared;
  let isUnderstood = found.followNamed(list(build, 'params')[0] ?? null, parameter);
  if (defaults.type !== 'ObjectExpression') return false;
  for (const each of list(defaults, 'properties')) {
    const value = child(each, 'value');
    if (each.type !== 'Property' || value === null || each['computed'] === true) return false;
    if (!isFunction(value)) continue;
    const copies = copiedParameter(module, value);
    // A default that is the parameter counts if what it is a default of does.
    if (copies === parameter) {
      const name = String(child(each, 'key')?.['name']);
      isUnderstood = followParameter(found, declared, name, seen) && isUnderstood;
    } else
      isUnderstood = found.followNamed(list(value, 'params')[0] ?? null, parameter) && isUnderstood;
  }
  return isUnderstood;
}

/** The parameter whose value a default has: `({ tiles }) => tiles`. */
function copiedParameter(module: Module, value: Node): string | null {
  const body = child(value, 'body');
  const [param] = list(value, 'params');
  if (body?.type !== 'Identifier' || param?.type !== 'ObjectPattern') return null;
  const variable = module.variables.get(body);
  const part = list(param, 'properties').find((each) => {
    const name = child(each, 'value');
    return name !== null && module.variables.get(name) === variable;
  });
  return part === undefined ? null : String(child(part, 'key')?.['name']);
}

const COMPARISONS = new Set(['===', '!==', '==', '!=']);
const ORDERS = new Set(['<', '<=', '>', '>=']);
/** Methods that look a value up. */
const LOOK_UPS = new Set(['includes', 'indexOf', 'lastIndexOf', 'has', 'get', 'is']);

/** The uses of a parameter in one module. */
class Uses {
  readonly constants = new Set<number>();
  single: string | null = null;
  /** Uses that are no arguments of `count`. */
  others = 0;
  readonly #program: ProgramSyntax;
  readonly #module: Module;
  readonly #seen = new Set<Variable>();

  constructor(program: ProgramSyntax, module: Module) {
    this.#program = program;
    this.#module = module;
  }

  /** Follows the part of the parameters with this name; `false` where that is not understood. */
  followNamed(pattern: Node | null, name: string): boolean {
    if (pattern === null) return true;
    if (pattern.type === 'Identifier') return this.#followParts(pattern, name);
    if (pattern.type !== 'ObjectPattern') return false;
    const parts = list(pattern, 'properties');
    const own = parts.find((each) => child(each, 'key')?.['name'] === name);
    if (own === undefined) return parts.every(({ type }) => type !== 'RestElement');
    const value = child(own, 'value')!;
    if (value.type !== 'Identifier' || own['computed'] === true) return false;
    this.#follow(this.#module.variables.get(value)!);
    return true;
  }

  /** `params.tiles`, or `const { tiles } = params`, of all parameters by one name. */
  #followParts(whole: Node, name: string): boolean {
    const variable = this.#module.variables.get(whole)!;
    for (const use of variable.uses) {
      const parent = this.#module.parents.get(use)!;
      if (parent.type === 'VariableDeclarator' && parent['init'] === use) {
        if (!this.followNamed(child(parent, 'id'), name)) return false;
        continue;
      }
      if (parent.type !== 'MemberExpression' || parent['object'] !== use) return false;
      if (parent['computed'] === true) return false;
      if (child(parent, 'property')?.['name'] === name) this.#use(parent);
    }
    return true;
  }

  #follow(variable: Variable): void {
    if (this.#seen.has(variable)) return;
    this.#seen.add(variable);
    for (const use of variable.uses) this.#use(use);
  }

  /** One use: an argument of `count`, or what the number is compared with there. */
  #use(use: Node): void {
    const parent = this.#module.parents.get(use)!;
    const isCounted =
      parent.type === 'CallExpression' &&
      argumentsOf(parent)[0] === use &&
      this.#program.libraryName(this.#module, child(parent, 'callee')) === 'count';
    if (isCounted) return;
    this.others++;
    let at = use;
    for (;;) {
      const around = this.#module.parents.get(at);
      if (around === undefined || isFunction(around) || around.type.endsWith('Statement')) {
        if (around?.type === 'SwitchStatement') this.#switch(around, at);
        return;
      }
      this.#compare(around, at);
      if (around.type === 'VariableDeclarator' && child(around, 'id')?.type === 'Identifier')
        return this.#follow(this.#module.variables.get(child(around, 'id')!)!);
      at = around;
    }
  }

  /** The constants in a comparison, whose other side depends on the number. */
  #compare(node: Node, side: Node): void {
    if (node.type === 'BinaryExpression') {
      const operator = String(node['operator']);
      const other = child(node, node['left'] === side ? 'right' : 'left')!;
      if (!COMPARISONS.has(operator) && !ORDERS.has(operator)) return;
      this.#constantsIn(other);
      if (COMPARISONS.has(operator)) this.#isSingle(node);
      return;
    }
    if (
      node.type === 'MemberExpression' &&
      node['computed'] === true &&
      node['property'] === side
    ) {
      this.#constantsIn(child(node, 'object')!);
      return this.#isSingle(node);
    }
    if (node.type !== 'CallExpression' || !argumentsOf(node).includes(side)) return;
    const callee = child(node, 'callee')!;
    const isLookUp = LOOK_UPS.has(String(child(callee, 'property')?.['name']));
    if (callee.type !== 'MemberExpression' || !isLookUp) return;
    this.#constantsIn(child(callee, 'object')!);
    for (const each of argumentsOf(node)) if (each !== side) this.#constantsIn(each);
    this.#isSingle(node);
  }

  #switch(node: Node, side: Node): void {
    if (node['discriminant'] !== side) return;
    for (const each of list(node, 'cases')) {
      const test = child(each, 'test');
      if (test !== null) this.#constantsIn(test);
    }
    this.#isSingle(side);
  }

  #isSingle(node: Node): void {
    const { line } = positionAt(this.#module, node.start);
    this.single ??= `${textOf(node, this.#module)} (line ${line})`;
  }

  /** The numbers in an expression, and in what its names are declared with. */
  #constantsIn(node: Node, depth = 0): void {
    for (const each of within(node)) {
      const number = numberOf(each);
      if (number !== null) this.constants.add(number);
      if (each.type !== 'Identifier' || depth > 4) continue;
      const value = valueOf(this.#module, each);
      if (value !== each) this.#constantsIn(value, depth + 1);
    }
  }
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
