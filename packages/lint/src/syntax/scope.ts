// Resolves names to variables by the scoping rules of ECMAScript, without a type checker.
import { forEachChild } from './children.ts';
import type {
  CallExpression,
  ClassNode,
  Expression,
  FunctionNode,
  Name,
  Node,
  ObjectPattern,
  Pattern,
  SourceFile,
  Statement,
} from './node.ts';
import { moduleOf } from './modules.ts';
import type { TypeNode } from './type-node.ts';
import type { Variable } from './variable.ts';

class Scope {
  readonly outer: Scope | undefined;
  readonly home: FunctionNode | undefined;
  readonly names = new Map<string, Variable>();
  /** `var` belongs to the nearest function or to the module. */
  readonly isFunction: boolean;

  constructor(outer: Scope | undefined, home: FunctionNode | undefined, isFunction: boolean) {
    this.outer = outer;
    this.home = home;
    this.isFunction = isFunction;
  }

  find(name: string): Variable | undefined {
    return this.names.get(name) ?? this.outer?.find(name);
  }
}

type Form = Variable['form'];

interface Details {
  readonly type?: TypeNode | undefined;
  readonly initializer?: Expression | undefined;
  readonly imported?: Variable['imported'];
  readonly partOf?: Expression | undefined;
}

/** `const { Client } = pg` and `const { open } = require('fs')` import as `import` does. */
function importedAs(
  { key, target }: ObjectPattern['properties'][number],
  module: string | undefined,
): Details {
  if (module === undefined || key === undefined || target.kind !== 'name') return {};
  return { imported: { local: target, imported: key, module } };
}

// Ids are unique across files, because calls are followed into other files.
let count = 0;

class Binder {
  #class: ClassNode | undefined;

  file(file: SourceFile): void {
    const scope = new Scope(undefined, undefined, true);
    for (const imported of file.imports) {
      this.#declare(scope, imported.local, 'import', { imported });
    }
    file.body.declares = this.#body(scope, file.body.statements);
  }

