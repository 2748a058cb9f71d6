// The project: files, contracts and call targets for the flow analysis.
import { contractOf, hasTags, promisesOf } from '../contract/tags.ts';
import { NO_PROMISES, type Contract, type FunctionContract } from '../contract/contract.ts';
import { Classes, NOTHING_OWNED, type ClassInfo } from '../flow/class-info.ts';
import type { FlowFinding } from '../flow/report.ts';
import { Summaries } from '../flow/summary.ts';
import type { ValueShape, CallTarget, World } from '../flow/world.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { SymbolInfo, TypeInfo, TypeOracle } from '../oracle.ts';
import { calledName } from '../syntax/called-name.ts';
import { walk } from '../syntax/children.ts';
import { bindScopes } from '../syntax/scope.ts';
import type {
  CallExpression,
  ClassNode,
  Expression,
  FunctionNode,
  SourceFile,
} from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';
import { followImports } from './imports.ts';
import { handleIn, isGuess } from './guesses.ts';
import { FileStore, type Library } from './library.ts';
import { literalsOf, type Literal } from './literals.ts';
import { memoized } from './memoized.ts';
import { TypeDeclarations } from './names.ts';
import { Relevance, type Spreading } from './relevance.ts';
import { roleFindings } from './role-rules.ts';
import { importedFrom, isRaii, roleFunctions, tidiedFunctions } from './roles.ts';
import { shapeOfType } from './shapes.ts';
import { ThrowAnalysis } from './may-throw.ts';
import { declaredContract } from './type-contract.ts';
import { isCalledUntidied } from './tidy-callers.ts';

export interface ProjectOptions {
  readonly strict: boolean;
  readonly catalogue: ModelCatalogue;
  /** Tags for declarations that have none, by name or `Owner.name`. */
  readonly tags: Readonly<Record<string, string>>;
  readonly report: (finding: FlowFinding) => void;
  /** Called at every followed call; an exception from it cancels the analysis. */
  readonly onCheckpoint?: (() => void) | undefined;
}

/** The file of a declaration's key. */
function pathOf(key: string): string {
  return key.slice(0, key.lastIndexOf('#'));
}

/** The deepest nesting of helper functions. */
const MAX_HELPERS = 3;

const NOTHING: ValueShape = { k: 'nothing' };

export class ProjectWorld implements World {
  readonly strict: boolean;
  readonly summaries: Summaries;
  readonly report: (finding: FlowFinding) => void;
  readonly relevance: Relevance;
  readonly #store: FileStore;
  readonly #options: ProjectOptions;
  readonly #oracle: TypeOracle;
  readonly #classes: Classes;
  readonly #declared = new Map<string, FunctionNode | ClassNode>();
  readonly #names = new TypeDeclarations();
  readonly #targets = new Map<CallExpression, CallTarget>();
  readonly #symbols = new Map<unknown, SymbolInfo | undefined>();
  readonly #types = new Map<unknown, TypeInfo | undefined>();
  readonly #resolved = new Set<SourceFile>();
  readonly #contracts = new Map<ClassNode, Contract | undefined>();
  readonly #roles = new Map<FunctionNode, boolean>();
  readonly #throwing = new ThrowAnalysis((call, file) => this.target(call, file));
  readonly #carried = new Map<FunctionNode, Contract | undefined>();
  readonly #tidied = new Map<FunctionNode, string>();
  /** The files that replaced others. */
  readonly #replaced = new WeakSet<SourceFile>();

