// The catalogue of resource models: finds the model of a call or a type.
import { makeContract, mayRelease, type Contract } from '../contract/contract.ts';
import type { ValueShape, CallTarget } from '../flow/world.ts';
import type { TypeInfo } from '../oracle.ts';
import { releasingMethods } from '../obligations/vocabulary.ts';
import type { CallExpression } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { AcquireCall, ResourceModel } from './model.ts';
import { originOf, type CalleeOrigin } from './origin.ts';
import {
  acquires,
  declares,
  isCastTo,
  isFar,
  isFrom,
  isPassedTo,
  isUsedFor,
  type Candidate,
} from './match-acquire.ts';

export class ModelCatalogue {
  readonly models: readonly ResourceModel[];
  readonly #contracts = new Map<string, Contract>();
  readonly #byCall = new Map<string, [ResourceModel, AcquireCall][]>();
  /** Models that match a part of a name. */
  readonly #families: [ResourceModel, AcquireCall][] = [];
  readonly #byType = new Map<string, ResourceModel[]>();
  readonly #vias = new Map<string, ResourceModel[]>();
  readonly #tagged: readonly string[];
  /** Whether a model or a tag is about a module. */
  readonly #known = new Map<string, boolean>();
  readonly #present = new WeakMap<ReadonlySet<string>, Map<ResourceModel, boolean>>();

