// The targets of calls: what a callee declares, completed by resource models and by types.
import { contractOf, hasTags, promisesOf } from '../contract/tags.ts';
import { NO_PROMISES, type FunctionContract } from '../contract/contract.ts';
import type { ValueShape, CallTarget } from '../flow/world.ts';
import type { IsOn } from '../heuristics/index.ts';
import { endedLocal } from '../heuristics/ended-locals.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { Overlays } from '../obligations/overlays.ts';
import type { ResultTypes } from '../obligations/result-types.ts';
import type { SymbolInfo, TypeInfo, TypeOracle } from '../oracle.ts';
import { calledName } from '../syntax/called-name.ts';
import { walk } from '../syntax/children.ts';
import type { CallExpression, ClassNode, FunctionNode, SourceFile } from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';
import { handleIn, isGuess } from './guesses.ts';
import { Callees } from './callees.ts';
import { memoized } from './memoized.ts';

const NOTHING: ValueShape = { k: 'nothing' };

export interface TargetSources {
  readonly oracle: TypeOracle;
  readonly catalogue: ModelCatalogue;
  readonly overlays: Overlays;
  readonly results: ResultTypes;
  /** Tags for declarations that have none, by name or `Owner.name`. */
  readonly tags: Readonly<Record<string, string>>;
  /** A declaration, by the key of a symbol; parses its file if necessary. */
  readonly declaration: (key: string) => FunctionNode | ClassNode | undefined;
  readonly fileOf: (key: string) => SourceFile | undefined;
  readonly text: (paths: readonly string[]) => string | undefined;
  readonly isRelevant: (code: FunctionNode | SourceFile) => boolean;
  readonly shapeOf: (type: TypeNode | undefined, fn: FunctionNode) => ValueShape;
  /** What the `loop` of a kernel returns. */
  readonly carried: (call: CallExpression) => ValueShape | undefined;
  readonly isOn: IsOn;
}

export class CallTargets {
  readonly #from: TargetSources;
  readonly #stated = new WeakMap<CallExpression, CallTarget>();
  readonly #targets = new Map<CallExpression, CallTarget>();
  readonly #callees: Callees;

