// Which functions are worth walking: those in which a handle may be. Names decide, before any type
// is asked for, so that the work follows the handles of a project and not its size.
import { hasTags } from '../contract/tags.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { walkOwn } from '../syntax/children.ts';
import type { Call, ClassNode, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import { alternatives, type TypeNode } from '../syntax/type-node.ts';

interface Facts {
  /** The functions and classes that it calls, by name. */
  readonly calls: ReadonlySet<string>;
  /** It creates, binds or takes handles itself. */
  readonly isDirect: boolean;
  readonly outer: FunctionNode | undefined;
}

export class Relevance {
  readonly #facts = new Map<FunctionNode | SourceFile, Facts>();
  readonly #names = new Set<string>();
  readonly #relevant = new Set<FunctionNode | SourceFile>();
  readonly #classes = new Set<ClassNode>();
  readonly #catalogue: Catalogue;
  readonly #modules: ReadonlySet<string>;
  readonly #typeNames = new Set<string>();
  readonly #tagged = new Set<string>();

  constructor(files: readonly SourceFile[], catalogue: Catalogue, tagged: readonly string[]) {
    this.#catalogue = catalogue;
    this.#modules = new Set(files.flatMap(({ imports }) => imports.map(({ module }) => module)));
    for (const name of tagged) this.#tagged.add(name.replace(/^.*\./, ''));
    for (const file of files) this.#taggedIn(file);
    for (const file of files) this.#collect(file);
    this.#spread(files);
  }

  has(fn: FunctionNode | SourceFile): boolean {
    return this.#relevant.has(fn);
  }

  hasClass(node: ClassNode): boolean {
    return this.#classes.has(node);
  }

  /** Names of tagged types, and of the functions that return them. */
  #taggedIn(file: SourceFile): void {
    if (!hasTags(file.text)) return;
    for (const node of file.classes) {
      if (hasTags(node.doc) && node.name) this.#typeNames.add(node.name).add(`new ${node.name}`);
    }
    for (const [name, { doc }] of file.typeAliases) if (hasTags(doc)) this.#typeNames.add(name);
    for (const fn of file.functions) {
      if (fn.name !== undefined && hasTags(fn.doc)) this.#tagged.add(fn.name);
    }
    for (const fn of file.functions) {
      const isOpaque = fn.body === undefined && fn.name !== undefined;
      if (isOpaque && mentions(fn.returns, this.#typeNames)) this.#tagged.add(fn.name!);
    }
  }

  #collect(file: SourceFile): void {
    for (const fn of file.functions) {
      const facts = this.#factsOf(fn, fn.body);
      const isTagged = fn.parameters.some(
        ({ doc, type }) => hasTags(doc) || this.#namesHandle(type),
      );
      this.#facts.set(fn, { ...facts, isDirect: facts.isDirect || isTagged, outer: fn.outer });
    }
    this.#facts.set(file, this.#factsOf(undefined, file.body));
  }

  #namesHandle(type: TypeNode | undefined): boolean {
    return mentions(type, this.#typeNames) || mentions(type, this.#catalogue.typeNames);
  }

  #factsOf(outer: FunctionNode | undefined, body: Node | undefined): Facts {
    const calls = new Set<string>();
    let isDirect = false;
    if (body !== undefined) {
      walkOwn(body, (node) => {
        if (node.kind === 'variables' && /using$/.test(node.form)) isDirect = true;
        if (node.kind !== 'call') return;
        const name = calledName(node);
        if (name === undefined) return;
        calls.add(node.isNew ? `new ${name}` : name);
        isDirect ||= this.#isSource(node, name);
      });
    }
    return { calls, isDirect, outer };
  }

  #isSource(node: Call, name: string): boolean {
    if (node.isNew && this.#typeNames.has(name)) return true;
    if (this.#tagged.has(name)) return true;
    return this.#catalogue.mayAcquire(node, name, this.#modules);
  }

  /** Functions that call relevant ones, and those around and inside them, are relevant. */
  #spread(files: readonly SourceFile[]): void {
    const open = new Map(this.#facts);
    for (let changed = true; changed; ) {
      changed = false;
      for (const [fn, { calls, isDirect }] of open) {
        const isRelevant = isDirect || [...calls].some((name) => this.#names.has(name));
        if (!isRelevant) continue;
        open.delete(fn);
        changed = true;
        this.#mark(fn);
      }
    }
    for (const file of files) for (const node of file.classes) this.#inherit(node);
  }

  #mark(fn: FunctionNode | SourceFile): void {
    this.#relevant.add(fn);
    if (!('kind' in fn)) return;
    if (fn.name !== undefined && mayReturnHandle(fn)) this.#names.add(fn.name);
    if (fn.self !== undefined && mayReturnHandle(fn)) this.#names.add(fn.self.name);
    this.#markClass(fn.owner);
    // A handle that an inner function creates or gets may be the outer one's, and the reverse.
    for (let each = fn.outer; each !== undefined; each = each.outer) {
      if (!this.#relevant.has(each)) this.#mark(each);
    }
  }

  #markClass(node: ClassNode | undefined): void {
    if (node === undefined || this.#classes.has(node)) return;
    this.#classes.add(node);
    if (node.name !== undefined) this.#names.add(`new ${node.name}`);
  }

  /** What extends an owner may be one. */
  #inherit(node: ClassNode): void {
    const initial = node.fields.some(({ initializer }) => {
      let found = false;
      if (initializer !== undefined) {
        walkOwn(initializer, (each) => {
          if (each.kind !== 'call') return;
          const name = calledName(each);
          if (name === undefined) return;
          const called = each.isNew ? `new ${name}` : name;
          found ||= this.#isSource(each, name) || this.#names.has(called);
        });
      }
      return found;
    });
    const extendsOwner = node.heritage.some(
      (each) => each.kind === 'name' && this.#names.has(`new ${each.text}`),
    );
    if (initial || extendsOwner) this.#markClass(node);
    if (this.#classes.has(node)) for (const method of node.methods) this.#relevant.add(method);
  }
}

function calledName({ callee }: Call): string | undefined {
  return callee.kind === 'name' ? callee.text : callee.kind === 'member' ? callee.name : undefined;
}

const PLAIN = /^(void|string|number|boolean|bigint|symbol|undefined|never)$/;

/** A function that is declared to return nothing of interest hands out no handle. */
function mayReturnHandle({ returns, form }: FunctionNode): boolean {
  if (form === 'constructor') return false;
  if (returns === undefined) return true;
  return alternatives(returns).some((type) => {
    const inner = type.kind === 'named' && type.name === 'Promise' ? type.args[0] : type;
    return !(inner?.kind === 'keyword' && PLAIN.test(inner.name));
  });
}

const MAX_TYPE_DEPTH = 4;

function mentions(type: TypeNode | undefined, names: ReadonlySet<string>, depth = 0): boolean {
  if (type === undefined || depth > MAX_TYPE_DEPTH) return false;
  const inner = (each: TypeNode): boolean => mentions(each, names, depth + 1);
  switch (type.kind) {
    case 'named':
      return names.has(type.name) || type.args.some(inner);
    case 'array':
      return inner(type.element);
    case 'tuple':
      return type.elements.some(inner);
    case 'union':
      return type.members.some(inner);
    case 'object':
      return type.members.some((member) => inner(member.type));
    case 'function':
      return type.parameters.some((each) => inner(each.type)) || inner(type.returns);
    default:
      return false;
  }
}
