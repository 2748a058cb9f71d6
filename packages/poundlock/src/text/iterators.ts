// Which calls of a program may return an iterator of its own: it is read once, so that an iterator
// that is kept is a variable that others change.
import { isPureMethod } from './built-ins.ts';
import { argumentsOf, type ProgramSyntax } from './program.ts';
import { child, isFunction, within } from './syntax.ts';
import type { Module, Node } from './syntax.ts';

/** The iterators of one program. */
export class Iterators {
  readonly #program: ProgramSyntax;
  #arePassed: boolean | null = null;

  constructor(program: ProgramSyntax) {
    this.#program = program;
  }

  /** Whether a call may return an iterator that is read later, or twice. */
  staysWhole(module: Module, call: Node): boolean {
    return !this.isRead(module, call) && this.#isCreatedBy(module, call);
  }

  #isCreatedBy(module: Module, call: Node): boolean {
    const callee = child(call, 'callee')!;
    if (callee.type === 'MemberExpression') {
      const name = String(child(callee, 'property')?.['name']);
      if (argumentsOf(call).some((each) => this.#isGenerator(module, each)) && isPureMethod(name))
        return true;
      const isOfLibrary = this.#isNewOfLibrary(module, child(callee, 'object')!);
      return !isOfLibrary && this.#mayMake(this.#program.methods.get(name) ?? []);
    }
    const called = this.#program.functionOf(module, callee);
    if (called !== null) return isGenerator(called);
    return this.#mayMake(this.#takenFrom(module, callee) ?? [null]);
  }

  /** Whether one of these functions is a generator; `null` is one that is not known. */
  #mayMake(functions: readonly (Node | null)[]): boolean {
    return functions.some((one) => (one === null ? this.#mayBePassed() : isGenerator(one)));
  }

  /** The functions that `const { f } = parts` may take out of its object; `null`: not known. */
  #takenFrom(module: Module, name: Node): readonly (Node | null)[] | null {
    const { id = null } = module.variables.get(name) ?? {};
    const part = id === null ? undefined : module.parents.get(id);
    if (part?.type !== 'Property' || part['computed'] === true) return null;
    return this.#program.methods.get(String(child(part, 'key')?.['name'])) ?? null;
  }

  /** Whether some generator function is a value that anything may call. */
  #mayBePassed(): boolean {
    this.#arePassed ??= this.#program.modules.some((module) =>
      [...within(module.program)].some((node) => {
        return this.#isGenerator(module, node) && !this.#isCalledOnly(module, node);
      }),
    );
    return this.#arePassed;
  }

  /** Whether a generator function, or its name, is called there, by the library if it is passed. */
  #isCalledOnly(module: Module, node: Node): boolean {
    const parent = module.parents.get(node);
    if (parent === undefined || /^(?:Import|Export)/.test(parent.type)) return true;
    if (node.type === 'FunctionDeclaration' || parent['id'] === node) return true;
    if (parent.type === 'VariableDeclarator') return child(parent, 'id')?.type === 'Identifier';
    if (parent.type !== 'CallExpression') return false;
    return parent['callee'] === node || this.#program.isLibrary(module, child(parent, 'callee')!);
  }

  /** Whether a node is a generator function, or a name that stands for one. */
  #isGenerator(module: Module, node: Node): boolean {
    if (node.type !== 'Identifier' && !isFunction(node)) return false;
    const found = this.#program.functionOf(module, node);
    return found !== null && isGenerator(found);
  }

  /** Whether an object is new, of a class of the library: it has no methods of the program. */
  #isNewOfLibrary(module: Module, object: Node): boolean {
    const variable = object.type === 'Identifier' ? module.variables.get(object) : undefined;
    const value = variable?.kind === 'const' ? variable.init : object;
    const isNew = value?.type === 'NewExpression';
    return isNew && this.#program.libraryName(module, child(value, 'callee')) !== null;
  }

  /**
   * Whether what a call returns is read where it is made: by `yield*`, a loop or a spread; by the
   * library, which calls the function that returns it; or by nothing.
   */
  isRead(module: Module, call: Node): boolean {
    const parent = module.parents.get(call);
    if (parent === undefined) return false;
    if (parent.type === 'ExpressionStatement') return true;
    if (parent.type === 'YieldExpression') return parent['delegate'] === true;
    if (parent.type === 'ForOfStatement') return parent['right'] === call;
    if (parent.type === 'SpreadElement') return true;
    if (parent.type === 'ArrowFunctionExpression') {
      const around = module.parents.get(parent);
      const isPassed = around?.type === 'CallExpression' && around['callee'] !== parent;
      return isPassed && this.#program.isLibrary(module, child(around, 'callee')!);
    }
    return isArrayFrom(parent) && argumentsOf(parent)[0] === call;
  }
}

function isGenerator(node: Node): boolean {
  return node['generator'] === true;
}

/** `Array.from(…)`. */
function isArrayFrom(call: Node): boolean {
  const callee = child(call, 'callee');
  if (call.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
  const names = [child(callee, 'object'), child(callee, 'property')].map((one) => one?.['name']);
  return callee['computed'] !== true && names.join('.') === 'Array.from';
}