  /** `tagged` packages have ownership tags in their declarations. */
  constructor(models: readonly ResourceModel[], tagged: readonly string[] = []) {
    this.models = models;
    this.#tagged = tagged;
    const add = <V>(map: Map<string, V[]>, key: string, value: V): void => {
      const values = map.get(key);
      if (values === undefined) map.set(key, [value]);
      else values.push(value);
    };
    for (const model of models) {
      for (const acquire of model.acquire) {
        if (acquire.named) this.#families.push([model, acquire]);
        else add(this.#byCall, acquire.call, [model, acquire]);
      }
      for (const type of model.types) add(this.#byType, type, model);
      for (const { call } of [...(model.via ?? []), ...(model.takers ?? [])]) {
        add(this.#vias, call, model);
      }
    }
    // Certain matches come before guesses.
    for (const acquisitions of this.#byCall.values()) {
      acquisitions.sort(([, a], [, b]) => guessed(a) - guessed(b));
    }
  }

  /** Returns a test whether a text may create or receive handles of these models. */
  seedTest(imported: ReadonlySet<string>): (text: string) => boolean {
    // A literal prefix is searched first, because long texts contain many partial matches.
    const patterns = new Map<string, string>();
    const guesses = new Map<string, ResourceModel[]>();
    const families: [RegExp, ResourceModel][] = [];
    for (const model of this.models) {
      const { modules, acquire, types } = model;
      const isPresent = modules.includes('lib') || this.#isPresent(model, imported);
      for (const acquisition of acquire) {
        const isAlone = acquisition.bare || acquisition.usedFor || acquisition.passedTo;
        if (isAlone && !model.optIn)
          patterns.set(`\\b${acquisition.call}\\s*\\(`, acquisition.call);
        if (acquisition.named) families.push([calling(acquisition.named), model]);
        else if (acquisition.whenReleased || model.optIn)
          guesses.set(acquisition.call, [...(guesses.get(acquisition.call) ?? []), model]);
        else
          for (const pattern of patternsOf(acquisition, isPresent))
            patterns.set(pattern, acquisition.call);
      }
      if (isPresent && !model.optIn)
        for (const type of types) patterns.set(`[:<|,]\\s*${type}\\b`, type);
    }
    const sure = [...patterns].map(([source, word]) => ({ pattern: new RegExp(source), word }));
    const names = new RegExp(`\\b(${[...guesses.keys()].join('|')})\\s*\\(`, 'g');
    const isOfFamily = (text: string): boolean =>
      text.includes('await ') &&
      families.some(([pattern, model]) => mayRelease(text, model) && pattern.test(text));
    const isGuessed = (text: string): boolean => {
      const called = new Set(Array.from(text.matchAll(names), ([, name = '']) => name));
      return [...called].some((name) =>
        (guesses.get(name) ?? []).some(
          (model) =>
            mayRelease(text, model) ||
            releasesVia(text, model) ||
            model.handedOff?.test(text) === true,
        ),
      );
    };
    return (text) =>
      sure.some(({ pattern, word }) => text.includes(word) && pattern.test(text)) ||
      isGuessed(text) ||
      isOfFamily(text);
  }

  /** The names of types that have a model. */
  get typeNames(): Pick<ReadonlySet<string>, 'has'> {
    return this.#byType;
  }

  /**
   * Whether a call may create a handle, by its name, by what the project imports at all, and by the
   * text of the function that it is in.
   */
  mayAcquire(
    call: CallExpression,
    name: string,
    imported: ReadonlySet<string>,
    around: () => string,
  ): boolean {
    const candidates = this.#called(name);
    if (candidates.length === 0) return false;
    const origin = originOf(call);
    return candidates.some(([model, acquire]) => {
      if ((acquire.construct ?? false) !== call.isNew) return false;
      if (acquire.usedFor) return isUsedFor(call, acquire.usedFor);
      if (acquire.passedTo) return isPassedTo(call, acquire.passedTo);
      if (acquire.named) return call.isAwaited && isUsedFor(call, model.release);
      const isHeld = (): boolean =>
        call.bound === undefined && model.handedOff?.test(`${origin.text}.${name}(`) === true;
      const isProven = (): boolean =>
        isHeld() || mayRelease(around(), model) || releasesVia(around(), model);
      if ((acquire.whenReleased || model.optIn) && !isProven()) return false;
      if (acquire.written?.test(origin.standsFor) === false) return false;
      return this.#mayBeFrom(model, acquire, origin, imported);
    });
  }

  /** Whether a callee may be of a model's library, by syntax and by what the project imports. */
  #mayBeFrom(
    model: ResourceModel,
    acquire: AcquireCall,
    origin: CalleeOrigin,
    imported: ReadonlySet<string>,
  ): boolean {
    const { modules } = model;
    const { receiver, receiverFrom, bare, construct, on } = acquire;
    if (receiverFrom?.test(origin.receiverCall) || receiver?.test(origin.text)) return true;
    if (isCastTo(model, acquire, origin) || (bare && origin.isGlobal)) return true;
    if (origin.module !== undefined && this.#knows(origin.module)) {
      return declares(modules, origin.module);
    }
    if (modules.includes('lib')) {
      return construct !== undefined || origin.isGlobal || on !== undefined;
    }
    return this.#isPresent(model, imported);
  }

  /** Whether the project imports a module of a model. */
  #isPresent(model: ResourceModel, imported: ReadonlySet<string>): boolean {
    const present = this.#present.get(imported) ?? new Map<ResourceModel, boolean>();
    this.#present.set(imported, present);
    const known = present.get(model);
    if (known !== undefined) return known;
    const isPresent = [...imported].some((module) => declares(model.modules, module));
    present.set(model, isPresent);
    return isPresent;
  }

  /** The acquisitions that a call of this name may be. */
  #called(name: string): readonly [ResourceModel, AcquireCall][] {
    const cached = this.#byCall.get(name);
    if (cached !== undefined) return cached;
    const matching = this.#families.filter(([, { named }]) => named?.test(name));
    this.#byCall.set(name, matching);
    return matching;
  }

  /** Whether something of this name may create a handle. */
  mayBeCalled(name: string): boolean {
    return this.#called(name).length > 0;
  }

