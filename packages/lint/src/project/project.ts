// The project: files, contracts and call targets for the flow analysis.
import type { Contract } from '../contract/contract.ts';
import { Holding, isPlainHandle } from '../flow/holding.ts';
import { Classes, NOTHING_OWNED, type ClassInfo } from '../flow/class-info.ts';
import type { CallSite } from '../heuristics/runs-once.ts';
import type { FlowFinding } from '../flow/report.ts';
import { Followed } from '../report/coverage.ts';
import type { HandleEnds } from '../report/handle-ends.ts';
import type { SourceRange } from '../flow/state.ts';
import { Summaries } from '../flow/summary.ts';
import type { ValueShape, CallTarget, ViewKind, World } from '../flow/world.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { IsOn } from '../heuristics/index.ts';
import { brandOf } from '../obligations/brands.ts';
import { TypeObligations, type NamedContracts } from '../obligations/from-type.ts';
import type { Ownership } from '../obligations/ownership.ts';
import type { Overlays } from '../obligations/overlays.ts';
import { ResultTypes } from '../obligations/result-types.ts';
import { TypeContracts } from '../obligations/type-contracts.ts';
import type { SymbolInfo, TypeOracle } from '../oracle.ts';
import { bindScopes } from '../syntax/scope.ts';
import type {
  CallExpression,
  ClassNode,
  Expression,
  FunctionNode,
  SourceFile,
} from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';
import { CallTargets } from './call-targets.ts';
import { FileStore, type Library } from './library.ts';
import { literalsOf, type Literal } from './literals.ts';
import { TypeDeclarations } from './names.ts';
import { ownershipOf } from './ownership.ts';
import { viewKindOf } from '../obligations/view-kind.ts';
import { Relevance, type Spreading } from './relevance.ts';
import { roleFindings } from './role-rules.ts';
import { importedFrom, isRaii, roleFunctions, tidiedFunctions } from './roles.ts';
import { shapeOfType } from './shapes.ts';
import { ThrowAnalysis } from './may-throw.ts';
import { isCalledUntidied } from './tidy-callers.ts';

