// Whether no function of a program changes what is outside of it: then a round of a loop depends on
// its state alone, and a role on its own operations. What is not understood counts as a change.
import {
  CONSTANTS,
  FRESH_CLASSES,
  isPureStatic,
  ITERATOR_METHODS,
  mayChange,
  PURE_FUNCTIONS,
} from './built-ins.ts';
import { Iterators } from './iterators.ts';
import { argumentsOf, type ProgramSyntax } from './program.ts';
import { child, list, positionAt, within, type Module, type Node } from './syntax.ts';

/** What may be changed, and where. */
export interface Obstacle {
  readonly what: string;
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
}

/** The first place where something outside of a function may be changed; `null`: there is none. */
export function firstChange(program: ProgramSyntax): Obstacle | null {
  const iterators = new Iterators(program);
  for (const module of program.modules) {
    const check = new ModuleCheck(program, module, iterators);
    for (const node of within(module.program)) {
      const what = check.changeIn(node);
      if (what !== null) return { what, place: positionAt(module, node.start) };
    }
  }
  return null;
}

const NEVER: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'ImportExpression',
  'MetaProperty',
  'TaggedTemplateExpression',
  'WithStatement',
]);

class ModuleCheck {
  readonly #program: ProgramSyntax;
  readonly #module: Module;
  readonly #iterators: Iterators;

  constructor(program: ProgramSyntax, module: Module, iterators: Iterators) {
    this.#program = program;
    this.#module = module;
    this.#iterators = iterators;
  }

  /** What a node itself may change; `null` for nothing. */
  changeIn(node: Node): string | null {
    if (NEVER.has(node.type)) return 'what is not understood';
    switch (node.type) {
      case 'AssignmentExpression':
        return this.#ofTarget(child(node, 'left')!, node);
      case 'UpdateExpression':
        return this.#ofTarget(child(node, 'argument')!, node);
      case 'UnaryExpression':
        return node['operator'] === 'delete'
          ? this.#ofTarget(child(node, 'argument')!, node)
          : null;
      case 'ForOfStatement':
      case 'ForInStatement':
        return this.#ofLoop(node);
      case 'CallExpression':
        return this.#ofCall(node);
      case 'NewExpression':
        return this.#ofNew(node);
      case 'Identifier':
        return this.#ofName(node);
      default:
        return null;
    }
  }