  /** Whether a name matches a model's function even if the project declares it. */
  isEvenInProject(name: string | undefined): boolean {
    return this.#called(name ?? '').some(
      ([, { evenInProject, whenReleased }]) => evenInProject && !whenReleased,
    );
  }

  /** Functions that release the handles created in their callbacks. */
  get tidies(): ReadonlySet<string> {
    return new Set(this.models.flatMap(({ tidies = [] }) => tidies));
  }

  /** The contract of a model, for one of its types. */
  contract(model: ResourceModel, type?: string): Contract {
    const { id, types, release } = model;
    const typeName = type ?? types[0] ?? id;
    const key = `${id}:${typeName}`;
    const cached = this.#contracts.get(key);
    if (cached !== undefined) return cached;
    const contract = makeContract({
      id,
      typeName,
      borrowers: new Set(model.borrowers),
      mayRelease: new Set(model.mayRelease),
      carriers: new Set(model.carriers),
      borrowedAs: new Set(model.borrowedAs),
      alsoReleasedBy: new Set(model.alsoReleasedBy),
      via: (model.via ?? []).map(({ call, argument }) => ({
        owner: undefined,
        name: call,
        argument,
      })),
      closedOnReject: new Set(model.closedOnReject),
      detaches: new Set(model.detaches),
      endedBy: new Set(model.endedBy),
      release,
      ...flagsOf(model),
      // Of a model that is off by default, only leaks are reported.
      idempotent: model.optIn ?? model.idempotent ?? false,
      starts: model.starts ?? [],
      safe: new Set(model.safe),
      consumes: new Set(model.consumes),
      nothrow: new Set(release),
      usableAfter: model.optIn ?? model.usableAfter ?? false,
      drains: model.drains,
      answersAfter: new Map(
        Object.entries(model.answersAfter ?? {}).map(([by, names]) => [by, new Set(names)]),
      ),
      receiverRelease: model.receiverRelease ?? [],
      handedOff: model.handedOff,
      creates: new Set(model.creates),
      tidies: model.tidies ?? [],
      doubleRelease: model.doubleRelease,
      useAfterRelease: model.useAfterRelease,
      leakEffect: model.leak,
      mildLeak: model.mildLeak,
      isModel: true,
    });
    this.#contracts.set(key, contract);
    return contract;
  }

  /** The contract of a type with a model; `module` is the package that it is imported from. */
  typeNamed(name: string, module: string | undefined): Contract | undefined {
    const model = this.#modelOfType(name, module);
    return model && this.contract(model, name);
  }

  #modelOfType(name: string, module: string | undefined): ResourceModel | undefined {
    return (this.#byType.get(name) ?? []).find(({ modules }) => declares(modules, module ?? 'lib'));
  }

  /** Completes a call target by the models. */
  refine(call: CallExpression, resolved: CallTarget, type: TypeInfo | undefined): CallTarget {
    const { name } = resolved;
    if (name === undefined) return resolved;
    const origin = originOf(call);
    if (resolved.fn?.body !== undefined) return this.#guessing(call, name, resolved, origin);
    const target = this.#withModule(resolved, origin);
    const refined = this.#vias.has(name) ? this.#taking(name, target, origin) : target;
    let withCallback: CallTarget | undefined;
    for (const [model, acquire] of this.#called(name)) {
      // What a tag says is certain.
      if (acquire.whenReleased && target.owned.k !== 'nothing') continue;
      const candidate = { call, model, acquire, target, origin };
      if (!acquires(candidate)) continue;
      const { callback, option, releaser } = acquire;
      const shape = this.#shape(candidate);
      if (callback === undefined) return { ...(withCallback ?? refined), owned: shape };
      const argument = option === undefined ? call.args.length - 1 : 0;
      withCallback = {
        ...refined,
        callbackHandles: { argument, option, releaser, ...atParameter(callback, shape) },
      };
      if (option === undefined) return withCallback;
    }
    if (withCallback !== undefined) return withCallback;
    return this.#byResult(call, refined, type);
  }

  /** A function of the project whose name suggests that it returns a handle. */
  #guessing(
    call: CallExpression,
    name: string,
    target: CallTarget,
    origin: CalleeOrigin,
  ): CallTarget {
    for (const [model, acquire] of this.#called(name)) {
      if (!acquire.whenReleased || !acquire.evenInProject) continue;
      const candidate = { call, model, acquire, target, origin };
      if (acquires(candidate)) return { ...target, guess: this.#shape(candidate) };
    }
    return target;
  }

  /** Resolves an import from a model's package, with or without installed types. */
  #withModule(target: CallTarget, origin: CalleeOrigin): CallTarget {
    const isKnown = target.module !== undefined || target.fn !== undefined || target.classNode;
    if (isKnown) return target;
    const isPackage = origin.module !== undefined && isFar(origin.module);
    const module = isPackage ? origin.module : this.#undeclared(origin);
    if (module === undefined || !this.#knows(module)) return target;
    return { ...target, module };
  }

  #undeclared({ type, text }: CalleeOrigin): string | undefined {
    return type === undefined ? this.customary(text) : undefined;
  }

  #knows(module: string): boolean {
    const known = this.#known.get(module) ?? this.#declares(module);
    this.#known.set(module, known);
    return known;
  }

  #declares(module: string): boolean {
    const isTagged = declares(this.#tagged, module);
    return isTagged || this.models.some(({ modules }) => declares(modules, module));
  }

  /** The package that an undeclared name conventionally refers to. */
  customary(name: string): string | undefined {
    return this.models.find(({ namespace }) => namespace === name)?.modules[0];
  }

  #taking(name: string, target: CallTarget, origin: CalleeOrigin): CallTarget {
    let next = target;
    for (const model of this.#vias.get(name) ?? []) {
      for (const via of model.via ?? []) {
        if (via.call !== name || !isFrom(model, via, target, origin)) continue;
        const { argument, onlyIts } = via;
        const isOnlyFor = onlyIts && model.id;
        const releases = { owner: undefined, name, argument, ...(isOnlyFor && { isOnlyFor }) };
        next = Object.assign({}, next, { releases });
      }
      for (const taking of model.takers ?? []) {
        if (taking.call !== name) continue;
        const { argument } = taking;
        next = { ...next, takes: [...next.takes, { argument, model: model.id }] };
      }
    }
    return next;
  }

  #shape({ call: { bound }, model, acquire, target }: Candidate): ValueShape {
    const isOwnType = acquire.construct && !acquire.option;
    const known = this.contract(model, isOwnType ? acquire.call : acquire.type);
    const contract = acquire.whenReleased ? withOtherEnds(known, bound) : known;
    let shape: ValueShape = {
      k: 'handle',
      contract,
      maybeNull: acquire.nullable ?? false,
      isGuess: acquire.whenReleased ?? false,
      needsProof: model.optIn ?? false,
    };
    // A result that is not destructured is not a pair: other semaphores return the releaser alone.
    const isWhole = bound !== undefined && target.module === undefined;
    const path = isWhole && acquire.path?.join() === '1' ? [] : (acquire.path ?? []);
    for (const step of path.toReversed()) {
      const index = Number(step);
      if (Number.isNaN(index)) shape = { k: 'object', of: new Map([[step, shape]]) };
      else {
        const nothing: ValueShape = { k: 'nothing' };
        shape = { k: 'tuple', of: [...Array.from({ length: index }, () => nothing), shape] };
      }
    }
    if (acquire.untilDone && shape.k === 'object') shape = untilDone(shape.of);
    if (acquire.many) shape = { k: 'many', of: shape };
    const isPromise = acquire.async || (target.isPromise && acquire.construct === undefined);
    return isPromise ? { k: 'promise', of: shape } : shape;
  }

  /** A library function without a model returns a handle: its caller owns it. */
  #byResult(call: CallExpression, target: CallTarget, type: TypeInfo | undefined): CallTarget {
    if (type?.name === undefined || type.module === undefined || type.module === 'lib')
      return target;
    if (target.fn !== undefined || target.module === undefined) return target;
    if (/^(get|find|current|use|peek|resolve|on|set|add)/.test(target.name ?? '') || call.isNew) {
      return target;
    }
    const model = this.#modelOfType(type.name, type.module);
    if (model === undefined || model.starts !== undefined) return target;
    const { release, mayRelease = [], acquire } = model;
    const name = target.name ?? '';
    if (release.includes(name) || mayRelease.includes(name)) return target;
    // The model knows this function, and its arguments are not those of one that creates a handle.
    const { argumentText } = originOf(call);
    const isOther = acquire.some(
      (creator) => creator.call === name && creator.withText?.test(argumentText) === false,
    );
    if (isOther) return target;
    const contract = this.contract(model, type.name);
    const needsProof = model.optIn ?? false;
    const handle: ValueShape = { k: 'handle', contract, maybeNull: type.isNullable, needsProof };
    return { ...target, owned: type.isPromise ? { k: 'promise', of: handle } : handle };
  }
}

