// Class summaries: the fields that own handles, and the methods that release them.
import { makeContract, type Contract } from '../contract/contract.ts';
import { walk } from '../syntax/children.ts';
import { isEnd } from '../heuristics/self-ending.ts';
import { registersListener } from '../obligations/vocabulary.ts';
import type { ClassNode, Expression, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import { walkConstructor, methodExits } from './class-walk.ts';
import { reachableFrom } from './reach.ts';
import { THIS } from './members.ts';
import { instanceOf } from './lifetime.ts';
import { isOfAnother } from './overwrites.ts';
import type { Instance, FlowState } from './state.ts';
import type { World } from './world.ts';

export interface OwnedField {
  readonly name: string;
  readonly contract: Contract;
  readonly maybeNull: boolean;
  /** Where it is first assigned. */
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Methods after which it may be released. */
  readonly releasers: ReadonlySet<string>;
  /** The method that assigns it, unless that is the constructor. */
  readonly filler: string | undefined;
  /** The field that its handle came from and is released with: the browser of a page. */
  readonly source: string | undefined;
  /** It is owned only if a method releases it. */
  readonly needsProof: boolean;
}

export interface ClassInfo {
  readonly owned: ReadonlyMap<string, OwnedField>;
  /** The ownership of the constructor's arguments. */
  readonly parameters: ReadonlyMap<number, 'owned' | 'borrowed' | 'shared'>;
  /** The contract of an instance, if it owns a handle and has a method to release it. */
  readonly contract: Contract | undefined;
  /** An instance is owned only by a function that releases it: so are all that it owns. */
  readonly needsProof: boolean;
}

export const NOTHING_OWNED: ClassInfo = {
  owned: new Map(),
  parameters: new Map(),
  contract: undefined,
  needsProof: false,
};

/** A field that the constructor assigns from a parameter. */
type FilledField = readonly [
  index: number,
  name: string,
  ownership: 'owned' | 'borrowed' | undefined,
  isModel: boolean,
];

/** Names of methods that end an object's life. */
export const DESTRUCTOR = new RegExp(
  '^(\\[Symbol\\.(d|asyncD)ispose\\]|dispose(Async)?|close|destroy|release|end|shutdown|stop|' +
    'disconnect|terminate|cleanup|teardown|free|finish|drain|(ng)?[oO]nDestroy|' +
    'componentWillUnmount)$',
);

/** The summaries of classes, computed on demand. */
export class Classes {
  readonly #world: World;
  readonly #known = new Map<ClassNode, ClassInfo>();

  constructor(world: World) {
    this.#world = world;
  }

  info(node: ClassNode): ClassInfo {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    this.#known.set(node, NOTHING_OWNED);
    if (node.isInterface || !node.methods.some(({ body }) => body !== undefined)) {
      if (node.fields.every(({ initializer }) => initializer === undefined)) return NOTHING_OWNED;
    }
    const found = this.#discover(node);
    this.#known.set(node, found);
    return found;
  }

  forget(node: ClassNode): void {
    this.#known.delete(node);
  }

  #base(node: ClassNode): ClassInfo {
    const [heritage] = node.heritage;
    const base = heritage && this.#world.classOf(heritage);
    return base === undefined || base === node ? NOTHING_OWNED : this.#world.classInfo(base);
  }

  #discover(node: ClassNode): ClassInfo {
    const base = this.#base(node);
    const fields = new Map<string, OwnedField>(base.owned);
    const byParameter = this.#filled(node, fields);
    this.#known.set(node, { ...base, owned: fields });
    const methods = node.methods.filter(isOrdinary);
    for (const method of methods) {
      if (!this.#world.isRelevant(method)) continue;
      const mayFill = fields.size > 0 || this.#world.holding.in(method);
      if (mayFill) this.#filledBy(node, method, fields);
    }
    if (fields.size === 0)
      return {
        ...NOTHING_OWNED,
        parameters: new Map(byParameter.map(([index]) => [index, 'shared'])),
      };
    const released = this.#releasers(
      node,
      methods.filter((method) => mentionsAny(method, [...fields.keys()])),
      fields,
    );
    const owned = new Map<string, OwnedField>();
    const parameters = new Map<number, 'owned' | 'borrowed' | 'shared'>();
    const fromParameter = new Set(
      byParameter.filter(([, , ownership]) => ownership === undefined).map(([, name]) => name),
    );
    for (const [name, field] of fields) {
      const ends = [released.get(name), released.get(field.source ?? '')];
      const releasers = new Set([...field.releasers, ...ends.flatMap((each) => [...(each ?? [])])]);
      // A handle that was passed in and is never released here is borrowed.
      const isOther = fromParameter.has(name) || field.needsProof;
      if (isOther && releasers.size === 0) continue;
      owned.set(name, { ...field, releasers });
    }
    for (const [index, name, ownership, isModel] of byParameter) {
      // Whether a library's handle is released elsewhere is unknown.
      const isLax = isModel && !this.#world.strict;
      const inferred = owned.has(name) ? 'owned' : isLax ? 'shared' : 'borrowed';
      parameters.set(index, ownership ?? inferred);
      if (ownership === 'borrowed') owned.delete(name);
    }
    const alone = endingAlone(node);
    const needsProof =
      owned.size > 0 &&
      [...owned.values()].every((field) => field.needsProof || alone.has(field.name));
    return { owned, parameters, contract: contractFor(node, owned) ?? base.contract, needsProof };
  }

  /** The fields that the constructor assigns, and those that it assigns from parameters. */
  #filled(node: ClassNode, fields: Map<string, OwnedField>): FilledField[] {
    const byParameter: FilledField[] = [];
    const exits = walkConstructor(this.#world, node, true).filter(({ kind }) => kind === 'return');
    for (const { state } of exits) {
      for (const [name, value] of state.heap.get(THIS)?.props ?? []) {
        const instance = instanceOf(state, value);
        if (instance === undefined || instance.isGuess || isOfAnother(instance)) continue;
        if (instance.isListed || isCollected(state, instance.id)) continue;
        const parameter = /^parameter:(\d+)$/.exec(instance.id)?.[1];
        if (parameter !== undefined) {
          const constructor = node.methods.find(({ form, body }) => form === 'constructor' && body);
          const index = constructor?.parameters.findIndex(
            ({ start }) => start === Number(parameter),
          );
          const { status } = instance;
          const ownership =
            status === 'borrowed' ? 'borrowed' : status === 'param' ? undefined : 'owned';
          const { isModel } = instance.contract;
          if (index !== undefined) byParameter.push([index, name, ownership, isModel]);
        } else if (instance.status === 'released' || instance.status === 'scoped') continue;
        const { contract, site } = instance;
        const { file, start, end } = site;
        const isAlways = exits.every((exit) => isFilled(exit.state, name));
        const maybeNull = instance.maybeNull || !isAlways;
        const [filler, source] = [undefined, sourceOf(instance)];
        const releasers = new Set<string>();
        const { needsProof } = instance;
        const place = { file, start, end };
        const field = { name, contract, maybeNull, ...place, releasers, filler, source };
        fields.set(name, { ...field, needsProof });
      }
    }
    return byParameter;
  }

  /** The fields that a method assigns later; until then they are empty. */
  #filledBy(node: ClassNode, method: FunctionNode, fields: Map<string, OwnedField>): void {
    const exits = methodExits(this.#world, node, method) ?? [];
    for (const { state } of exits) {
      for (const [name, value] of state.heap.get(THIS)?.props ?? []) {
        if (fields.has(name)) continue;
        const inside = reachableFrom(state, [value]).instances;
        const instance = inside.size === 1 ? instanceOf(state, value) : undefined;
        if (instance === undefined || !instance.site.isOwn || instance.isShared) continue;
        if (isOfAnother(instance) || isHeldToo(exits, instance.id)) continue;
        if (instance.status !== 'escaped' || instance.id.startsWith('parameter:')) continue;
        const { contract, site } = instance;
        const { file, start, end } = site;
        const releasers = new Set<string>();
        const filler = method.name;
        const source = sourceOf(instance);
        const place = { file, start, end };
        const field = { name, contract, maybeNull: true, ...place, releasers, filler, source };
        fields.set(name, { ...field, needsProof: false });
      }
    }
  }

  #releasers(
    node: ClassNode,
    methods: readonly FunctionNode[],
    fields: ReadonlyMap<string, OwnedField>,
  ): Map<string, Set<string>> {
    const released = new Map<string, Set<string>>();
    for (const method of methods) {
      const exits = methodExits(this.#world, node, method);
      // A method whose walk hit its bound may release every field that it mentions.
      const named = [...fields.values()].filter((field) => mentionsAny(method, [field.name]));
      const names = exits
        ? exits.flatMap(({ state }) => releasedFields(state))
        : named.map(({ name }) => name);
      for (const name of names) {
        const known = released.get(name) ?? new Set<string>();
        released.set(name, known.add(method.name ?? ''));
      }
    }
    return released;
  }
}