  constructor(from: TargetSources) {
    this.#from = from;
    const { oracle, catalogue, fileOf, text, isRelevant } = from;
    this.#callees = new Callees({
      oracle,
      following: { mayBeCalled: (name) => catalogue.mayBeCalled(name), fileOf, text },
      isRelevant,
      needsType: (symbol) => this.#needsType(symbol),
    });
  }

  forget(file: SourceFile): void {
    this.#callees.forget(file);
    walk(file.body, (node) => void (node.kind === 'call' && this.#targets.delete(node)));
  }

  /** The targets of calls; `undefined` where unknown. */
  leadTo(calls: readonly CallExpression[]): (readonly (FunctionNode | ClassNode)[] | undefined)[] {
    return this.#callees
      .symbols(calls)
      .map((symbol) => symbol?.declarations.flatMap((key) => this.#from.declaration(key) ?? []));
  }

  /** Whether the type of the result is needed; functions of the project are analyzed instead. */
  #needsType(symbol: SymbolInfo | undefined): boolean {
    return (
      symbol === undefined ||
      !symbol.declarations.some((key) => this.#from.declaration(key) !== undefined)
    );
  }

  /** What declarations say of a callee, without resource models and types of results. */
  stated(call: CallExpression, file: SourceFile): CallTarget {
    const cached = this.#stated.get(call);
    if (cached !== undefined) return cached;
    this.#callees.resolveAll(file);
    const declared = this.#declaredTarget(call, this.#callees.type(call));
    const target = { ...declared, releases: this.#via(declared) };
    this.#stated.set(call, target);
    return target;
  }

  of(call: CallExpression, file: SourceFile): CallTarget {
    const cached = this.#targets.get(call);
    if (cached !== undefined) return cached;
    this.#callees.resolve(call, file);
    const type = this.#callees.type(call);
    const declared = this.#declaredTarget(call, type);
    const resolved = this.#resolve(call, declared, type);
    // What a model says of the result is more than its type does.
    const isModeled = resolved.owned !== declared.owned && !isGuess(resolved.owned);
    const isKnown = isModeled || type?.isPrimitive === true || type?.isAny === true;
    const isTaken = isModeled && this.#from.results.takesResult(call);
    const known = isTaken ? { ...resolved, owned: NOTHING, guess: NOTHING } : resolved;
    const target = isKnown ? known : this.#typed(call, file, resolved);
    this.#targets.set(call, target);
    return target;
  }

  /** A callee without a body, of no model: the type of its result says what the caller owns. */
  #typed(call: CallExpression, file: SourceFile, target: CallTarget): CallTarget {
    const { fn, classNode, promises } = target;
    if (fn?.body !== undefined && promises.returns !== 'owned') return target;
    if (call.isNew && classNode !== undefined && !classNode.isInterface) return target;
    if (promises.mustCall) return target;
    const typed = this.#from.results.of(call, file, target);
    if (typed.k !== 'nothing') return { ...target, owned: typed, guess: NOTHING };
    const isOpen = target.owned.k === 'nothing' && target.guess.k === 'nothing';
    const isKnown = fn?.body !== undefined || classNode !== undefined;
    const isLocal = isOpen && !isKnown && this.#from.isOn('ended-locals');
    return isLocal ? { ...target, owned: endedLocal(call, target) } : target;
  }

  #resolve(call: CallExpression, target: CallTarget, type: TypeInfo | undefined): CallTarget {
    const { catalogue } = this.#from;
    const carried = this.#from.carried(call);
    if (carried !== undefined) return { ...target, owned: carried };
    const via = this.#via(target);
    const withVia = via === undefined ? target : { ...target, releases: via };
    const isModelled = isOwnLock(target, type) || catalogue.isEvenInProject(target.name);
    const asLock = isModelled ? { ...withVia, fn: undefined, classNode: undefined } : withVia;
    const isFluent = this.#isInherited(call, target, type);
    const refined = catalogue.refine(call, asLock, isFluent ? undefined : type);
    if (!isGuess(refined.owned) && !isGuess(refined.guess)) return refined;
    return this.#isRefuted(call, refined)
      ? { ...refined, owned: NOTHING, guess: NOTHING }
      : refined;
  }

  /** `watcher.unwatch(path)`: which calls give a new handle, the model of its type lists. */
  #isInherited(call: CallExpression, { module }: CallTarget, type: TypeInfo | undefined): boolean {
    if (module === undefined || type?.name === undefined) return false;
    const { catalogue, results } = this.#from;
    const isModeled = catalogue.typeNamed(type.name, type.module) !== undefined;
    return isModeled && results.returnsReceiver(call);
  }

  /** The target by the declarations of its callee, before resource models refine it. */
  #declaredTarget(call: CallExpression, type: TypeInfo | undefined): CallTarget {
    const { callee } = call;
    const symbol = this.#callees.symbol(call);
    const declared = (symbol?.declarations ?? []).flatMap(
      (key) => this.#from.declaration(key) ?? [],
    );
    const classNode = declared.find((node): node is ClassNode => node.kind === 'class');
    const functions = declared.filter((node): node is FunctionNode => node.kind === 'function');
    const overlay = this.#overlay(call, symbol);
    const own = call.isNew ? constructorsOf(classNode) : functions;
    const candidates = overlay === undefined ? own : [overlay];
    const fn =
      candidates.find(({ body }) => body !== undefined) ?? candidates[0] ?? memoized(callee);
    const name = calledName(call);
    const stated = this.#promises(candidates, fn, name);
    const promises = endsProcess(call) ? { ...stated, exits: true } : stated;
    return {
      name,
      fn,
      classNode: this.#overlayClass(call, symbol) ?? classNode,
      module: symbol?.module,
      owner: symbol?.owner,
      promises,
      owned: fn !== undefined && !call.isNew ? this.#owned(fn, promises) : NOTHING,
      guess: NOTHING,
      takes: [],
      releases: undefined,
      isAny: symbol === undefined && type?.isAny !== false,
      isNever: isNeverType(fn, type),
      isPromise: isPromiseType(fn, type),
      callbackHandles: undefined,
    };
  }

  /** The declaration of a callee in an overlay, which takes precedence over its own. */
  #overlay({ isNew }: CallExpression, symbol: SymbolInfo | undefined): FunctionNode | undefined {
    const { overlays } = this.#from;
    if (overlays.isEmpty || symbol === undefined) return undefined;
    const { module, owner, name } = symbol;
    if (isNew) return overlays.fn(module, name, 'constructor');
    return overlays.fn(module, isModuleName(owner) ? undefined : owner, name);
  }

  #overlayClass({ isNew }: CallExpression, symbol: SymbolInfo | undefined): ClassNode | undefined {
    const { overlays } = this.#from;
    if (overlays.isEmpty || !isNew || symbol === undefined) return undefined;
    return overlays.typeNode(symbol.module, symbol.name);
  }

  /** A guess by names is wrong where the known type has no method that releases the handle. */
  #isRefuted({ origin }: CallExpression, { owned, guess }: CallTarget): boolean {
    const handle = handleIn(isGuess(owned) ? owned : guess);
    if (handle === undefined || handle.contract.mustCall) return false;
    const { release } = handle.contract;
    if (release.length === 0) return false;
    return (
      this.#from.oracle.hasMember({ node: origin, path: handle.path, members: release }) === false
    );
  }

  #promises(
    candidates: readonly FunctionNode[],
    fn: FunctionNode | undefined,
    name: string | undefined,
  ): FunctionContract {
    const owner = fn?.owner?.name;
    const { tags } = this.#from;
    const stated = tags[`${owner}.${name}`] ?? (owner === undefined ? tags[name ?? ''] : undefined);
    if (stated !== undefined) return promisesOf(stated);
    const tagged = candidates.find(({ doc }) => hasTags(doc));
    return tagged === undefined ? NO_PROMISES : promisesOf(tagged.doc);
  }

  /** The handles that a function without a body returns to its caller. */
  #owned(fn: FunctionNode, promises: FunctionContract): ValueShape {
    if (fn.body !== undefined && promises.returns !== 'owned') return NOTHING;
    if (promises.mustCall) return this.#called(fn);
    return this.#from.shapeOf(fn.returns, fn);
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
      const shape = this.#from.shapeOf(type, fn);
      if (shape.k !== 'handle') continue;
      const via = shape.contract.via.find(
        (rule) => rule.name === name && (rule.owner === undefined || rule.owner === owner),
      );
      if (via !== undefined) return via;
    }
    return undefined;
  }
}

/** A module's symbol is named by its path or specifier, in quotes. */
function isModuleName(name: string | undefined): boolean {
  return name === undefined || /^["']/.test(name);
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

function isNeverType(fn: FunctionNode | undefined, type: TypeInfo | undefined): boolean {
  if (type?.isNever === true) return true;
  return fn?.returns?.kind === 'keyword' && fn.returns.name === 'never';
}

function isPromiseType(fn: FunctionNode | undefined, type: TypeInfo | undefined): boolean {
  if (type?.isPromise === true) return true;
  return fn?.returns?.kind === 'named' && /^Promise(Like)?$/.test(fn.returns.name);
}