/** Only its name suggests the type: another method of it that ends an object may end this one. */
function withOtherEnds(contract: Contract, bound: Variable | undefined): Contract {
  const ends = releasingMethods([...(bound?.called ?? [])]);
  const others = ends.filter((name) => !contract.release.includes(name));
  if (others.length === 0) return contract;
  return { ...contract, alsoReleasedBy: new Set([...contract.alsoReleasedBy, ...others]) };
}

/** Whether a text calls a function that releases handles of a model: `clearInterval(id)`. */
function releasesVia(text: string, { via = [], optIn }: ResourceModel): boolean {
  return optIn === true && via.some(({ call }) => text.includes(`${call}(`));
}

/** The shape of a reader's result: a value, or the end of the stream. */
function untilDone(some: ReadonlyMap<string, ValueShape>): ValueShape {
  const done = (value: boolean) => ['done', { k: 'constant', value }] as const;
  const nothing: ValueShape = { k: 'object', of: new Map([done(true)]) };
  return { k: 'either', of: [nothing, { k: 'object', of: new Map([...some, done(false)]) }] };
}

function guessed({ whenReleased }: AcquireCall): number {
  return whenReleased ? 1 : 0;
}

/** A pattern for calls of matching names. */
function calling({ source }: RegExp): RegExp {
  return new RegExp(`\\b${source.replaceAll(/[$^]/g, '')}\\s*\\(`);
}

