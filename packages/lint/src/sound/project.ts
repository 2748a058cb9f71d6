// The project as the sound tier sees it: callees, types, functions in the core language, verdicts.
import type { CoreFunction, Place } from '../calculus/core.ts';
import { judge } from '../calculus/judge.ts';
import type { Refusal, RuleOptions } from '../calculus/rules.ts';
import { Summaries, type Mark as SummariesMark, type Verdict } from '../calculus/summaries.ts';
import type { Contract } from '../contract/contract.ts';
import { ownershipIn, promisesOf } from '../contract/tags.ts';
import { hasHandle, TypeObligations } from '../obligations/from-type.ts';
import type { Ownership, ResultOwner } from '../obligations/ownership.ts';
import type { TypeOracle, TypeShape } from '../oracle.ts';
import { ownershipOf, parameterRule } from '../project/ownership.ts';
import type { ProjectWorld } from '../project/project.ts';
import type {
  CallExpression,
  ClassNode,
  Expression,
  ForEach,
  FunctionNode,
  Loop,
  Parameter,
  SourceFile,
  Statement,
} from '../syntax/node.ts';
import { capturesOf, Positions, type Captures } from './captures.ts';
import { Systems, type Self } from './classes.ts';
import { lowerFunction, lowerModule } from './functions.ts';
import type { CallTarget } from '../flow/world.ts';
import {
  containerOf,
  copies,
  isPlainConstructor,
  isPlainIterable,
  roleOf,
  type Role,
} from './library.ts';
import { THIS, type Lower } from './lower.ts';
import { linearOf, withLanguage } from './named.ts';
import { elementOf, isPromise, Types } from './types.ts';

/** What a call leads to. */
export interface Callee {
  /** A function whose body is there. */
  readonly key: Key | undefined;
  /** The first argument is `this`. */
  readonly hasThis: boolean;
  /** A method of the object that the code is in. */
  readonly isOwn: boolean;
  /** A function that is a part of an object, with what it captured. */
  readonly isPart: boolean;
  /** The value of an expression that is no declared function. */
  readonly isValue: boolean;
  readonly role: Role | undefined;
  /** A constructor of the language that makes a container. */
  readonly container: 'list' | 'map' | 'stack' | undefined;
  /** It releases the object that it is called on. */
  readonly ends: boolean;
  readonly consumes: boolean;
  readonly throws: boolean;
  readonly callsNow: boolean;
  readonly callsLater: boolean;
  readonly returns: ResultOwner;
  readonly before: number | 'this' | undefined;
  /** The argument that it releases. */
  readonly releases: number | undefined;
  readonly parameter: (index: number) => 'owned' | 'borrowed' | undefined;
}

/** A function with the object that it belongs to. */
export interface Key {
  readonly fn: FunctionNode;
  readonly self: Self | undefined;
  readonly endsObject: boolean;
}

/** How much was known of functions at some time. */
export interface Mark {
  readonly bodies: number;
  readonly known: SummariesMark;
}

export interface SoundOptions extends RuleOptions {
  /** Only types with `@linear` have to be released. */
  readonly onlyLinear: boolean;
  /** Every call may throw unless something says that it does not. */
  readonly strict: boolean;
}

export class SoundProject {
  readonly types: Types;
  readonly world: ProjectWorld;
  readonly systems: Systems;
  readonly #ownership: Ownership;
  readonly #options: SoundOptions;
  readonly #keys = new Map<FunctionNode, Map<Self | undefined, Key[]>>();
  readonly #bodies = new Map<Key, CoreFunction>();
  readonly #captures = new Map<FunctionNode, Captures>();
  readonly #positions = new Map<SourceFile, Positions>();
  readonly #labels = new Map<Statement, string>();
  readonly #summaries: Summaries;
  #places = 0;