  #declare(scope: Scope, name: Name, form: Form, details: Details = {}): Variable {
    const existing = scope.names.get(name.text);
    const variable = existing ?? {
      id: count++,
      name: name.text,
      form,
      home: scope.home,
      type: details.type,
      initializer: details.initializer,
      imported: details.imported,
      partOf: details.partOf,
      assignments: 0,
      captured: false,
      called: new Set(),
      passedTo: new Set(),
      meaning: undefined,
    };
    if (existing !== undefined) existing.assignments++;
    scope.names.set(name.text, variable);
    name.variable = variable;
    return variable;
  }

  /** Declares the names of a pattern; only a plain name has the declaration's type and value. */
  #pattern(scope: Scope, target: Pattern, form: Form, details: Details = {}): void {
    const partOf = details.partOf ?? details.initializer;
    if (target.kind === 'name') {
      bind(details.initializer, this.#declare(scope, target, form, details));
    } else if (target.kind === 'objectPattern') {
      const module =
        details.initializer && moduleOf(details.initializer, ({ text }) => scope.find(text));
      for (const property of target.properties) {
        this.#pattern(scope, property.target, form, { ...importedAs(property, module), partOf });
      }
    } else if (target.kind === 'arrayPattern') {
      for (const element of target.elements) {
        if (element) this.#pattern(scope, element.target, form, { partOf });
      }
    }
  }

  /** Hoists the declarations of a list of statements, then resolves their names. */
  #body(scope: Scope, statements: readonly Statement[]): Variable[] {
    this.#hoist(scope, statements);
    const declared = [...scope.names.values()];
    for (const statement of statements) this.#node(scope, statement);
    return declared;
  }

  #hoist(scope: Scope, statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (statement.kind === 'declaration') {
        const { declaration } = statement;
        const form = declaration.kind === 'class' ? 'class' : 'function';
        if (declaration.name === undefined) continue;
        const existing = scope.names.get(declaration.name);
        // Overloads and interfaces that merge with a class declare it once more.
        declaration.self = existing ?? this.#named(scope, declaration.name, form, declaration);
        const { initializer } = declaration.self;
        const bodiless = initializer?.kind === 'function' && initializer.body === undefined;
        if (bodiless || (initializer?.kind === 'class' && initializer.isInterface)) {
          Object.assign(declaration.self, { initializer: declaration });
        }
      } else if (statement.kind === 'variables' && statement.form !== 'var') {
        const form = statement.form === 'await using' ? 'using' : statement.form;
        for (const { target, type, initializer } of statement.declarations) {
          this.#pattern(scope, target, form, { type, initializer });
        }
      }
    }
    if (scope.isFunction) for (const statement of statements) this.#hoistVars(scope, statement);
  }

  #named(scope: Scope, text: string, form: Form, initializer: Expression): Variable {
    const name: Name = {
      ...initializer,
      kind: 'name',
      text,
      variable: undefined,
      origin: undefined,
    };
    return this.#declare(scope, name, form, { initializer });
  }

  #hoistVars(scope: Scope, node: Node): void {
    if (node.kind === 'function' || node.kind === 'class') return;
    if (node.kind === 'variables' && node.form === 'var') {
      for (const { target, type, initializer } of node.declarations) {
        this.#pattern(scope, target, 'var', { type, initializer });
      }
    }
    // Only statements can contain a `var`.
    if (STATEMENTS.has(node.kind)) forEachChild(node, (child) => this.#hoistVars(scope, child));
  }

  #node(scope: Scope, node: Node): void {
    switch (node.kind) {
      case 'name':
        return this.#use(scope, node);
      case 'function':
        return this.#function(scope, node);
      case 'class':
        return this.#classNode(scope, node);
      case 'block': {
        const inner = new Scope(scope, scope.home, false);
        node.declares = this.#body(inner, node.statements);
        return;
      }
      case 'loop':
      case 'forEach': {
        const inner = new Scope(scope, scope.home, false);
        const head = node.kind === 'loop' ? node.init : node.binding;
        if (head?.kind === 'variables') this.#hoist(inner, [head]);
        node.declares = [...inner.names.values()];
        return forEachChild(node, (child) => this.#node(inner, child));
      }
      case 'switch': {
        this.#node(scope, node.subject);
        const inner = new Scope(scope, scope.home, false);
        const bodies = node.cases.flatMap(({ body }) => body);
        for (const { test } of node.cases) if (test) this.#node(inner, test);
        node.declares = this.#body(inner, bodies);
        return;
      }
      case 'try':
        return this.#try(scope, node);
      case 'call':
        forEachChild(node, (child) => this.#node(scope, child));
        noteMethod(node);
        return notePassed(node);
      case 'assign':
        this.#assigned(node.target, scope);
        if (node.target.kind === 'name') bind(node.value, scope.find(node.target.text));
        return forEachChild(node, (child) => this.#node(scope, child));
      case 'unary':
        if (node.operator === 'update') this.#assigned(node.operand, scope);
        return this.#node(scope, node.operand);
      default:
        return forEachChild(node, (child) => this.#node(scope, child));
    }
  }

  #try(scope: Scope, node: Extract<Statement, { kind: 'try' }>): void {
    this.#node(scope, node.block);
    if (node.handler !== undefined) {
      const inner = new Scope(scope, scope.home, false);
      if (node.parameter !== undefined) this.#pattern(inner, node.parameter, 'let');
      if (node.parameter !== undefined) this.#node(inner, node.parameter);
      this.#node(inner, node.handler);
    }
    if (node.finalizer !== undefined) this.#node(scope, node.finalizer);
  }

  #assigned(target: Pattern, scope: Scope): void {
    if (target.kind === 'name') {
      const variable = scope.find(target.text);
      if (variable !== undefined) variable.assignments++;
    } else if (target.kind === 'objectPattern') {
      for (const property of target.properties) this.#assigned(property.target, scope);
    } else if (target.kind === 'arrayPattern') {
      for (const element of target.elements) if (element) this.#assigned(element.target, scope);
    }
  }

  #use(scope: Scope, name: Name): void {
    name.variable ??= scope.find(name.text);
    const { variable } = name;
    if (variable !== undefined && variable.home !== scope.home) variable.captured = true;
  }

  #function(scope: Scope, node: FunctionNode): void {
    node.owner = this.#class;
    node.outer = scope.home;
    const inner = new Scope(scope, node, true);
    if (node.form === 'function' && node.name !== undefined && node.self === undefined) {
      node.self = this.#named(inner, node.name, 'function', node);
    }
    for (const { target, type } of node.parameters) {
      this.#pattern(inner, target, 'parameter', { type });
    }
    for (const { target, initializer } of node.parameters) {
      this.#node(inner, target);
      if (initializer) this.#node(inner, initializer);
    }
    const { body } = node;
    if (body === undefined) return;
    if (body.kind === 'block') body.declares = this.#body(inner, body.statements);
    else this.#node(inner, body);
  }

  #classNode(scope: Scope, node: ClassNode): void {
    const outer = this.#class;
    const inner = new Scope(scope, scope.home, false);
    if (node.name !== undefined && node.self === undefined) {
      node.self = this.#named(inner, node.name, 'class', node);
    }
    for (const base of node.heritage) this.#node(scope, base);
    this.#class = node;
    for (const { initializer } of node.fields) if (initializer) this.#node(inner, initializer);
    for (const block of node.statics) this.#node(inner, block);
    for (const method of node.methods) this.#node(inner, method);
    this.#class = outer;
  }
}

/** `const client = await pool.connect()`: records the variable at the call. */
function bind(value: Expression | undefined, variable: Variable | undefined): void {
  if (value?.kind === 'logical') return bind(value.right, variable);
  const call = value?.kind === 'await' ? value.operand : value;
  if (call?.kind !== 'call') return;
  call.bound = variable;
  call.isAwaited = call !== value;
}

function noteMethod({ callee }: CallExpression): void {
  if (callee.kind !== 'member' || callee.object.kind !== 'name') return;
  if (callee.name !== undefined) callee.object.variable?.called.add(callee.name);
}

function notePassed({ callee, args }: CallExpression): void {
  const name = callee.kind === 'name' ? callee.text : undefined;
  for (const argument of name === undefined ? [] : args) {
    if (argument.kind === 'name') argument.variable?.passedTo.add(name!);
  }
}

const STATEMENTS = new Set<Node['kind']>([
  'block',
  'variables',
  'if',
  'loop',
  'forEach',
  'try',
  'switch',
  'labeled',
]);

const BOUND = new WeakSet<SourceFile>();

/** Fills the variables of names and blocks; repeated calls have no effect. */
export function bindScopes(file: SourceFile): void {
  if (BOUND.has(file)) return;
  BOUND.add(file);
  new Binder().file(file);
}