function patternsOf({ call, receiver, construct }: AcquireCall, isPresent: boolean): string[] {
  if (construct) return isPresent ? [`new\\s+(?:[\\w$]+\\.)?${call}\\b`] : [];
  if (isPresent) return [`\\b${call}\\s*\\(`];
  // Without types, the name of the receiver decides.
  if (receiver === undefined) return [];
  return [`(?:${receiver.source.replaceAll(/[$^]/g, '')})[)!]?\\s*\\??\\.${call}\\s*\\(`];
}

function atParameter(
  parameter: number,
  shape: ValueShape,
): { readonly shapes: readonly ValueShape[] } {
  const nothing: ValueShape = { k: 'nothing' };
  const handle = shape.k === 'promise' ? shape.of : shape;
  return { shapes: [...Array.from({ length: parameter }, () => nothing), handle] };
}

/** The properties of a model that hold or do not, as in a contract. */
function flagsOf(model: ResourceModel): Partial<Contract> {
  return {
    isCopied: model.isCopied ?? false,
    emptyAfterMove: model.emptyAfterMove ?? false,
    outlivesProcess: model.outlivesProcess ?? false,
    endedAtExitBy: model.endedAtExitBy ?? [],
    isOpenEnded: model.isOpenEnded ?? false,
    releaseWaits: model.releaseWaits ?? false,
    mustCall: model.mustCall ?? false,
    scopeAfterRelease: model.scopeAfterRelease ?? false,
    iterates: model.iterates ?? false,
    guards: model.guards ?? false,
  };
}
