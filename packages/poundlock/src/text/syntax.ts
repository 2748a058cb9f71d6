// The text of a program as syntax trees: each node with its parent, each name with its variable.
import { parse } from 'acorn';

/** A node of a tree, as the ESTree specification has it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export type VariableKind = 'import' | 'const' | 'let' | 'param' | 'rest' | 'function' | 'class';

/** A variable, and where it is used. */
export interface Variable {
  readonly name: string;
  /** The module that declares it. */
  readonly file: string;
  readonly kind: VariableKind;
  /** The name where it is declared. */
  readonly id: Node;
  /** The function or module that it is declared in. */
  readonly owner: Node;
  /** Its function or class, or what it is declared with, if a pattern does not divide that. */
  readonly init: Node | null;
  /** What a pattern takes it from. */
  readonly whole: Node | null;
  /** Where it is imported from. */
  readonly from: { readonly module: string; readonly name: string } | null;
  /** Every name that stands for it, but for its declarations. */
  readonly uses: Node[];
}

/** A module with what its names stand for. */
export interface Module {
  readonly file: string;
  readonly text: string;
  readonly program: Node;
  readonly parents: ReadonlyMap<Node, Node>;
  readonly variables: ReadonlyMap<Node, Variable>;
  /** What it exports, by name. */
  readonly exports: ReadonlyMap<string, Variable>;
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'StaticBlock',
  'PropertyDefinition',
]);

/** Whether a node is a function, or what runs as one. */
export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.type);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The nodes right below a node. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}

/** A field that is a node. */
export function child(node: Node, field: string): Node | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