  readonly #spreading: Spreading = {
    isFactory: (fn) => this.summaries.isFactory(fn),
    isOwner: (node) =>
      this.classInfo(node).owned.size > 0 || this.contractOfClass(node) !== undefined,
    loadNaming: (names) => this.#join(this.#store.naming(names)),
    resolve: (calls) => this.#leadTo(calls),
  };

  constructor(library: Library, oracle: TypeOracle, options: ProjectOptions) {
    this.#store = new FileStore(library);
    this.strict = options.strict;
    this.report = (finding) => {
      // In a RAII kernel, destructors release the handles.
      const isStage = finding.instance?.contract.isStage === true;
      if (finding.kind === 'leak' && isStage && isRaii(finding.file)) return;
      options.report(finding);
    };
    this.#options = options;
    this.#oracle = oracle;
    this.summaries = new Summaries(this);
    this.#classes = new Classes(this);
    const { catalogue, tags } = options;
    const imported = this.#store.imports();
    this.relevance = new Relevance(catalogue, imported, Object.keys(tags));
    this.#join(this.#store.seeds(catalogue, imported, Object.keys(tags)));
    this.relevance.spread(this.#spreading);
  }

  /**
   * Replaces a file by an edited version. Results about other files stay, even if they depend on
   * the old version: only a new project is fully up to date.
   */
  replace(file: SourceFile): void {
    const before = this.#store.replace(file);
    if (before !== undefined) this.#forget(before);
    this.#replaced.add(file);
    this.#join([file]);
    this.relevance.spreadInto(file, this.#spreading);
  }

  #forget(file: SourceFile): void {
    this.relevance.remove(file);
    this.#resolved.delete(file);
    for (const node of file.classes) {
      this.#contracts.delete(node);
      this.#classes.forget(node);
    }
    this.#names.forget(file, this.files);
    for (const fn of file.functions) {
      for (const map of [this.#roles, this.#carried, this.#tidied]) map.delete(fn);
      for (const memo of [this.summaries, this.#throwing]) memo.forget(fn);
    }
    // Calls from other files lead to the first version until there is a new project.
    if (this.#replaced.has(file))
      for (const key of file.declared.keys()) this.#declared.delete(key);
    walk(file.body, (node) => {
      if (node.kind !== 'call') return;
      this.#targets.delete(node);
      this.#types.delete(node.origin);
      if (node.callee.kind === 'member' || node.callee.kind === 'name') {
        this.#symbols.delete(node.callee.origin);
      }
    });
  }

  /** The parsed files; other files contain no handles. */
  get files(): readonly SourceFile[] {
    return this.#store.loaded;
  }

  /** Every file that findings may depend on. */
  get sources(): string[] {
    return [...this.#store.names];
  }

  /** Adds files, and the files that mention their declarations. */
  #join(files: readonly SourceFile[]): void {
    for (let next = files; next.length > 0;) {
      for (const file of next) this.#add(file);
      next = this.#store.naming(this.relevance.add(next));
    }
  }

  /** A declaration, by the key of a symbol; parses its file if necessary. */
  #declaration(key: string): FunctionNode | ClassNode | undefined {
    const cached = this.#declared.get(key);
    if (cached !== undefined) return cached;
    const file = this.#store.open(pathOf(key));
    if (file === undefined) return undefined;
    this.#add(file);
    this.relevance.add([file]);
    return this.#declared.get(key);
  }

  #add(file: SourceFile): void {
    bindScopes(file);
    for (const [key, node] of file.declared) this.#declared.set(key, node);
    this.#names.add(file);
    for (const { fn, isRound } of roleFunctions(file)) this.#roles.set(fn, isRound);
    for (const [fn, by] of tidiedFunctions(file, this.#options.catalogue.tidies)) {
      this.#tidied.set(fn, by);
    }
  }

  throwsOf(fn: FunctionNode): 1 | 2 | undefined {
    return this.#throwing.of(fn);
  }

  createsHandle(node: ClassNode): boolean {
    return this.relevance.createsHandle(node);
  }

  /** Its fields may hold handles. */
  isOwner(node: ClassNode): boolean {
    return this.relevance.hasClass(node);
  }

  isRelevant(fn: FunctionNode | SourceFile): boolean {
    return this.relevance.has(fn);
  }

  isRole(fn: FunctionNode): boolean {
    return this.#roles.has(fn);
  }

  roleFindings(role: FunctionNode): FlowFinding[] {
    const isRound = this.#roles.get(role) === true;
    return roleFindings(role, isRound, (call, file) => this.target(call, file));
  }

  /** The contract of a handle in the state of a `loop`. */
  carried(fn: FunctionNode): Contract | undefined {
    if (this.#roles.get(fn) !== true) return undefined;
    if (this.#carried.has(fn)) return this.#carried.get(fn);
    this.#carried.set(fn, undefined);
    const contract = this.summaries.returned(fn);
    const carried = contract?.isStage ? contract : undefined;
    this.#carried.set(fn, carried);
    return carried;
  }

  /** The result of a `loop`: its last state, if a round ends with it. */
  #result(round: FunctionNode, contract: Contract): ValueShape {
    const [first] = round.parameters;
    const name = first?.target.kind === 'name' ? first.target.text : '';
    const isHandedOut = round.file.text.slice(round.start, round.end).includes(`end(${name})`);
    if (!isHandedOut) return NOTHING;
    return { k: 'promise', of: { k: 'handle', contract, maybeNull: true } };
  }

  tidiedBy(fn: FunctionNode, depth = 0): string | undefined {
    for (let scope: FunctionNode | undefined = fn; scope !== undefined; scope = scope.outer) {
      const tidy = this.#tidied.get(scope);
      if (tidy !== undefined) return tidy;
    }
    // A helper that is only called inside cleanup scopes need not release its handles.
    if (this.#tidied.size === 0 || depth === MAX_HELPERS) return undefined;
    const callers = this.relevance.callersOf(fn).filter((caller) => caller !== fn);
    const tidied = callers.map((caller) =>
      'kind' in caller ? this.tidiedBy(caller, depth + 1) : undefined,
    );
    return tidied.every((by) => by !== undefined && by === tidied[0]) ? tidied[0] : undefined;
  }

  isCalledUntidied(fn: FunctionNode): boolean {
    const { tidies } = this.#options.catalogue;
    return isCalledUntidied(fn, (callee) => this.relevance.callersOf(callee), tidies);
  }

  literals(node: Expression, file: SourceFile): readonly Literal[] | undefined {
    return literalsOf(node, (name) => this.#names.alias(name, file)?.type);
  }

  /** The targets of calls; `undefined` where unknown. */
  #leadTo(calls: readonly CallExpression[]): (readonly (FunctionNode | ClassNode)[] | undefined)[] {
    const origins = calls.map(({ callee }) =>
      callee.kind === 'member' || callee.kind === 'name' ? callee.origin : undefined,
    );
    const unresolved = origins.filter((node) => node !== undefined && !this.#symbols.has(node));
    const symbols = this.#oracle.symbols(unresolved);
    for (const [index, origin] of unresolved.entries()) this.#symbols.set(origin, symbols[index]);
    return origins.map((origin) => {
      const symbol = this.#symbols.get(origin);
      if (symbol === undefined) return undefined;
      return symbol.declarations.flatMap((key) => this.#declaration(key) ?? []);
    });
  }

  /** Resolves all callees of a file in one query. */
  #resolveCalls(file: SourceFile): void {
    if (this.#resolved.has(file)) return;
    this.#resolved.add(file);
    const callees: unknown[] = [];
    const calls: unknown[] = [];
    walk(file.body, (node) => {
      if (node.kind !== 'call') return;
      const { callee } = node;
      if (callee.kind === 'member' || callee.kind === 'name') {
        callees.push(callee.origin);
        calls.push(node.origin);
      }
    });
    const symbols = this.#oracle.symbols(callees);
    for (const [index, origin] of callees.entries()) this.#symbols.set(origin, symbols[index]);
    followImports(file, this.#oracle, {
      mayBeCalled: (name) => this.#options.catalogue.mayBeCalled(name),
      fileOf: (key) => {
        this.#declaration(key);
        return this.#store.file(pathOf(key));
      },
      text: (paths) => this.#store.textOf(paths),
    });
    const typed = calls.filter((_, index) => this.#needsType(symbols[index]));
    const types = this.#oracle.types(typed);
    for (const [index, origin] of typed.entries()) this.#types.set(origin, types[index]);
  }

  /** Whether the type of the result is needed; functions of the project are analyzed instead. */
  #needsType(symbol: SymbolInfo | undefined): boolean {
    return (
      symbol === undefined ||
      !symbol.declarations.some((key) => this.#declaration(key) !== undefined)
    );
  }

  target(call: CallExpression, file: SourceFile): CallTarget {
    this.#options.onCheckpoint?.();
    const cached = this.#targets.get(call);
    if (cached !== undefined) return cached;
    this.#resolveCalls(file);
    const target = this.#resolve(call);
    this.#targets.set(call, target);
    return target;
  }

  #resolve(call: CallExpression): CallTarget {
    const type = this.#types.get(call.origin);
    const target = this.#declaredTarget(call, type);
    const last = call.args.at(-1);
    if (importedFrom(call) === 'loop' && last?.kind === 'function') {
      const carried = this.carried(last);
      if (carried !== undefined) return { ...target, owned: this.#result(last, carried) };
    }
    const { catalogue } = this.#options;
    const via = this.#via(target);
    const withVia = via === undefined ? target : { ...target, releases: via };
    const isModelled = isOwnLock(target, type) || catalogue.isEvenInProject(target.name);
    const asLock = isModelled ? { ...withVia, fn: undefined, classNode: undefined } : withVia;
    const refined = catalogue.refine(call, asLock, type);
    if (!isGuess(refined.owned) && !isGuess(refined.guess)) return refined;
    return this.#isRefuted(call, refined)
      ? { ...refined, owned: NOTHING, guess: NOTHING }
      : refined;
  }

  /** The target by the declarations of its callee, before resource models refine it. */
  #declaredTarget(call: CallExpression, type: TypeInfo | undefined): CallTarget {
    const { callee } = call;
    const isNamed = callee.kind === 'member' || callee.kind === 'name';
    const symbol = this.#symbols.get(isNamed ? callee.origin : undefined);
    const declared = (symbol?.declarations ?? []).flatMap((key) => this.#declaration(key) ?? []);
    const classNode = declared.find((node): node is ClassNode => node.kind === 'class');
    const functions = declared.filter((node): node is FunctionNode => node.kind === 'function');
    const candidates = call.isNew ? constructorsOf(classNode) : functions;
    const fn =
      candidates.find(({ body }) => body !== undefined) ?? candidates[0] ?? memoized(callee);
    const name = calledName(call);
    const stated = this.#promises(candidates, fn, name);
    const promises = endsProcess(call) ? { ...stated, exits: true } : stated;
    return {
      name,
      fn,
      classNode,
      module: symbol?.module,
      owner: symbol?.owner,
      promises,
      owned: fn !== undefined && !call.isNew ? this.#owned(fn, promises) : NOTHING,
      guess: NOTHING,
      takes: [],
      releases: undefined,
      isAny: symbol === undefined && type?.isAny !== false,
      isNever: type?.isNever === true || isNeverType(fn),
      isPromise: type?.isPromise === true || isPromiseType(fn),
      callbackHandles: undefined,
    };
  }

  /** A guess by names is wrong where the known type has no method that releases the handle. */
  #isRefuted({ origin }: CallExpression, { owned, guess }: CallTarget): boolean {
    const handle = handleIn(isGuess(owned) ? owned : guess);
    if (handle === undefined || handle.contract.mustCall) return false;
    const { release } = handle.contract;
    if (release.length === 0) return false;
    return this.#oracle.hasMember({ node: origin, path: handle.path, members: release }) === false;
  }

  #promises(
    candidates: readonly FunctionNode[],
    fn: FunctionNode | undefined,
    name: string | undefined,
  ): FunctionContract {
    const owner = fn?.owner?.name;
    const { tags } = this.#options;
    const stated = tags[`${owner}.${name}`] ?? (owner === undefined ? tags[name ?? ''] : undefined);
    if (stated !== undefined) return promisesOf(stated);
    const tagged = candidates.find(({ doc }) => hasTags(doc));
    return tagged === undefined ? NO_PROMISES : promisesOf(tagged.doc);
  }

  /** The handles that a function without a body returns to its caller. */
  #owned(fn: FunctionNode, promises: FunctionContract): ValueShape {
    if (fn.body !== undefined && promises.returns !== 'owned') return NOTHING;
    if (promises.mustCall) return this.#called(fn);
    return this.shapeOf(fn.returns, fn);
  }

  #called({ returns, name }: FunctionNode): ValueShape {
    const contract = contractOf(name ?? 'function', '@mustCall')!;
    const maybeNull = returns?.kind === 'union';
    const handle: ValueShape = { k: 'handle', contract, maybeNull };
    const isPromise = returns?.kind === 'named' && returns.name === 'Promise';
    return isPromise ? { k: 'promise', of: handle } : handle;
  }

  /** `pool.giveBack(conn)` releases `conn`, if its type says so. */
  #via({ name, fn, owner }: CallTarget): CallTarget['releases'] {
    if (fn === undefined || name === undefined) return undefined;
    for (const { type } of fn.parameters) {
      const shape = this.shapeOf(type, fn);
      if (shape.k !== 'handle') continue;
      const via = shape.contract.via.find(
        (rule) => rule.name === name && (rule.owner === undefined || rule.owner === owner),
      );
      if (via !== undefined) return via;
    }
    return undefined;
  }

  contractOfClass(node: ClassNode): Contract | undefined {
    if (this.#contracts.has(node)) return this.#contracts.get(node);
    this.#contracts.set(node, undefined);
    const baseOf = ({ heritage: [first] }: ClassNode): ClassNode | undefined =>
      first && this.classOf(first);
    const declared = declaredContract(node, this.#options.tags, baseOf);
    const base = baseOf(node);
    const inherited = declared ?? (base && base !== node ? this.contractOfClass(base) : undefined);
    const contract = inherited ?? this.classInfo(node).contract;
    this.#contracts.set(node, contract);
    return contract;
  }

  classInfo(node: ClassNode): ClassInfo {
    return this.relevance.hasClass(node) ? this.#classes.info(node) : NOTHING_OWNED;
  }

  shapeOf(type: TypeNode | undefined, fn: FunctionNode): ValueShape {
    return shapeOfType(type, {
      contract: (name) => this.#contractNamed(name, fn.file),
      alias: (name) => this.#names.alias(name, fn.file)?.type,
    });
  }

  #contractNamed(name: string, file: SourceFile): Contract | undefined {
    const alias = this.#names.alias(name, file);
    if (alias !== undefined && hasTags(alias.doc)) return contractOf(name, alias.doc);
    const node = this.#names.classNamed(name, file);
    if (node !== undefined) return this.contractOfClass(node);
    const imported = file.imports.find(({ local }) => local.text === name);
    return this.#options.catalogue.typeNamed(imported?.imported ?? name, imported?.module);
  }

  classOf(expression: Expression): ClassNode | undefined {
    return this.#names.classOf(expression);
  }

  derived(): Contract | undefined {
    return undefined;
  }
}

/**
 * `acquire()` of a lock that the project implements: its result releases the lock, however its body
 * achieves that.
 */
function isOwnLock({ fn, name = '' }: CallTarget, type: TypeInfo | undefined): boolean {
  if (fn?.owner?.name === undefined || !/^(acquire|lock)$/.test(name)) return false;
  return /(Mutex|Lock)$/.test(fn.owner.name) && type?.name === undefined;
}

function constructorsOf(node: ClassNode | undefined): readonly FunctionNode[] {
  return node?.methods.filter(({ form }) => form === 'constructor') ?? [];
}

/** `process.exit()`, with or without installed types of Node.js. */
function endsProcess({ callee }: CallExpression): boolean {
  if (callee.kind !== 'member' || callee.object.kind !== 'name') return false;
  const { text, variable } = callee.object;
  const isOuter = variable === undefined || variable.imported !== undefined;
  return isOuter && /^(process|Deno)$/.test(text) && /^(exit|abort)$/.test(callee.name ?? '');
}

function isNeverType(fn: FunctionNode | undefined): boolean {
  return fn?.returns?.kind === 'keyword' && fn.returns.name === 'never';
}

function isPromiseType(fn: FunctionNode | undefined): boolean {
  return fn?.returns?.kind === 'named' && /^Promise(Like)?$/.test(fn.returns.name);
}
