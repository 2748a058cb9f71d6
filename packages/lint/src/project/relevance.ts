// Relevance: the functions that may contain a handle. Names decide before types are resolved, so
// that the work depends on the handles of a project and not on its size.
import { hasHandleTags } from '../contract/tags.ts';
import { endsOfLocal } from '../heuristics/ended-locals.ts';
import type { CallSite } from '../heuristics/runs-once.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import { calledName } from '../syntax/called-name.ts';
import { walkOwn } from '../syntax/children.ts';
import type { CallExpression, ClassNode, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import { mentions } from '../syntax/mentions.ts';
import { HandleNames, type Names } from './handle-names.ts';

type Owner = FunctionNode | SourceFile;

/** The queries of spreading: functions are walked to see whether they return handles. */
export interface Spreading {
  /** Whether the caller must release a function's result. */
  readonly isFactory: (fn: FunctionNode) => boolean;
  readonly isOwner: (node: ClassNode) => boolean;
  /** Reads the files that mention a type or call a function, and adds them. */
  readonly loadNaming: (names: Names) => void;
  /** The targets of each call. */
  readonly resolve: (
    calls: readonly CallExpression[],
  ) => (readonly (FunctionNode | ClassNode)[] | undefined)[];
}

export class Relevance {
  readonly #sites = new Map<string, CallSite[]>();
  readonly #relevant = new Set<Owner>();
  readonly #classes = new Set<ClassNode>();
  readonly #catalogue: ModelCatalogue;
  readonly #modules: ReadonlySet<string>;
  readonly #names: HandleNames;
  readonly #queue: Owner[] = [];
  readonly #done = new Set<ClassNode>();
  readonly #initializing = new Set<ClassNode>();
  /** Functions that return handles, by the names that they are called by. */
  readonly #factories = new Map<string, (FunctionNode | ClassNode)[]>();

  /** `imported` are all modules that the project imports. */
  constructor(catalogue: ModelCatalogue, imported: ReadonlySet<string>, tagged: readonly string[]) {
    this.#catalogue = catalogue;
    this.#modules = imported;
    this.#names = new HandleNames(tagged);
  }

  /** Reads the types of files; returns the names by which other files can obtain handles. */
  learn(files: readonly SourceFile[]): Names {
    return this.#names.learn(files);
  }

  /** Adds files that were read: marks the functions that create or take handles. */
  add(files: readonly SourceFile[]): void {
    const { types, functions } = this.learn(files);
    for (const file of files) this.#collect(file);
    // Calls in files that were added before.
    for (const name of [...types, ...functions]) {
      for (const key of [name, `new ${name}`]) {
        for (const { owner } of this.#sites.get(key) ?? []) this.#mark(owner);
      }
    }
  }

  has(fn: Owner): boolean {
    return this.#relevant.has(fn);
  }

  /** The functions that call a function of the same name. */
  callersOf(fn: FunctionNode): Owner[] {
    return this.sitesOf(fn).map(({ owner }) => owner);
  }

  /** The calls of functions of the same name, and of a constructor's class. */
  sitesOf(fn: FunctionNode): readonly CallSite[] {
    const isNew = fn.form === 'constructor';
    const names = isNew ? [`new ${fn.owner?.name}`] : namesOf(fn);
    return names.flatMap((name) => this.#sites.get(name) ?? []);
  }

  /** Whether constructing an instance creates or takes a handle. */
  createsHandle(node: ClassNode): boolean {
    const constructor = node.methods.find(({ form, body }) => form === 'constructor' && body);
    return this.#initializing.has(node) || (constructor !== undefined && this.has(constructor));
  }

  hasClass(node: ClassNode): boolean {
    return this.#classes.has(node);
  }

  #collect(file: SourceFile): void {
    const isHandle = (name: string): boolean => {
      if (this.#names.isStated(name)) return true;
      if (!this.#catalogue.typeNames.has(name)) return false;
      const imported = file.imports.find(({ local }) => local.text === name);
      return this.#catalogue.typeNamed(imported?.imported ?? name, imported?.module) !== undefined;
    };
    for (const fn of file.functions) {
      const takesHandle =
        this.#namesType(fn) ||
        fn.parameters.some(({ doc, type }) => hasHandleTags(doc) || mentions(type, isHandle));
      if (this.#looksAt(fn, fn.body) || takesHandle) this.#mark(fn);
    }
    if (this.#looksAt(file, file.body)) this.#mark(file);
    for (const node of file.classes) {
      const starts = node.fields.map(({ initializer }) => this.#looksAt(file, initializer, node));
      if (!starts.includes(true)) continue;
      this.#initializing.add(node);
      this.#markClass(node);
    }
  }

  /** Whether the head of a function names a type of handles: `<T extends Handle>`. */
  #namesType({ file, start, body }: FunctionNode): boolean {
    if (body === undefined || !this.#names.statesAny) return false;
    const words = file.text.slice(start, body.start).match(/[A-Za-z_$][\w$]*/g) ?? [];
    return words.some((word) => this.#names.isStated(word));
  }

  /** Records the calls of a body; returns whether it creates or binds handles itself. */
  #looksAt(owner: Owner, body: Node | undefined, field?: ClassNode): boolean {
    let isDirect = false;
    if (body === undefined) return false;
    let text: string | undefined;
    const around = (): string => (text ??= textOf(owner));
    walkOwn(body, (node) => {
      if (node.kind === 'variables' && node.form.endsWith('using')) isDirect = true;
      if (node.kind === 'name' && this.#names.isStated(node.text)) isDirect = true;
      if (node.kind !== 'call') return;
      const name = calledName(node);
      if (name === undefined) return;
      const key = node.isNew ? `new ${name}` : name;
      const sites = this.#sites.get(key);
      const site = { call: node, owner: field?.methods[0] ?? owner };
      if (sites === undefined) this.#sites.set(key, [site]);
      else sites.push(site);
      isDirect ||= this.#isSource(node, name, around);
    });
    return isDirect;
  }

  #isSource(node: CallExpression, name: string, around: () => string): boolean {
    if (node.isNew && this.#names.isType(name)) return true;
    if (this.#names.isFunction(node.isNew ? `new ${name}` : name)) return true;
    if (endsOfLocal(node).length > 0) return true;
    return this.#catalogue.mayAcquire(node, name, this.#modules, around);
  }

  #mark(owner: Owner): void {
    if (this.#relevant.has(owner)) return;
    this.#relevant.add(owner);
    this.#queue.push(owner);
    if (!('kind' in owner)) return;
    this.#markClass(owner.owner);
    // An inner function and the outer one may share handles.
    if (owner.outer !== undefined) this.#mark(owner.outer);
  }

  #markClass(node: ClassNode | undefined): void {
    if (node === undefined) return;
    this.#classes.add(node);
  }

  /** Removes a file; functions that became relevant because of it stay relevant. */
  remove(file: SourceFile): void {
    for (const [key, sites] of this.#sites) {
      if (!sites.some(({ owner }) => fileOf(owner) === file)) continue;
      this.#sites.set(
        key,
        sites.filter(({ owner }) => fileOf(owner) !== file),
      );
    }
    for (const owner of [file, ...file.functions]) this.#relevant.delete(owner);
    for (const node of file.classes) {
      for (const set of [this.#classes, this.#done, this.#initializing]) set.delete(node);
    }
    for (const [key, makers] of this.#factories) {
      const others = makers.filter((maker) => maker.file !== file);
      if (others.length < makers.length) this.#factories.set(key, others);
    }
  }

  /** Marks the functions of a new file that call functions known to return handles. */
  spreadInto(file: SourceFile, by: Spreading): void {
    for (const [key, makers] of this.#factories) {
      const sites = (this.#sites.get(key) ?? []).filter(({ owner }) => fileOf(owner) === file);
      for (const maker of makers) this.#markCallers(sites, maker, by);
    }
    this.spread(by);
  }

  /** Marks callers of functions that return handles, transitively. */
  spread(by: Spreading): void {
    for (let owner = this.#queue.pop(); owner !== undefined; owner = this.#queue.pop()) {
      if ('kind' in owner) this.#spreadFrom(owner, by);
      for (const node of this.#classes) this.#spreadClass(node, by);
    }
  }

  #spreadFrom(fn: FunctionNode, by: Spreading): void {
    if (fn.owner !== undefined) this.#spreadClass(fn.owner, by);
    if (!this.#passesOn(fn) && !by.isFactory(fn)) return;
    const names = new Set(namesOf(fn));
    by.loadNaming({ types: new Set(), functions: names });
    this.#makes(fn, names);
    this.#markCallers(
      [...names].flatMap((name) => this.#sites.get(name) ?? []),
      fn,
      by,
    );
  }

  /** Whether a function hands handles to a callback: `withFile(work: (file: File) => T)`. */
  #passesOn({ parameters, body }: FunctionNode): boolean {
    if (body === undefined) return false;
    return parameters.some(
      ({ type }) =>
        type?.kind === 'function' &&
        type.parameters.some((each) => mentions(each.type, (name) => this.#names.isType(name))),
    );
  }

  #makes(maker: FunctionNode | ClassNode, keys: Iterable<string>): void {
    for (const key of keys) {
      const makers = this.#factories.get(key);
      if (makers === undefined) this.#factories.set(key, [maker]);
      else makers.push(maker);
    }
  }

  #spreadClass(node: ClassNode, by: Spreading): void {
    if (this.#done.has(node)) return;
    this.#done.add(node);
    if (!by.isOwner(node)) return;
    for (const method of node.methods) this.#mark(method);
    if (node.name !== undefined)
      by.loadNaming({ types: new Set([node.name]), functions: new Set() });
    this.#makes(node, [`new ${node.name}`]);
    this.#markCallers(this.#sites.get(`new ${node.name}`) ?? [], node, by);
  }

  #markCallers(sites: readonly CallSite[], callee: FunctionNode | ClassNode, by: Spreading): void {
    const unresolved = sites.filter(({ owner }) => !this.#relevant.has(owner));
    const resolved = by.resolve(unresolved.map(({ call }) => call));
    for (const [index, { owner }] of unresolved.entries()) {
      const isIt = resolved[index]?.some((target) => isCallOf(target, callee)) ?? true;
      if (isIt) this.#mark(owner);
    }
  }
}

/** The text of a function and of those around it, or of its class. */
function textOf(owner: Owner): string {
  if (!('kind' in owner)) return owner.text;
  let fn = owner;
  while (fn.outer !== undefined) fn = fn.outer;
  const { start, end } = fn.owner ?? fn;
  return fn.file.text.slice(start, end);
}

function fileOf(owner: Owner): SourceFile {
  return 'kind' in owner ? owner.file : owner;
}

/** A method of an interface may be implemented by any class. */
function isCallOf(target: FunctionNode | ClassNode, callee: FunctionNode | ClassNode): boolean {
  if (target === callee) return true;
  return target.kind === 'function' && target.body === undefined && target.name === callee.name;
}

function namesOf(fn: FunctionNode): string[] {
  const names = [fn.name, fn.self?.name].filter((name) => name !== undefined);
  return [...new Set([...names, ...variableNames(fn)])];
}

/** `const acquire = () => …`: functions are called by the names of variables that hold them. */
function variableNames(fn: FunctionNode): string[] {
  const { text } = fn.file;
  const before = text.slice(Math.max(0, fn.start - 80), fn.start);
  const name =
    /([\w$#]+)\s*(?::[^=\n]*)?=\s*(?:async\s*)?$/.exec(before)?.[1] ??
    /([\w$]+)\s*:\s*(?:async\s*)?$/.exec(before)?.[1];
  return name === undefined ? [] : [name];
}