  constructor(world: ProjectWorld, oracle: TypeOracle, options: SoundOptions) {
    this.world = world;
    this.#options = options;
    const all = world.namedContracts((node) => this.systems.contract(node));
    const named = withLanguage(options.onlyLinear ? linearOf(all) : all);
    const obligations = new TypeObligations(named, options.onlyLinear);
    this.types = new Types(oracle, obligations);
    this.#ownership = ownershipOf(oracle, obligations, (call, file) =>
      world.statedTarget(call, file),
    );
    this.systems = new Systems(this);
    this.#summaries = new Summaries((f) => this.#body(f as Key), options);
  }

  newPlace(): Place {
    return `%${this.#places++}`;
  }

  /** A function as the functions around it and its class have it. */
  keyOf(fn: FunctionNode, self: Self | undefined, endsObject = false): Key {
    const bySelf = this.#keys.get(fn) ?? new Map<Self | undefined, Key[]>();
    this.#keys.set(fn, bySelf);
    const keys = bySelf.get(self) ?? [];
    bySelf.set(self, keys);
    const known = keys.find((key) => key.endsObject === endsObject);
    if (known !== undefined) return known;
    const key: Key = { fn, self, endsObject };
    keys.push(key);
    return key;
  }

  #body(key: Key): CoreFunction | undefined {
    const known = this.#bodies.get(key);
    if (known !== undefined) return known;
    const { fn } = key;
    if (fn.body === undefined) return undefined;
    this.types.prepare(fn.file);
    const body = lowerFunction(this, fn, key);
    this.#bodies.set(key, body);
    return body;
  }

  /** Whether a function may have to do with anything that has to be released. */
  mayHold(key: Key): boolean {
    return this.#summaries.holding.of(key);
  }

  verdict(key: Key): Verdict | undefined {
    return this.#summaries.of(key);
  }

  /** What the code of a module does when it is loaded. */
  moduleRefusals(file: SourceFile): readonly Refusal[] {
    const body = lowerModule(this, file);
    if (!this.#summaries.holding.in(body)) return [];
    const judged = judge(
      body,
      { owned: [], yields: 'borrowed' },
      this.#summaries.functions,
      this.#options,
    );
    return judged.refused;
  }

  /** What is known of functions by now. */
  mark(): Mark {
    const { size: bodies } = this.#bodies;
    return { bodies, known: this.#summaries.mark() };
  }

  forgetSince({ bodies, known }: Mark): void {
    for (const key of [...this.#bodies.keys()].slice(bodies)) this.#bodies.delete(key);
    this.#summaries.forgetSince(known);
  }

  positions(file: SourceFile): Positions {
    const known = this.#positions.get(file) ?? new Positions(file);
    this.#positions.set(file, known);
    return known;
  }

  captures(fn: FunctionNode): Captures {
    const known = this.#captures.get(fn) ?? capturesOf(fn, this.positions(fn.file));
    this.#captures.set(fn, known);
    return known;
  }

  /** The places that a closure takes with it. */
  placesOf(fn: FunctionNode, self: Self | undefined): { values: Place[]; variables: Place[] } {
    const { values, variables, usesThis, parts } = this.captures(fn);
    const placed = (names: Captures['values']): Place[] =>
      names.flatMap(({ variable, ...name }) => {
        const kind = this.types.kind(this.types.of({ ...name, variable }));
        if (kind === 'primitive' || variable === undefined) return [];
        return [`${variable.name}#${variable.id}`];
      });
    const fields = parts.flatMap((part) => self?.fieldOf(part) ?? []);
    return {
      values: [...placed(values), ...(usesThis ? [THIS] : [])],
      variables: [...placed(variables), ...new Set(fields)],
    };
  }

  /** What a call leads to, seen from a method of a class or from a function. */
  callee(call: CallExpression, file: SourceFile, self: Self | undefined): Callee {
    const target = this.world.statedTarget(call, file);
    const signature = this.#ownership.signature(call, file);
    const own = this.#ownMethod(call, self);
    const { promises } = target;
    return {
      ...this.#bodyOf(call, target, own, self),
      ...this.#ofLanguage(call, target),
      isOwn: own !== undefined,
      isValue: isValue(call, target.fn === undefined && target.name === undefined),
      ends: own === undefined && this.#ends(call, promises.consumes),
      consumes: promises.consumes || signature.receiver === 'consumes',
      throws: this.mayThrow(call, file),
      callsNow: promises.callsNow,
      callsLater: promises.callsLater,
      returns: this.#returns(
        call,
        signature.isStated ? signature.returns : undefined,
        promises.returns,
      ),
      before: signature.releaseBefore,
      releases: target.releases?.argument,
      parameter: (index) => signature.parameter(index)?.ownership,
    };
  }

  /** The function whose body says what a call does. */
  #bodyOf(
    call: CallExpression,
    { fn }: CallTarget,
    own: FunctionNode | undefined,
    self: Self | undefined,
  ): Pick<Callee, 'key' | 'hasThis' | 'isPart'> {
    const object = own === undefined ? this.#selfOf(call) : self;
    const method = own ?? this.#method(call, object) ?? fn;
    const found = this.#keyOfCall(call, method, object);
    if (found === undefined) return { key: undefined, hasThis: false, isPart: false };
    if (!call.isNew && this.#hasCaptures(found)) {
      return { key: undefined, hasThis: false, isPart: call.callee.kind === 'member' };
    }
    const hasThis = found.self?.isMethod(found.fn) === true && !call.isNew;
    return { key: found, hasThis, isPart: false };
  }

  #ofLanguage(call: CallExpression, target: CallTarget): Pick<Callee, 'role' | 'container'> {
    if (target.module !== 'lib') return { role: undefined, container: undefined };
    const isSymbol = memberName(call).startsWith('[');
    return {
      role: isSymbol ? undefined : this.#roleOf(call, target),
      container: call.isNew ? containerOf(target.name ?? '') : undefined,
    };
  }

  /** Whether a method ends the object that it is called on. */
  #ends(call: CallExpression, consumes: boolean): boolean {
    const { callee } = call;
    if (callee.kind !== 'member') return false;
    const contract = this.types.contract(this.types.of(callee.object));
    const name = memberName(call);
    if (contract?.release.includes(name) === true) return true;
    return contract?.consumes.has(name) === true && !consumes;
  }

  #hasCaptures({ fn, self }: Key): boolean {
    const { values, variables } = this.placesOf(fn, self);
    return fn.form === 'arrow' && values.length + variables.length > 0;
  }

  #roleOf(call: CallExpression, { owner, name = '' }: CallTarget): Role | undefined {
    if (!call.isNew) return roleOf(ownerName(owner), name);
    const [from] = call.args;
    return copies(name, from && this.types.nameOf(from)) ? 'looks' : undefined;
  }

  /** A stated owner; a method that gives its own object back gives an alias of it. */
  #returns(call: CallExpression, signed: ResultOwner | undefined, stated: unknown): ResultOwner {
    if (signed !== undefined && stated !== undefined) return signed;
    const { callee } = call;
    const shape = this.types.of(call);
    if (shape.k === 'object' && shape.owner !== undefined) return shape.owner;
    if (call.isNew || callee.kind !== 'member') return 'owned';
    const receiver = this.types.of(callee.object);
    return sameName(receiver, shape) ? { alias: 'this' } : 'owned';
  }

  /** `this.m()` and `super.m()` in a method. */
  #ownMethod({ callee }: CallExpression, self: Self | undefined): FunctionNode | undefined {
    if (callee.kind === 'super') {
      return self?.baseConstructor;
    }
    if (callee.kind !== 'member' || self === undefined) return undefined;
    const { kind } = callee.object;
    if (kind !== 'this' && kind !== 'super') return undefined;
    return self.method(callee.name, kind === 'super');
  }

  /** The object that a method is called on, or that `new` makes. */
  #selfOf(call: CallExpression): Self | undefined {
    const { callee } = call;
    const subject = call.isNew ? call : callee.kind === 'member' ? callee.object : undefined;
    const node = subject && this.classOfShape(this.types.of(subject));
    return node === undefined || node.isInterface ? undefined : this.systems.selfOf(node);
  }

  #method({ callee, isNew }: CallExpression, self: Self | undefined): FunctionNode | undefined {
    return isNew || callee.kind !== 'member' ? undefined : self?.method(callee.name);
  }

  #keyOfCall(
    call: CallExpression,
    fn: FunctionNode | undefined,
    self: Self | undefined,
  ): Key | undefined {
    if (call.isNew) {
      return self && this.keyOf(self.constructorFn, self);
    }
    if (fn?.body === undefined || fn.form === 'getter' || fn.form === 'setter') return undefined;
    return this.keyOf(fn, self?.isMethod(fn) ? self : undefined);
  }

  /** The class of the project that a type names. */
  classOfShape(shape: TypeShape): ClassNode | undefined {
    if (shape.k === 'union') {
      const found = shape.of.flatMap((part) => this.classOfShape(part) ?? []);
      return found.length === 1 ? found[0] : undefined;
    }
    const key = shape.k === 'object' ? shape.names[0]?.declarations[0] : undefined;
    const node = key === undefined ? undefined : this.world.declaration(key);
    return node?.kind === 'class' ? node : undefined;
  }

  classNamed(base: Expression): ClassNode | undefined {
    if (!('origin' in base)) return undefined;
    const keys = this.types.symbolOf(base.origin)?.declarations ?? [];
    const nodes = keys.map((key) => this.world.declaration(key));
    return nodes.find((node): node is ClassNode => node?.kind === 'class');
  }

  statedContract(node: ClassNode): Contract | undefined {
    return this.world.statedContract(node);
  }

  /** Whether a call may throw, or its promise reject. */
  mayThrow(call: CallExpression, file: SourceFile): boolean {
    const target = this.world.statedTarget(call, file);
    const { promises, module, name } = target;
    if (promises.throws !== undefined) return promises.throws === 'may';
    if (!this.#options.strict) return isPromise(this.types.of(call));
    if (module !== 'lib') return true;
    if (call.isNew) return !isPlainConstructor(name ?? '');
    return roleOf(ownerName(target.owner), name) === undefined;
  }

  /** Whether the callee's body says what a call does. */
  isFollowed(call: CallExpression, file: SourceFile): boolean {
    const { fn, module } = this.world.statedTarget(call, file);
    const { callee } = call;
    const variable = callee.kind === 'name' ? callee.variable : undefined;
    if (variable !== undefined && variable.home !== undefined) return true;
    return module !== 'lib' && fn?.body !== undefined;
  }

  /** The list of `Promise.all(list)`. */
  allOf(call: CallExpression, file: SourceFile): Expression | undefined {
    const { module, owner, name } = this.world.statedTarget(call, file);
    const isAll = module === 'lib' && roleOf(ownerName(owner), name) === 'all';
    return isAll ? call.args[0] : undefined;
  }

  /** Who owns an argument, by the tags of the function and of the parameter, and by its brand. */
  ownerOf(fn: FunctionNode, parameter: Parameter): boolean | undefined {
    const index = fn.parameters.indexOf(parameter);
    const ownership = parameterRule(fn, promisesOf(fn.doc).parameters, index)?.ownership;
    return ownership === undefined ? undefined : ownership === 'owned';
  }

  /** The arguments that a function type owns. */
  ownedByType(
    call: CallExpression,
    file: SourceFile,
  ): readonly (boolean | undefined)[] | undefined {
    void file;
    const { callee } = call;
    const type = callee.kind === 'name' ? callee.variable?.type : undefined;
    if (type?.kind !== 'function') return undefined;
    return type.parameters.map(({ doc }) => {
      const ownership = ownershipIn(doc);
      return ownership === undefined ? undefined : ownership === 'owned';
    });
  }

  /** Whether the type that a function declares for its result has to be released. */
  owesResult(fn: FunctionNode | undefined): boolean {
    return fn?.returns !== undefined && hasHandle(this.world.shapeOf(fn.returns, fn));
  }

  /** Whether an expression is a function whose body is there. */
  isFunction(node: Expression, file: SourceFile): boolean {
    void file;
    if (node.kind === 'function') return true;
    if (node.kind !== 'name') return false;
    const { variable } = node;
    if (variable === undefined || variable.assignments > 0) return false;
    return variable.initializer?.kind === 'function' && variable.initializer.body !== undefined;
  }

  isExhaustive(_node: Statement): boolean {
    return false;
  }

  labelOf(node: Loop | ForEach): string | undefined {
    return this.#labels.get(node);
  }

  nameLoop(node: Loop | ForEach, label: string): void {
    this.#labels.set(node, label);
  }

  /** Whether a value of the expression has a place of its own. */
  isTracked(to: Lower, node: Expression): boolean {
    void to;
    const shape = this.types.of(node);
    const kind = this.types.kind(elementOf(shape));
    return shape.k === 'many' || shape.k === 'tuple' || kind !== 'handle';
  }

  /** What a `for…of` goes through. */
  iterated(
    to: Lower,
    node: ForEach,
  ): { place: Place | undefined; isTaken: boolean; hasKeys: boolean; throws: boolean } {
    const { subject, form } = node;
    const place = to.value(subject);
    const shape = this.types.of(subject);
    const isList = shape.k === 'many' || shape.k === 'tuple' || subject.kind === 'array';
    const isNamed = subject.kind === 'name' || subject.kind === 'member';
    const hasKeys = this.types.nameOf(subject) === 'Map' || isEntries(subject);
    const throws = form === 'of' && !isList && !this.#isPlainIteration(subject, to.file);
    return { place: form === 'in' ? undefined : place, isTaken: !isNamed, hasKeys, throws };
  }

  /** The iterators of the language's own containers do not throw. */
  #isPlainIteration(subject: Expression, file: SourceFile): boolean {
    if (isPlainIterable(this.types.nameOf(subject))) return true;
    if (subject.kind !== 'call') return this.types.kind(this.types.of(subject)) === 'primitive';
    const { module, owner, name } = this.world.statedTarget(subject, file);
    return module === 'lib' && roleOf(ownerName(owner), name) !== undefined;
  }
}

function memberName({ callee }: CallExpression): string {
  return callee.kind === 'member' ? (callee.name ?? '') : '';
}

function isEntries(subject: Expression): boolean {
  return (
    subject.kind === 'call' && subject.callee.kind === 'member' && subject.callee.name === 'entries'
  );
}

function isValue({ callee }: CallExpression, isUnknown: boolean): boolean {
  return isUnknown && (callee.kind === 'name' || callee.kind === 'conditional');
}

/** A module's symbol is named by its path, in quotes. */
function ownerName(owner: string | undefined): string | undefined {
  return owner === undefined || /^["']|^__global|^globalThis/.test(owner) ? undefined : owner;
}

function sameName(a: TypeShape, b: TypeShape): boolean {
  if (a.k !== 'object' || b.k !== 'object') return false;
  const keys = new Set(a.names.flatMap(({ declarations }) => declarations));
  return b.names.some(({ declarations }) => declarations.some((key) => keys.has(key)));
}
