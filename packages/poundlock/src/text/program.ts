// The modules of a program together: which expressions are the library's, and which are new.
import type { ProgramSource } from '@poundlock/core/internal/program';
import { FRESH_CLASSES, isPureMethod, isPureStatic, returnsFresh } from './built-ins.ts';
import { child, isFunction, list, readModule, within } from './syntax.ts';
import type { Module, Node, Variable } from './syntax.ts';

/** A package of the library. */
const LIBRARY = /^(?:@poundlock\/[\w-]+|poundlock)(?:\/|$)/;

/** The most modules of a program (bound `modules`). */
const MAX_MODULES = 1_000;
/** The most variables that an expression is followed through. */
const MAX_DEPTH = 32;

/** The syntax of a program. */
export class ProgramSyntax {
  readonly modules: readonly Module[];
  /** By the name of a property: the functions that are one; `null` for what may be one. */
  readonly methods: ReadonlyMap<string, readonly (Node | null)[]>;
  readonly #byFile: ReadonlyMap<string, Module>;

  readonly #source: ProgramSource;

  private constructor(modules: readonly Module[], source: ProgramSource) {
    this.modules = modules;
    this.#source = source;
    this.#byFile = new Map(modules.map((module) => [module.file, module]));
    const properties = modules.flatMap((module) => this.#propertiesIn(module));
    const byName = Map.groupBy(properties, ([name]) => name);
    this.methods = new Map([...byName].map(([name, all]) => [name, all.map(([, value]) => value)]));
  }

  /** Reads a module and all that it imports; `null` where one of them is not understood. */
  static of(source: ProgramSource): ProgramSyntax | null {
    const modules: Module[] = [];
    const files = [source.entry];
    for (let file = files[0]; file !== undefined; file = files[modules.length]) {
      const text = source.read(file);
      const module = text === null ? null : readModule(file, text);
      if (module === null || modules.push(module) > MAX_MODULES) return null;
      for (const name of importedBy(module)) {
        const imported = source.resolve(name, file);
        if (imported !== null && !files.includes(imported)) files.push(imported);
      }
    }
    return new ProgramSyntax(modules, source);
  }

  /** The variable that a name stands for, in the module that declares it. */
  variableOf(module: Module, name: Node): Variable | null {
    let variable = module.variables.get(name) ?? null;
    let at: Module | undefined = module;
    for (let depth = 0; variable !== null && depth < MAX_DEPTH; depth++) {
      const { from }: Variable = variable;
      if (from === null) break;
      at = this.#byFile.get(this.#source.resolve(from.module, at.file) ?? '');
      if (at === undefined) return variable;
      variable = at.exports.get(from.name === 'Default' ? 'default' : from.name) ?? null;
    }
    return variable;
  }

  /** Whether an expression is the library's: an import, a handle, or what those return. */
  isLibrary(module: Module, node: Node, depth = 0): boolean {
    if (depth > MAX_DEPTH) return false;
    const is = (field: string): boolean => {
      const one = child(node, field);
      return one !== null && this.isLibrary(module, one, depth + 1);
    };
    switch (node.type) {
      case 'Identifier':
        return this.#isLibraryVariable(this.variableOf(module, node), depth);
      case 'CallExpression':
      case 'NewExpression':
        return is('callee');
      case 'MemberExpression':
        return is('object');
      case 'YieldExpression':
        return is('argument');
      case 'ChainExpression':
        return is('expression');
      case 'ConditionalExpression':
        return is('consequent') && is('alternate');
      default:
        return false;
    }
  }

  #isLibraryVariable(variable: Variable | null, depth: number): boolean {
    if (variable === null) return false;
    if (variable.from !== null) return LIBRARY.test(variable.from.module);
    const value = variable.init ?? variable.whole;
    if (variable.kind !== 'const' || value === null) return false;
    return this.isLibrary(this.#byFile.get(variable.file)!, value, depth + 1);
  }

  /** The name under which the library exports what an expression is; `null` for anything else. */
  libraryName(module: Module, node: Node | null): string | null {
    if (node?.type !== 'Identifier') return null;
    const { from = null } = this.variableOf(module, node) ?? {};
    return from !== null && LIBRARY.test(from.module) ? from.name : null;
  }

  /** Whether a name is imported from a module that is neither the library's nor read. */
  isForeign(module: Module, name: Node): boolean {
    const { from = null } = this.variableOf(module, name) ?? {};
    return from !== null && !LIBRARY.test(from.module);
  }

  /** The path of a module by the URL that a stack trace has. */
  fileOf(url: string): string {
    if (!url.startsWith('file://')) return url;
    const path = url.slice('file://'.length);
    return this.#source.resolve(path, this.#source.entry) ?? path;
  }

  /** What an expression is: what a name is declared with, if that is fixed; `null` if it is not. */
  valueOf(module: Module, node: Node): { readonly module: Module; readonly node: Node } | null {
    if (node.type !== 'Identifier') return { module, node };
    const { init = null, kind, file } = this.variableOf(module, node) ?? {};
    const isFixed = kind === 'const' || kind === 'function';
    return isFixed && init !== null ? { module: this.#byFile.get(file!)!, node: init } : null;
  }

  /** The module that a node is in. */
  moduleOf(node: Node): Module | null {
    return this.modules.find(({ parents }) => parents.has(node)) ?? null;
  }

  /** The module of a file, if it is one of the program's. */
  moduleAt(file: string): Module | null {
    return this.#byFile.get(file) ?? null;
  }

  /** The function that an expression stands for, if it is one of the program's. */
  functionOf(module: Module, node: Node): Node | null {
    const value = this.valueOf(module, node)?.node ?? null;
    return value !== null && isFunction(value) ? value : null;
  }

  /** What a module gives to properties, or exports: functions, and `null` for what may be one. */
  #propertiesIn(module: Module): (readonly [string, Node | null])[] {
    const exported = [...module.exports].map(
      ([name, { id }]) => [name, this.functionOf(module, id)] as const,
    );
    const properties = [...within(module.program)].flatMap((node) => {
      const isAssigned = node.type === 'AssignmentExpression';
      const target = isAssigned ? child(node, 'left')! : node;
      const value = child(node, isAssigned ? 'right' : 'value');
      const key = child(target, isAssigned ? 'property' : 'key');
      const isOfPattern = module.parents.get(node)?.type === 'ObjectPattern';
      if (key === null || value === null || isOfPattern || DATA.test(value.type)) return [];
      if (this.isLibrary(module, value)) return [];
      const name = target['computed'] === true ? key['value'] : (key['name'] ?? key['value']);
      return [[String(name), this.functionOf(module, value)] as const];
    });
    return [...exported, ...properties];
  }

  /**
   * Whether a function is called where it is written, by a method that calls nothing later: what it
   * does, the function around it does.
   */
  isInline(module: Module, node: Node): boolean {
    if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return false;
    if (node['generator'] === true) return false;
    const call = module.parents.get(node);
    if (call?.type !== 'CallExpression' || call['callee'] === node) return false;
    const callee = child(call, 'callee')!;
    if (callee.type !== 'MemberExpression' || callee['computed'] === true) return false;
    const name = String(child(callee, 'property')?.['name']);
    const object = child(callee, 'object')!;
    if (object.type === 'Identifier' && !module.variables.has(object))
      return isPureStatic(String(object['name']), name);
    return isPureMethod(name) && !this.methods.has(name) && !this.isLibrary(module, object);
  }

  /** The function that a node is run by: inline functions are part of those around them. */
  runnerOf(module: Module, node: Node): Node {
    let at: Node = node;
    for (;;) {
      const parent: Node | undefined = module.parents.get(at);
      if (parent === undefined) return module.program;
      at = parent;
      if (isFunction(at) && !this.isInline(module, at)) return at;
    }
  }

  /** The function that a variable belongs to, by the same measure. */
  ownerOf(module: Module, { owner }: Variable): Node {
    if (!isFunction(owner)) return owner;
    return this.isInline(module, owner) ? this.runnerOf(module, owner) : owner;
  }

  /** Whether an expression is an object that only `runner` refers to. */
  isFresh(module: Module, node: Node, runner: Node, depth = 0): boolean {
    if (depth > MAX_DEPTH) return false;
    if (node.type === 'ArrayExpression' || node.type === 'ObjectExpression') return true;
    const callee = child(node, 'callee');
    if (node.type === 'NewExpression')
      return callee?.type === 'Identifier' && isFreshClass(module, callee);
    if (node.type === 'CallExpression' && callee?.type === 'MemberExpression')
      return this.#callsFresh(module, callee);
    if (node.type !== 'Identifier') return false;
    const variable = module.variables.get(node);
    if (variable === undefined || this.ownerOf(module, variable) !== runner) return false;
    if (variable.kind === 'rest') return true;
    const values = [variable.init, ...valuesAssigned(module, variable)];
    return values.every((value) => {
      return value !== null && this.isFresh(module, value, runner, depth + 1);
    });
  }

  #callsFresh(module: Module, callee: Node): boolean {
    const name = String(child(callee, 'property')?.['name']);
    const object = child(callee, 'object')!;
    if (object.type === 'Identifier' && !module.variables.has(object))
      return isPureStatic(String(object['name']), name) && name !== 'freeze';
    return returnsFresh(name) && callee['computed'] !== true && !this.isLibrary(module, object);
  }
}