export interface ProjectOptions {
  readonly strict: boolean;
  readonly catalogue: ModelCatalogue;
  /** Tags for declarations that have none, by name or `Owner.name`. */
  readonly tags: Readonly<Record<string, string>>;
  /** Declarations of packages that state no ownership themselves. */
  readonly overlays: Overlays;
  readonly report: (finding: FlowFinding) => void;
  /** Which heuristics are asked. */
  readonly isOn: IsOn;
  /** Called at every followed call; an exception from it cancels the analysis. */
  readonly onCheckpoint?: (() => void) | undefined;
  /** Files are only read when they are opened: no file is analyzed for what it may hold. */
  readonly isOpened?: boolean;
  /** Gets the ends of variables that hold handles. */
  readonly ends?: HandleEnds | undefined;
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
  readonly isOn: IsOn;
  readonly summaries: Summaries;
  readonly holding: Holding;
  readonly plainHolding: Holding;
  readonly report: (finding: FlowFinding) => void;
  readonly relevance: Relevance;
  readonly ownership: Ownership;
  readonly #store: FileStore;
  readonly #options: ProjectOptions;
  readonly #classes: Classes;
  readonly #declared = new Map<string, FunctionNode | ClassNode>();
  readonly #names = new TypeDeclarations();
  readonly followed = new Followed();
  readonly ends: HandleEnds | undefined;
  readonly #results: ResultTypes;
  readonly #targets: CallTargets;
  readonly #oracle: TypeOracle;
  readonly #viewKinds = new WeakMap<object, ViewKind>();
  readonly #contracts: TypeContracts;
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
    resolve: (calls) => this.#targets.leadTo(calls),
  };

  constructor(library: Library, oracle: TypeOracle, options: ProjectOptions) {
    this.#store = new FileStore(library);
    this.strict = options.strict;
    this.isOn = options.isOn;
    this.ends = options.ends;
    this.report = (finding) => {
      // In a RAII kernel, destructors release the handles.
      const isStage = finding.instance?.contract.isStage === true;
      if (finding.kind === 'leak' && isStage && isRaii(finding.file)) return;
      options.report(finding);
    };
    this.#options = options;
    this.#oracle = oracle;
    this.summaries = new Summaries(this);
    this.holding = new Holding(this);
    this.plainHolding = new Holding(this, isPlainHandle);
    this.#classes = new Classes(this);
    const { catalogue, tags, overlays } = options;
    this.#contracts = new TypeContracts({
      names: this.#names,
      tags,
      overlays,
      catalogue,
      classInfo: (node) => this.classInfo(node),
    });
    const obligations = new TypeObligations(
      this.namedContracts((node) => this.contractOfClass(node)),
    );
    this.#results = new ResultTypes(oracle, obligations, options.isOn);
    this.#targets = new CallTargets({
      oracle,
      catalogue,
      overlays,
      results: this.#results,
      tags,
      declaration: (key) => this.#declaration(key),
      fileOf: (key) => {
        this.#declaration(key);
        return this.#store.file(pathOf(key));
      },
      text: (paths) => this.#store.textOf(paths),
      isRelevant: (code) => this.relevance.has(code),
      shapeOf: (type, fn) => this.shapeOf(type, fn),
      carried: (call) => this.#loopResult(call),
      isOn: options.isOn,
    });
    this.ownership = ownershipOf(oracle, obligations, (call, file) => this.target(call, file));
    const imported = this.#store.imports();
    const tagged = [...Object.keys(tags), ...overlays.names];
    const disposables = this.#store.disposables(options.isOn);
    this.relevance = new Relevance(catalogue, imported, [...tagged, ...disposables]);
    if (options.isOpened) return;
    this.#join(this.#store.seeds(catalogue, imported, tagged, disposables));
    this.relevance.spread(this.#spreading);
  }

  /** The contracts of types by name, with those of classes from somewhere. */
  namedContracts(ofClass: (node: ClassNode) => Contract | undefined): NamedContracts {
    const { catalogue, overlays } = this.#options;
    return {
      overlay: ({ module, name }) => overlays.type(module, name),
      tagged: (name) => this.#taggedType(name, ofClass),
      modeled: ({ module, name }) =>
        module === undefined ? undefined : catalogue.typeNamed(name, module),
    };
  }

  /** The contract that the comments of a type, its bases or its fields state. */
  #taggedType(
    { name, declarations }: SymbolInfo,
    ofClass: (node: ClassNode) => Contract | undefined,
  ): Contract | undefined {
    for (const key of declarations) {
      const node = this.#declaration(key);
      if (node?.kind === 'class') return ofClass(node);
      const file = this.#store.file(pathOf(key));
      const contract = file && this.#contracts.aliasContract(name, file);
      if (contract !== undefined) return contract;
    }
    return undefined;
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
    this.#targets.forget(file);
    for (const node of file.classes) {
      this.#contracts.forget(node);
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
    const joined: SourceFile[] = [];
    for (let next = files; next.length > 0;) {
      for (const file of next) this.#add(file);
      joined.push(...next);
      next = this.#store.naming(this.relevance.learn(next));
    }
    this.relevance.add(joined);
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

  #loopResult(call: CallExpression): ValueShape | undefined {
    const last = call.args.at(-1);
    if (importedFrom(call) !== 'loop' || last?.kind !== 'function') return undefined;
    const carried = this.carried(last);
    return carried && this.#result(last, carried);
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

  follow(contract: Contract, site: SourceRange): void {
    this.followed.add(contract, site);
  }

  giveUp(fn: FunctionNode): void {
    this.followed.bounds.add(fn);
  }

  target(call: CallExpression, file: SourceFile): CallTarget {
    this.#options.onCheckpoint?.();
    return this.#targets.of(call, file);
  }

  /** The calls that lead to a function, or may, as far as files were read. */
  callsOf(fn: FunctionNode): CallSite[] {
    const isPlain = fn.owner === undefined && fn.name !== undefined;
    return this.relevance.sitesOf(fn).filter(({ call, owner }) => {
      const { fn: target } = this.target(call, 'kind' in owner ? owner.file : owner);
      if (target === undefined) return !isPlain || call.callee.kind === 'name';
      return target === fn || target.body === undefined;
    });
  }

  /** Whether one of the files calls a function of one of these names. */
  calls(names: readonly string[], isCounted: (path: string) => boolean): boolean {
    return this.#store.calls(names, isCounted);
  }

  /** What declarations say of a callee, and nothing else. */
  statedTarget(call: CallExpression, file: SourceFile): CallTarget {
    this.#options.onCheckpoint?.();
    return this.#targets.stated(call, file);
  }

  /** A declaration of the project, by the key of a symbol. */
  declaration(key: string): FunctionNode | ClassNode | undefined {
    return this.#declaration(key);
  }

  /** A file of the project, whether it mentions handles or not. */
  open(path: string): SourceFile | undefined {
    const known = this.#store.file(path);
    if (known !== undefined) return known;
    const file = this.#store.open(path);
    if (file !== undefined) this.#join([file]);
    return file;
  }

  /** The obligation of a class that is written somewhere. */
  statedContract(node: ClassNode): Contract | undefined {
    return this.#contracts.stated(node);
  }

  contractOfClass(node: ClassNode): Contract | undefined {
    return this.#contracts.ofClass(node);
  }

  classInfo(node: ClassNode): ClassInfo {
    return this.relevance.hasClass(node) ? this.#classes.info(node) : NOTHING_OWNED;
  }

  shapeOf(type: TypeNode | undefined, fn: FunctionNode): ValueShape {
    return shapeOfType(type, {
      contract: ({ name, space }) => this.#contracts.named(name, fn.file, space),
      alias: (name) => this.#names.alias(name, fn.file)?.type,
      brand: (part) => brandOf(part, fn.file),
    });
  }

  classOf(expression: Expression): ClassNode | undefined {
    return this.#names.classOf(expression);
  }

  returnsReceiver(call: CallExpression): boolean {
    return this.#results.returnsReceiver(call);
  }

  isPrimitive(node: Expression): boolean | undefined {
    return this.ownership.isPrimitive(node);
  }

  viewKind(node: { readonly origin: unknown }): ViewKind {
    const origin = node.origin as object;
    const cached = this.#viewKinds.get(origin);
    if (cached !== undefined) return cached;
    const [type] = this.#oracle.shapes([origin]);
    const kind = type === undefined ? 'none' : viewKindOf(type);
    this.#viewKinds.set(origin, kind);
    return kind;
  }
}