/** A field that is a list of nodes. */
export function list(node: Node, field: string): readonly Node[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A node and all below it. */
export function* within(node: Node): Generator<Node> {
  yield node;
  for (const one of childrenOf(node)) yield* within(one);
}

/** The position of an offset in a module. */
export function positionAt({ file, text }: Module, offset: number) {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { file, line, column: offset - before.lastIndexOf('\n') };
}

/** Reads a module; `null` where its text is not understood. */
export function readModule(file: string, text: string): Module | null {
  try {
    const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
    return new Reader(file, text, program as unknown as Node).module();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

type Scope = Map<string, Variable>;

/** Walks a tree with the variables of each block. */
class Reader {
  readonly #parents = new Map<Node, Node>();
  readonly #variables = new Map<Node, Variable>();
  readonly #top: Scope = new Map();
  readonly #module: Pick<Module, 'file' | 'text' | 'program'>;

  constructor(file: string, text: string, program: Node) {
    this.#module = { file, text, program };
  }

  module(): Module {
    const { program } = this.#module;
    this.#declareAll(list(program, 'body'), this.#top, program);
    for (const one of list(program, 'body')) this.#walk(one, program, [this.#top], program);
    const [parents, variables] = [this.#parents, this.#variables];
    return { ...this.#module, parents, variables, exports: this.#exports() };
  }

  #exports(): Map<string, Variable> {
    const found = new Map<string, Variable>();
    for (const one of list(this.#module.program, 'body')) {
      const declared = child(one, 'declaration');
      if (declared !== null)
        for (const name of namesDeclaredBy(declared)) found.set(name, this.#top.get(name)!);
      for (const each of list(one, 'specifiers')) {
        const local = child(each, 'local');
        const exported = child(each, 'exported');
        const variable = this.#top.get(String(local?.['name']));
        if (exported !== null && variable !== undefined)
          found.set(String(exported['name']), variable);
      }
    }
    return found;
  }

  /** Declares what statements declare for their whole block. */
  #declareAll(statements: readonly Node[], scope: Scope, owner: Node): void {
    for (const statement of statements) {
      const declared = child(statement, 'declaration') ?? statement;
      if (declared.type === 'ImportDeclaration') this.#import(declared, scope, owner);
      if (declared.type === 'FunctionDeclaration' || declared.type === 'ClassDeclaration') {
        const kind = declared.type === 'FunctionDeclaration' ? 'function' : 'class';
        const id = child(declared, 'id');
        if (id !== null) this.#declare(id, kind, scope, owner, declared, null);
      }
      const isOfBlock = declared['kind'] !== 'var' || scope === this.#top;
      if (declared.type === 'VariableDeclaration' && isOfBlock)
        this.#declareVariables(declared, scope, owner);
    }
  }

  #import(statement: Node, scope: Scope, owner: Node): void {
    const module = String(child(statement, 'source')?.['value']);
    for (const each of list(statement, 'specifiers')) {
      const imported = child(each, 'imported');
      const name =
        each.type === 'ImportSpecifier' ? String(imported?.['name']) : each.type.slice(6, -9);
      const from = { module, name };
      this.#declare(child(each, 'local')!, 'import', scope, owner, null, null, from);
    }
  }

  #declareVariables(declaration: Node, scope: Scope, owner: Node): void {
    const kind = declaration['kind'] === 'let' || declaration['kind'] === 'var' ? 'let' : 'const';
    for (const each of list(declaration, 'declarations'))
      this.#pattern(child(each, 'id')!, kind, scope, owner, child(each, 'init'), true);
  }

  /** Declares the names of a pattern. */
  #pattern(
    pattern: Node,
    kind: VariableKind,
    scope: Scope,
    owner: Node,
    init: Node | null,
    isWhole: boolean,
  ): void {
    if (pattern.type === 'Identifier') {
      const [own, whole] = isWhole ? [init, null] : [null, init];
      return this.#declare(pattern, kind, scope, owner, own, whole);
    }
    if (pattern.type === 'AssignmentPattern')
      return this.#pattern(child(pattern, 'left')!, kind, scope, owner, init, false);
    if (pattern.type === 'RestElement') {
      const rest = kind === 'param' && isWhole ? 'rest' : kind;
      return this.#pattern(child(pattern, 'argument')!, rest, scope, owner, init, false);
    }
    const parts = pattern.type === 'ObjectPattern' ? 'properties' : 'elements';
    for (const part of list(pattern, parts)) {
      const value = part.type === 'Property' ? child(part, 'value')! : part;
      this.#pattern(value, kind, scope, owner, init, false);
    }
  }

  #declare(
    id: Node,
    kind: VariableKind,
    scope: Scope,
    owner: Node,
    init: Node | null,
    whole: Node | null,
    from: Variable['from'] = null,
  ): void {
    const name = String(id['name']);
    const { file } = this.#module;
    const variable: Variable = { name, file, kind, id, owner, init, whole, from, uses: [] };
    scope.set(name, variable);
    this.#variables.set(id, variable);
  }

  #walk(node: Node, parent: Node, scopes: readonly Scope[], owner: Node): void {
    this.#parents.set(node, parent);
    if (node.type === 'Identifier') return this.#use(node, parent, scopes);
    const inner = isFunction(node) ? node : owner;
    const own = this.#scopeOf(node, inner);
    const all = own === null ? scopes : [...scopes, own];
    for (const one of childrenOf(node)) this.#walk(one, node, all, inner);
  }

  /** The variables that a node declares for what is in it; `null` for none. */
  #scopeOf(node: Node, owner: Node): Scope | null {
    const scope: Scope = new Map();
    if (isFunction(node)) {
      const id = child(node, 'id');
      if (id !== null && node.type === 'FunctionExpression')
        this.#declare(id, 'function', scope, owner, node, null);
      for (const param of list(node, 'params'))
        this.#pattern(param, 'param', scope, owner, null, true);
      for (const one of varsOf(node)) this.#declareVariables(one, scope, owner);
      if (node.type === 'StaticBlock') this.#declareAll(list(node, 'body'), scope, owner);
      return scope;
    }
    if (node.type === 'BlockStatement') this.#declareAll(list(node, 'body'), scope, owner);
    else if (node.type === 'SwitchStatement')
      this.#declareAll(
        list(node, 'cases').flatMap((each) => list(each, 'consequent')),
        scope,
        owner,
      );
    else if (node.type === 'CatchClause') {
      const param = child(node, 'param');
      if (param !== null) this.#pattern(param, 'param', scope, owner, null, true);
    } else {
      // `for (const x of list)`: each is a part of the list.
      const declared = child(node, 'init') ?? child(node, 'left');
      if (declared?.type !== 'VariableDeclaration') return null;
      const part = child(node, 'right');
      const kind = declared['kind'] === 'const' ? 'const' : 'let';
      if (part === null) this.#declareVariables(declared, scope, owner);
      else
        for (const each of list(declared, 'declarations'))
          this.#pattern(child(each, 'id')!, kind, scope, owner, part, false);
    }
    return scope;
  }

  #use(node: Node, parent: Node, scopes: readonly Scope[]): void {
    const isKey =
      (parent.type === 'MemberExpression' && parent['property'] === node) ||
      (KEYED.has(parent.type) && parent['key'] === node);
    if ((isKey && parent['computed'] !== true) || UNNAMED.has(parent.type)) return;
    const known = this.#variables.get(node);
    if (known !== undefined) return;
    const name = String(node['name']);
    const variable = scopes.findLast((scope) => scope.has(name))?.get(name);
    if (variable === undefined) return;
    this.#variables.set(node, variable);
    variable.uses.push(node);
  }
}

const KEYED = new Set(['Property', 'MethodDefinition', 'PropertyDefinition']);
/** Where names are labels, or those of other modules. */
const UNNAMED = new Set([
  'BreakStatement',
  'ContinueStatement',
  'LabeledStatement',
  'ImportSpecifier',
  'ImportDefaultSpecifier',
  'ImportNamespaceSpecifier',
  'MetaProperty',
]);

/** The `var` declarations of a function, without those of functions in it. */
function varsOf(node: Node): Node[] {
  return childrenOf(node).flatMap((one) => {
    if (isFunction(one)) return [];
    const own = one.type === 'VariableDeclaration' && one['kind'] === 'var' ? [one] : [];
    return [...own, ...varsOf(one)];
  });
}

function namesDeclaredBy(declaration: Node): string[] {
  const id = child(declaration, 'id');
  if (id !== null) return [String(id['name'])];
  return list(declaration, 'declarations').flatMap((each) => {
    const name = child(each, 'id');
    return name?.type === 'Identifier' ? [String(name['name'])] : [];
  });
}