function isFreshClass(module: Module, callee: Node): boolean {
  return !module.variables.has(callee) && FRESH_CLASSES.has(String(callee['name']));
}

/** What assignments give a variable; `null` for one that is not `=`. */
export function valuesAssigned(module: Module, { uses }: Variable): (Node | null)[] {
  return uses.flatMap((use) => {
    const parent = module.parents.get(use)!;
    if (parent.type === 'UpdateExpression') return [null];
    if (parent.type !== 'AssignmentExpression' || parent['left'] !== use)
      return isTargetOfPattern(module, use) ? [null] : [];
    return [parent['operator'] === '=' ? child(parent, 'right') : null];
  });
}

/** Whether a name is assigned to by a pattern, or by a loop. */
export function isTargetOfPattern(module: Module, use: Node): boolean {
  let at = use;
  for (;;) {
    const parent: Node | undefined = module.parents.get(at);
    if (parent === undefined) return false;
    if (parent.type === 'ForOfStatement' || parent.type === 'ForInStatement')
      return parent['left'] === at;
    if (parent.type === 'AssignmentExpression') return parent['left'] === at && at !== use;
    const isPattern =
      parent.type === 'ArrayPattern' ||
      parent.type === 'ObjectPattern' ||
      parent.type === 'RestElement' ||
      (parent.type === 'AssignmentPattern' && parent['left'] === at) ||
      (parent.type === 'Property' && parent['value'] === at);
    if (!isPattern) return false;
    at = parent;
  }
}

/** What a module imports, and what it exports of others. */
function importedBy({ program }: Module): string[] {
  return list(program, 'body').flatMap((one) => {
    const source = child(one, 'source');
    return source === null ? [] : [String(source['value'])];
  });
}

/** Expressions that are no functions. */
const DATA = /^(?:Literal|TemplateLiteral|ArrayExpression|ObjectExpression|BinaryExpression)$/;

/** The arguments of a call. */
export function argumentsOf(call: Node): readonly Node[] {
  return list(call, 'arguments');
}
