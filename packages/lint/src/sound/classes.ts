// Classes of the project as systems: which fields an object owns, and which methods end it.
import type { Contract } from '../contract/contract.ts';
import { makeContract } from '../contract/contract.ts';
import type { Field as CoreField, Place } from '../calculus/core.ts';
import type { Refusal } from '../calculus/rules.ts';
import { walk } from '../syntax/children.ts';
import type {
  ClassNode,
  Expression,
  Field,
  FunctionNode,
  MemberExpression,
  Parameter,
} from '../syntax/node.ts';
import type { Lower } from './lower.ts';
import type { Mark, SoundProject } from './project.ts';
import type { Kind } from './types.ts';

/** An object of a class, in its own methods: the fields that it owns are places. */
export class Self {
  readonly node: ClassNode;
  readonly fields: readonly CoreField[];
  /** The class and its bases. */
  readonly chain: readonly ClassNode[];

  constructor(chain: readonly ClassNode[], fields: readonly CoreField[]) {
    this.node = chain[0]!;
    this.chain = chain;
    this.fields = fields;
  }

  isMethod(fn: FunctionNode): boolean {
    if (fn.isStatic) return false;
    return fn === this.constructorFn || this.chain.some(({ methods }) => methods.includes(fn));
  }

  /** The method that a name means, in the class itself before its bases. */
  method(name: string | undefined, isSuper = false): FunctionNode | undefined {
    const chain = isSuper ? this.chain.slice(1) : this.chain;
    for (const { methods } of chain) {
      const found = methods.find(
        (fn) => fn.name === name && fn.body !== undefined && !fn.isStatic && fn.form === 'method',
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The place of `this.name`, if the object owns it. */
  fieldOf({ object, name }: MemberExpression): Place | undefined {
    if (object.kind !== 'this' || name === undefined) return undefined;
    const place = placeOfField(name);
    return this.fields.some((field) => field.place === place) ? place : undefined;
  }

  /** The constructor that `new` runs: its own, that of a base, or none that is written. */
  get constructorFn(): FunctionNode {
    return constructorIn(this.chain);
  }

  /** What `super(…)` runs. */
  get baseConstructor(): FunctionNode | undefined {
    return this.chain.length > 1 ? constructorIn(this.chain.slice(1)) : undefined;
  }

  /** What happens before the body of a constructor: the initializers of fields. */
  begin(to: Lower, fn: FunctionNode): void {
    const written = this.chain.findIndex(({ methods }) => methods.includes(fn));
    const first = written === -1 ? this.chain.length - 1 : written;
    for (let index = first; index >= 0; index--) {
      const node = this.chain[index]!;
      if (index < first && node.methods.some(({ form }) => form === 'constructor')) break;
      for (const field of node.fields) this.#initialize(to, field);
    }
    for (const parameter of fn.parameters) this.#parameterField(to, parameter);
  }

  #initialize(to: Lower, { name, initializer, isStatic, start, end }: Field): void {
    if (initializer === undefined || isStatic) return;
    to.statement(initializer, () => {
      const y = to.value(initializer);
      if (y === undefined || name === undefined) return;
      const place = placeOfField(name);
      const isOwned = this.fields.some((field) => field.place === place);
      if (isOwned) to.emit({ k: 'copy', x: place, y }, initializer);
      else to.emit({ k: 'setPart', y: '?', name, value: y }, { start, end });
    });
  }

  #parameterField(to: Lower, { isField, target }: Parameter): void {
    if (!isField || target.kind !== 'name') return;
    const y = to.placeOf(target.variable);
    const place = placeOfField(target.text);
    if (y === undefined) return;
    const isOwned = this.fields.some((field) => field.place === place);
    if (isOwned) to.emit({ k: 'copy', x: place, y }, target);
    else to.emit({ k: 'setPart', y: '?', name: target.text, value: y }, target);
  }
}

const UNWRITTEN = new WeakMap<ClassNode, FunctionNode>();

function constructorIn(chain: readonly ClassNode[]): FunctionNode {
  for (const { methods } of chain) {
    const found = methods.find(({ form, body }) => form === 'constructor' && body !== undefined);
    if (found !== undefined) return found;
  }
  return unwritten(chain.at(-1)!);
}

/** The constructor of a class that has none. */
function unwritten(node: ClassNode): FunctionNode {
  const known = UNWRITTEN.get(node);
  if (known !== undefined) return known;
  const { nameStart: start, file } = node;
  const span = { start, end: start };
  const created: FunctionNode = {
    kind: 'function',
    form: 'constructor',
    name: 'constructor',
    nameStart: start,
    ...span,
    parameters: [],
    body: { kind: 'block', ...span, statements: [], declares: [] },
    isAsync: false,
    isGenerator: false,
    isStatic: false,
    typeParameters: [],
    returns: undefined,
    doc: '',
    file,
    owner: node,
    outer: undefined,
    self: undefined,
    origin: undefined,
  };
  UNWRITTEN.set(node, created);
  return created;
}

function placeOfField(name: string): Place {
  return `this.${name}`;
}

/** A class that was looked at. */
interface System {
  readonly self: Self;
  /** Methods after which the object is gone. */
  readonly ends: ReadonlySet<FunctionNode>;
  readonly refused: readonly Refusal[];
}

/** A class that is looked at: what is assumed of it meanwhile. */
interface Open {
  readonly contract: Contract;
  self: Self;
  /** Whether anything rests on `self`. */
  isUsed: boolean;
}

/** The most fields whose owners are inferred. */
const MAX_FIELDS = 3;

export class Systems {
  readonly #project: SoundProject;
  readonly #known = new Map<ClassNode, System>();
  readonly #open = new Map<ClassNode, Open>();
  readonly #contracts = new Map<ClassNode, Contract>();
  /** Objects of classes without a field that may hold something to release. */
  readonly #plain = new Map<ClassNode, Self>();
  readonly #visited = new Set<ClassNode>();