/** `browser` of `this.page = await this.browser.newPage()`. */
function sourceOf({ receiver, contract }: Instance): string | undefined {
  if (contract.release.length === 0) return undefined;
  return /^this\.(#?\w+)$/.exec(receiver ?? '')?.[1];
}

/** Whether a list holds it as well at one of the exits: others are those of exceptions. */
function isHeldToo(exits: readonly { readonly state: FlowState }[], id: string): boolean {
  return exits.some(
    ({ state }) => state.instances.get(id)?.isListed === true || isCollected(state, id),
  );
}

/** `this.disposables.push(this.item)`: another field holds it, and with it the obligation. */
function isCollected(state: FlowState, id: string): boolean {
  const fields = [...(state.heap.get(THIS)?.props.values() ?? [])];
  const objects = fields.filter(({ k }) => k === 'obj');
  return reachableFrom(state, objects).instances.has(id);
}

function isFilled(state: FlowState, field: string): boolean {
  const value = state.heap.get(THIS)?.props.get(field);
  return value !== undefined && instanceOf(state, value) !== undefined;
}

/** Whether a method mentions a field, or calls a getter or an ending method of `this`. */
function mentionsAny(method: FunctionNode, fields: readonly string[]): boolean {
  const { methods = [] } = method.owner ?? {};
  let found = false;
  walk(method, (node) => {
    if (node.kind !== 'member' || node.name === undefined) return;
    const { object, name } = node;
    const isGetter = methods.some((each) => each.form === 'getter' && each.name === name);
    const isOfThis = object.kind === 'this' && (isGetter || DESTRUCTOR.test(name));
    found ||= fields.includes(name) || isOfThis;
  });
  return found;
}

function isOrdinary({ form, isStatic, body }: FunctionNode): boolean {
  return form !== 'constructor' && !isStatic && body !== undefined;
}

/** Whether the method cannot be called from outside the class. */
export function isPrivate({ file, start, nameStart, name }: FunctionNode): boolean {
  return name?.startsWith('#') === true || /\bprivate\b/.test(file.text.slice(start, nameStart));
}

/** The field that an instance represents, by its id. */
function fieldOf(id: string): string | undefined {
  return /\.([^.']+)$/.exec(id)?.[1];
}

/** The fields of `this` whose handle was released, moved, or returned. */
export function releasedFields(state: FlowState): string[] {
  const names: string[] = [];
  for (const [id, { status, isField }] of state.instances) {
    const name = fieldOf(id);
    if (!isField || name === undefined || status === 'field') continue;
    if (status === 'released' || status === 'moved' || status === 'escaped') names.push(name);
  }
  return names;
}

/**
 * The fields that may end by themselves, since the class listens to their end, and those that such
 * a listener ends: `this.lines.once('close', () => this.history.close())`.
 */
function endingAlone(node: ClassNode): Set<string> {
  const fields = new Set<string>();
  const add = (field: Expression): void => {
    if (field.kind === 'member' && field.object.kind === 'this') fields.add(field.name ?? '');
  };
  walk(node, (each) => {
    if (each.kind !== 'call' || each.callee.kind !== 'member') return;
    const { object, name = '' } = each.callee;
    const [event, listener] = each.args;
    if (!registersListener(name) || event?.kind !== 'literal' || !isEnd(String(event.value)))
      return;
    add(object);
    if (listener?.kind !== 'function' || listener.body === undefined) return;
    walk(listener.body, (inner) => {
      if (inner.kind !== 'call' || inner.callee.kind !== 'member') return;
      if (DESTRUCTOR.test(inner.callee.name ?? '')) add(inner.callee.object);
    });
  });
  return fields;
}

/** `hooks.on('close', () => this.close())` in its constructor: an event releases it. */
function endsItself({ methods }: ClassNode, release: readonly string[]): boolean {
  const constructor = methods.find(({ form, body }) => form === 'constructor' && body);
  let found = false;
  walkInner(constructor, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    found ||= object.kind === 'this' && release.includes(name);
  });
  return found;
}

/** Visits the nodes of the inner functions of a function. */
function walkInner(fn: FunctionNode | undefined, visit: (node: Node) => void): void {
  if (fn?.body === undefined) return;
  walk(fn.body, (node) => {
    if (node.kind === 'function' && node.body) walk(node.body, visit);
  });
}

function isSuggested({ isModel, isInferred, isStructural }: Contract): boolean {
  return isModel || isInferred || isStructural;
}

function contractFor(
  node: ClassNode,
  owned: ReadonlyMap<string, OwnedField>,
): Contract | undefined {
  const all = new Set([...owned.values()].flatMap(({ releasers }) => [...releasers]));
  const hidden = new Set(node.methods.filter(isPrivate).map(({ name }) => name));
  const release = [...all].filter((name) => DESTRUCTOR.test(name) && !hidden.has(name));
  if (release.length === 0 || endsItself(node, release)) return undefined;
  const typeName = node.name ?? 'this class';
  // There is nothing to release until a method has assigned a field.
  const fillers = [...owned.values()].map(({ filler }) => filler);
  const starts = fillers.every((name) => name !== undefined) ? [...new Set(fillers)] : [];
  // Whether closing an owner twice is harmless is unknown: nothing is reported.
  return makeContract({
    id: typeName,
    typeName,
    release,
    starts,
    idempotent: true,
    usableAfter: true,
    // What holds a handle of a tagged type owes what the tag says.
    isInferred: [...owned.values()].every(({ contract }) => isSuggested(contract)),
    // What is lost with it is what it owns.
    outlivesProcess: [...owned.values()].some(({ contract }) => contract.outlivesProcess),
    isStructural: [...owned.values()].every(({ contract }) => contract.isStructural),
  });
}