  #ofLoop(node: Node): string | null {
    const left = child(node, 'left')!;
    if (node['await'] === true) return 'what is not understood';
    return left.type === 'VariableDeclaration' ? null : this.#ofTarget(left, node);
  }

  /** What is assigned to: a variable of the function itself, or a part of a new object. */
  #ofTarget(target: Node, at: Node): string | null {
    const runner = this.#program.runnerOf(this.#module, at);
    switch (target.type) {
      case 'Identifier': {
        const variable = this.#module.variables.get(target);
        if (variable !== undefined && this.#program.ownerOf(this.#module, variable) === runner)
          return null;
        return String(target['name']);
      }
      case 'MemberExpression': {
        const object = child(target, 'object')!;
        if (object.type === 'ThisExpression' && isConstructor(this.#module, runner)) return null;
        return this.#program.isFresh(this.#module, object, runner)
          ? null
          : textOf(object, this.#module);
      }
      case 'AssignmentPattern':
        return this.#ofTarget(child(target, 'left')!, at);
      case 'RestElement':
        return this.#ofTarget(child(target, 'argument')!, at);
      case 'Property':
        return this.#ofTarget(child(target, 'value')!, at);
      case 'ArrayPattern':
      case 'ObjectPattern':
        return this.#ofFirst([...list(target, 'elements'), ...list(target, 'properties')], at);
      default:
        return 'what is not understood';
    }
  }

  #ofFirst(targets: readonly Node[], at: Node): string | null {
    for (const each of targets) {
      const what = this.#ofTarget(each, at);
      if (what !== null) return what;
    }
    return null;
  }

  #ofNew(node: Node): string | null {
    const callee = child(node, 'callee')!;
    if (callee.type !== 'Identifier') {
      return this.#program.isLibrary(this.#module, callee) ? null : textOf(callee, this.#module);
    }
    if (this.#module.variables.has(callee)) return null;
    const name = String(callee['name']);
    return FRESH_CLASSES.has(name) ? null : name;
  }

  #ofCall(node: Node): string | null {
    const callee = child(node, 'callee')!;
    if (callee.type === 'Super') return null;
    if (callee.type === 'MemberExpression') return this.#ofMethod(node, callee);
    if (callee.type === 'Identifier' && !this.#module.variables.has(callee)) {
      const name = String(callee['name']);
      return PURE_FUNCTIONS.has(name) ? null : `${name}()`;
    }
    if (this.#program.isLibrary(this.#module, callee)) return null;
    return this.#ofIterator(node, `${textOf(callee, this.#module)}()`);
  }

  #ofMethod(node: Node, callee: Node): string | null {
    const object = child(callee, 'object')!;
    const property = child(callee, 'property')!;
    const text = `${textOf(callee, this.#module)}()`;
    if (property.type === 'PrivateIdentifier' || this.#program.isLibrary(this.#module, object))
      return this.#ofIterator(node, text);
    if (callee['computed'] === true) return text;
    const name = String(property['name']);
    if (object.type === 'Identifier' && !this.#module.variables.has(object))
      return isPureStatic(String(object['name']), name) ? null : text;
    if (ITERATOR_METHODS.has(name)) return this.#iterators.isRead(this.#module, node) ? null : text;
    const own = this.#ofIterator(node, text);
    if (own !== null || !mayChange(name)) return own;
    const runner = this.#program.runnerOf(this.#module, node);
    return this.#program.isFresh(this.#module, object, runner) ? null : text;
  }

  /** An iterator that is kept is read once. */
  #ofIterator(call: Node, text: string): string | null {
    return this.#iterators.staysWhole(this.#module, call) ? text : null;
  }

  /** A global name is the callee of a function that is known, or a constant. */
  #ofName(node: Node): string | null {
    if (isNoName(this.#module, node)) return null;
    const name = String(node['name']);
    if (this.#module.variables.has(node))
      return this.#program.isForeign(this.#module, node) ? name : null;
    if (CONSTANTS.has(name)) return null;
    const parent = this.#module.parents.get(node)!;
    const isCalled = parent['callee'] === node || this.#isPartOfKnown(parent, node, name);
    const isTested =
      (parent.type === 'UnaryExpression' && parent['operator'] === 'typeof') ||
      (parent.type === 'BinaryExpression' && parent['operator'] === 'instanceof') ||
      (parent['superClass'] === node && FRESH_CLASSES.has(name));
    // `Array.from(list, Number)`: called there and then.
    const isPassed = PURE_FUNCTIONS.has(name) && argumentsOf(parent).includes(node);
    return isCalled || isTested || isPassed ? null : name;
  }

  /** `Math.PI`; what a method of it does is asked where it is called. */
  #isPartOfKnown(parent: Node, node: Node, name: string): boolean {
    if (parent['object'] !== node || parent['computed'] === true) return false;
    const isCallee = this.#module.parents.get(parent)?.['callee'] === parent;
    return isCallee || isPureStatic(name, String(child(parent, 'property')?.['name']));
  }
}

/** Whether an identifier is a key, a label or the name of an export. */
function isNoName(module: Module, node: Node): boolean {
  const parent = module.parents.get(node);
  if (parent === undefined) return true;
  if (/^(?:Import|Export|Break|Continue|Labeled|MetaProperty)/.test(parent.type)) return true;
  if (parent.type === 'MemberExpression')
    return parent['property'] === node && parent['computed'] !== true;
  return parent['key'] === node && parent['computed'] !== true;
}

/** Whether a function is the constructor of a class, whose object is new. */
function isConstructor(module: Module, runner: Node): boolean {
  const parent = module.parents.get(runner);
  return parent?.type === 'MethodDefinition' && parent['kind'] === 'constructor';
}

const MOST_SHOWN = 40;

/** An expression as it is written, on one line. */
export function textOf({ start, end }: Node, { text }: Module): string {
  const written = text.slice(start, end).replaceAll(/\s+/g, ' ');
  return written.length > MOST_SHOWN ? `${written.slice(0, MOST_SHOWN)}…` : written;
}