  constructor(project: SoundProject) {
    this.#project = project;
  }

  /** What a value of the class owes; while that is looked at, it is assumed to owe something. */
  contract(node: ClassNode): Contract | undefined {
    const stated = this.#project.statedContract(node);
    if (stated !== undefined && !stated.isStructural) return stated;
    const open = this.#open.get(node);
    if (open !== undefined) return open.contract;
    // The types of fields lead to classes, and back.
    if (!this.#known.has(node) && this.#visited.has(node)) return stated;
    this.#visited.add(node);
    const mayOwe = this.#plainSelf(node) === undefined;
    this.#visited.delete(node);
    if (!mayOwe || this.#of(node).self.fields.length === 0) return stated;
    return stated ?? this.#contracts.get(node);
  }

  /** An object of the class, in its methods. */
  selfOf(node: ClassNode): Self {
    const plain = this.#plainSelf(node);
    if (plain !== undefined) return plain;
    const open = this.#open.get(node);
    if (open === undefined) return this.#of(node).self;
    open.isUsed = true;
    return open.self;
  }

  /** An object that owns nothing, whatever its methods do. */
  #plainSelf(node: ClassNode): Self | undefined {
    const known = this.#plain.get(node);
    if (known !== undefined) return known;
    if (this.#known.has(node) || this.#open.has(node)) return undefined;
    const chain = this.#chain(node);
    if (this.#fieldsOf(chain).length > 0) return undefined;
    const self = new Self(chain, []);
    this.#plain.set(node, self);
    return self;
  }

  /**
   * What is wrong in the class: judged again, as the choice of owners may have been made while
   * something was assumed of a function.
   */
  refusals(node: ClassNode): readonly Refusal[] {
    const plain = this.#plainSelf(node);
    const { self, ends } = plain === undefined ? this.#of(node) : { self: plain, ends: [] };
    const again = this.#judge(node, self);
    const open = [...ends].filter((fn) => !again.ends.has(fn)).map(notEnded);
    return [...again.refused, ...open].map((each) => within(each, node));
  }

  #of(node: ClassNode): System {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const release: string[] = [];
    const typeName = node.name ?? 'object';
    const contract = makeContract({ id: typeName, typeName, release, isLinear: true });
    const open: Open = { contract, self: new Self(this.#chain(node), []), isUsed: false };
    this.#open.set(node, open);
    const system = this.#infer(node, open);
    for (const { name } of system.ends) if (name !== undefined) release.push(name);
    this.#open.delete(node);
    this.#known.set(node, system);
    this.#contracts.set(node, contract);
    return system;
  }

  #chain(node: ClassNode): ClassNode[] {
    const chain = [node];
    for (let last: ClassNode | undefined = node; last !== undefined;) {
      const base: Expression | undefined = last.heritage[0];
      const next: ClassNode | undefined = base && this.#project.classNamed(base);
      last = next !== undefined && !next.isInterface && !chain.includes(next) ? next : undefined;
      if (last !== undefined) chain.push(last);
    }
    return chain;
  }

  /** Every choice of fields that the object owns, none before some. */
  #infer(node: ClassNode, open: Open): System {
    const { chain } = open.self;
    const fields = this.#fieldsOf(chain);
    const few = fields.slice(0, MAX_FIELDS);
    const before = this.#project.mark();
    const systems = [...this.#known.keys()];
    let best: System | undefined;
    for (let mask = 0; mask < 1 << few.length; mask++) {
      const owned = fields.filter((_, index) => index >= MAX_FIELDS || (mask >> index) & 1);
      open.self = new Self(chain, owned);
      open.isUsed = false;
      const system = this.#judge(node, open.self);
      if (system.refused.length === 0) return system;
      const isBetter = best === undefined || system.refused.length <= best.refused.length;
      if (isBetter) best = system;
      if (open.isUsed) this.#forget(before, systems);
    }
    return best!;
  }

  /** What was said of others rested on a choice that is not made. */
  #forget(mark: Mark, systems: readonly ClassNode[]): void {
    this.#project.forgetSince(mark);
    const before = new Set(systems);
    for (const node of this.#known.keys()) if (!before.has(node)) this.#known.delete(node);
  }

  #judge(node: ClassNode, self: Self): System {
    const stated = this.#project.statedContract(node);
    const refused: Refusal[] = [];
    const ends = new Set<FunctionNode>();
    for (const fn of [self.constructorFn, ...methodsOf(self)]) {
      if (fn.form === 'constructor') refused.push(...this.#refused(fn, self, false));
      else this.#method(fn, self, stated, ends, refused);
    }
    const isOwner = self.fields.length > 0;
    if (isOwner && ends.size === 0) refused.push(this.#neverReleased(node, self));
    return { self, ends, refused };
  }

  #refused(fn: FunctionNode, self: Self, endsObject: boolean): readonly Refusal[] {
    const key = this.#project.keyOf(fn, self, endsObject);
    return this.#project.mayHold(key) ? (this.#project.verdict(key)?.refused ?? []) : [];
  }

  #method(
    fn: FunctionNode,
    self: Self,
    stated: Contract | undefined,
    ends: Set<FunctionNode>,
    refused: Refusal[],
  ): void {
    const isStated = stated?.release.includes(fn.name ?? '') === true && isRelease(stated, fn);
    if (isStated && self.fields.length > 0) {
      ends.add(fn);
      refused.push(...this.#refused(fn, self, true));
      return;
    }
    const mayEnd = fn.form === 'method' && self.fields.length > 0 && mayEndIt(self, fn, stated);
    if (mayEnd && this.#endsIt(fn, self)) ends.add(fn);
    else refused.push(...this.#refused(fn, self, false));
  }

  /** Whether a method leaves nothing to release, on every path, and gives nothing away. */
  #endsIt(fn: FunctionNode, self: Self): boolean {
    const verdict = this.#project.verdict(this.#project.keyOf(fn, self, true));
    const results = verdict?.summary?.results;
    return results !== undefined && results.every(({ k }) => k === 'null' || k === 'view');
  }

  #neverReleased(node: ClassNode, self: Self): Refusal {
    const [first] = self.fields;
    const names = new Set(self.fields.map(({ place }) => place));
    const field = node.fields.find(
      ({ name }) => name !== undefined && names.has(placeOfField(name)),
    );
    const at = field?.initializer ?? field ?? { start: node.nameStart, end: node.nameStart };
    const { start, end } = at;
    const why = `no method releases ${first?.place ?? 'a field'}`;
    return { wrong: 'leak', why, at: { start, end, file: node.file }, origin: undefined };
  }

  /** The fields that may hold something to release. */
  #fieldsOf(chain: readonly ClassNode[]): CoreField[] {
    const found = new Map<string, CoreField>();
    for (const node of chain) {
      for (const [name, kind] of this.#kinds(node)) {
        const holds = kind === 'many' ? 'many' : 'handle';
        found.set(name, { place: placeOfField(name), holds, nullable: true });
      }
    }
    return [...found.values()];
  }

  #kinds(node: ClassNode): Map<string, Kind> {
    const kinds = new Map<string, Kind>();
    const add = (name: string | undefined, kind: Kind): void => {
      if (name !== undefined && isOwned(kind)) kinds.set(name, kind);
    };
    const { types } = this.#project;
    types.prepare(node.file);
    for (const { name, initializer, isStatic } of node.fields) {
      if (initializer !== undefined && !isStatic) add(name, types.kind(types.of(initializer)));
    }
    const own = new Set(
      node.fields.flatMap(({ name, isStatic }) => (isStatic ? [] : (name ?? []))),
    );
    for (const fn of node.methods) {
      for (const { isField, target } of fn.parameters) {
        if (isField && target.kind === 'name') {
          own.add(target.text);
          add(target.text, types.kind(types.of(target)));
        }
      }
      walk(fn, (each) => {
        if (each.kind !== 'member' || each.object.kind !== 'this') return;
        if (each.name !== undefined && own.has(each.name))
          add(each.name, types.kind(types.of(each)));
      });
    }
    return kinds;
  }
}

/** What an subclass breaks in its base is wrong of the subclass. */
function within(refusal: Refusal, { nameStart, start, end, file }: ClassNode): Refusal {
  const isIn = (at: Refusal['at'] | undefined): boolean =>
    at !== undefined && at.file === file && at.start >= start && at.end <= end;
  if (isIn(refusal.at) || isIn(refusal.origin)) return refusal;
  return { ...refusal, at: { start: nameStart, end: nameStart, file }, origin: undefined };
}

function notEnded({ nameStart, file }: FunctionNode): Refusal {
  const at = { start: nameStart, end: nameStart, file };
  return { wrong: 'refused', why: NOT_ENDED, at, origin: undefined };
}

const NOT_ENDED = 'callers take it for a release, which it is not on every path';

function isOwned(kind: Kind): boolean {
  return kind === 'handle' || kind === 'many';
}

function isRelease(stated: Contract, fn: FunctionNode): boolean {
  return !stated.isStructural || fn.name?.startsWith('[Symbol.') === true || fn.name === 'dispose';
}

/** Where a tag or a symbol says which methods end an object, only what these call ends it, too. */
function mayEndIt(self: Self, fn: FunctionNode, stated: Contract | undefined): boolean {
  if (stated === undefined) return true;
  return methodsOf(self).some((each) => {
    const isStated = stated.release.includes(each.name ?? '') && isRelease(stated, each);
    return isStated && calls(each, fn.name);
  });
}

/** Whether a method calls another of its object. */
function calls(fn: FunctionNode, name: string | undefined): boolean {
  let found = false;
  walk(fn, (node) => {
    const callee = node.kind === 'call' ? node.callee : undefined;
    if (callee?.kind === 'member' && callee.object.kind === 'this') found ||= callee.name === name;
  });
  return found;
}

/** Every method of an object, the most derived of each name. */
function methodsOf(self: Self): FunctionNode[] {
  const seen = new Set<string>();
  const found: FunctionNode[] = [];
  for (const { methods } of self.chain) {
    for (const fn of methods) {
      if (fn.body === undefined || fn.isStatic || fn.form === 'constructor') continue;
      const key = `${fn.form} ${fn.name ?? fn.nameStart}`;
      if (!seen.has(key)) found.push(fn);
      seen.add(key);
    }
  }
  return found;
}
