// Findings about classes: fields that are never released, destructors that skip a field.
import type { Contract } from '../contract/contract.ts';
import type { ClassNode, Expression, FunctionNode, Node } from '../syntax/node.ts';
import { walk, walkOwn } from '../syntax/children.ts';
import { DESTRUCTOR, releasedFields, type OwnedField } from './class-info.ts';
import { methodExits } from './class-walk.ts';
import type { LeakCause } from './cause.ts';
import { makeInstance } from './lifetime.ts';
import type { Reason } from './report.ts';
import type { World } from './world.ts';

export function classFindings(world: World, node: ClassNode): void {
  const { owned } = world.classInfo(node);
  if (owned.size === 0) return;
  const own = [...owned.values()].filter(
    ({ file, start }) => file === node.file && start >= node.start && start < node.end,
  );
  const destructors = node.methods.filter(({ name = '', body, isStatic }) => {
    return body !== undefined && !isStatic && DESTRUCTOR.test(name);
  });
  for (const field of own) {
    if (field.releasers.size > 0 || inherits(world, node) || isDrained(node, field)) continue;
    if (isReleasedLater(node, field)) continue;
    const isHopeless =
      destructors.length > 0 || isNowhereReleased(node, field) || isOnlyUsed(node, field);
    if ((!isHopeless && !world.strict) || isHandedOn(world, node, field)) continue;
    report(world, node, field, undefined, 'never-released-field');
  }
  for (const method of destructors) unreleasedFields(world, node, method, own);
  unchained(world, node, destructors);
}

/**
 * Plain data, in a class of several methods and a file that never mentions a method that releases
 * it.
 */
function isNowhereReleased({ file, methods }: ClassNode, { contract }: OwnedField): boolean {
  // An incomplete class may lack the releasing method.
  const bodies = methods.filter(({ body }) => body !== undefined);
  if (!contract.isCopied || bodies.length < 2) return false;
  const names = new Set(contract.via.map(({ name }) => name));
  let isNamed = false;
  walk(file.body, (each) => {
    if (each.kind === 'member') isNamed ||= names.has(each.name ?? '');
  });
  return !isNamed;
}

/** A private field of a type of the project, of which the class only uses members. */
function isOnlyUsed(node: ClassNode, { name, contract }: OwnedField): boolean {
  const declared = node.fields.find((field) => field.name === name);
  if (contract.isModel || declared?.isPrivate !== true || declared.isStatic) return false;
  const used = new Set<Node>();
  let isUsed = true;
  walk(node, (each) => {
    if (each.kind !== 'member') return;
    if (isField(each.object, name) && !isEnd(contract, each.name)) used.add(each.object);
    else if (isField(each, name)) isUsed &&= used.has(each);
  });
  return isUsed;
}

/** `this.register(this.item)`, `this.item = this.register(create())`: that method may own it. */
function isHandedOn(
  world: World,
  node: ClassNode,
  { name, file, start, end }: OwnedField,
): boolean {
  let hasIt = false;
  walk(node, (each) => {
    if (each.kind !== 'call' || hasIt) return;
    const isArgument = each.args.some((argument) => {
      const isCreated = argument.start <= start && end <= argument.end;
      return isField(argument, name) || (isCreated && file === node.file);
    });
    hasIt = isArgument && world.target(each, node.file).fn?.body !== undefined;
  });
  return hasIt;
}

function isField(node: Expression, name: string): boolean {
  return node.kind === 'member' && node.name === name && node.object.kind === 'this';
}

function isEnd({ release, alsoReleasedBy, consumes }: Contract, name = ''): boolean {
  return release.includes(name) || alsoReleasedBy.has(name) || consumes.has(name);
}

/** `signal.addEventListener('abort', () => this.observer.disconnect())`: an event releases it. */
function isReleasedLater(node: ClassNode, field: OwnedField): boolean {
  const { file, start, end } = node;
  const { name, contract } = field;
  const inner = file.functions.filter((fn) => {
    return fn.outer !== undefined && start <= fn.start && fn.end <= end;
  });
  let isFound = isReleasedByThen(node, field);
  for (const { body } of inner) {
    if (body === undefined) continue;
    walkOwn(body, (each) => {
      if (each.kind !== 'call' || each.callee.kind !== 'member') return;
      isFound ||= isField(each.callee.object, name) && isEnd(contract, each.callee.name);
    });
  }
  return isFound;
}

/** `this.opening.then((file) => file?.close())`, where `this.opening` has the promise of it. */
function isReleasedByThen(node: ClassNode, { contract, start, end }: OwnedField): boolean {
  const holders = new Set<string>();
  walk(node, (each) => {
    if (each.kind !== 'assign' || each.target.kind !== 'member') return;
    const isOfIt = each.value.start <= start && end <= each.value.end;
    if (isOfIt && each.target.object.kind === 'this') holders.add(each.target.name ?? '');
  });
  let isFound = false;
  walk(node, (each) => {
    if (each.kind !== 'call' || each.callee.kind !== 'member' || isFound) return;
    const { object, name } = each.callee;
    const isOfField = object.kind === 'member' && object.object.kind === 'this';
    if (name !== 'then' || !isOfField || !holders.has(object.name ?? '')) return;
    isFound = each.args.some((then) => endsItsParameter(then, contract));
  });
  return isFound;
}

function endsItsParameter(fn: Expression, contract: Contract): boolean {
  const target = fn.kind === 'function' ? fn.parameters[0]?.target : undefined;
  let isFound = false;
  if (target?.kind !== 'name' || fn.kind !== 'function' || fn.body === undefined) return false;
  walk(fn.body, (each) => {
    if (each.kind !== 'call' || each.callee.kind !== 'member') return;
    const { object, name } = each.callee;
    const isIt = object.kind === 'name' && object.variable === target.variable;
    isFound ||= isIt && isEnd(contract, name);
  });
  return isFound;
}

/** `this.reader.read()`: after reading to the end there is nothing to release. */
function isDrained(node: ClassNode, { name, contract }: OwnedField): boolean {
  let found = false;
  walk(node, (each) => {
    if (each.kind !== 'member' || each.name !== contract.drains) return;
    found ||= each.object.kind === 'member' && each.object.name === name;
  });
  return contract.drains !== undefined && found;
}

function inherits(world: World, node: ClassNode): boolean {
  return node.heritage.some((each) => world.classOf(each) === undefined);
}

/** Destructors that release one field and skip another on some path. */
function unreleasedFields(
  world: World,
  node: ClassNode,
  method: FunctionNode,
  fields: readonly OwnedField[],
): void {
  const mine = fields.filter(({ releasers }) => releasers.has(method.name ?? ''));
  if (mine.length === 0) return;
  for (const { state, kind } of methodExits(world, node, method) ?? []) {
    const released = new Set(releasedFields(state));
    // A path that releases nothing is that of a second call.
    if (released.size === 0 && kind === 'return') continue;
    for (const field of mine.filter(({ contract }) => !mayHaveEnded(contract))) {
      const present = [...state.instances].some(([id]) => id.endsWith(`.${field.name}`));
      const isNil = state.heap.get('this')?.props.get(field.name)?.k === 'nil';
      const isReleased = released.has(field.name) || released.has(field.source ?? '');
      if (isReleased || isNil || (!present && field.maybeNull)) continue;
      report(world, node, field, state.cause, undefined);
    }
  }
}

/** `if (!this.panel.isDisposed) …`: what reports its end may have ended before. */
function mayHaveEnded({ isStructural, usableAfter }: Contract): boolean {
  return isStructural && usableAfter;
}

/** A destructor that overrides another and does not call it. */
function unchained(world: World, node: ClassNode, destructors: readonly FunctionNode[]): void {
  const [heritage] = node.heritage;
  const base = heritage && world.classOf(heritage);
  if (base === undefined) return;
  for (const field of world.classInfo(base).owned.values()) {
    for (const method of destructors) {
      const { name = '' } = method;
      if (!field.releasers.has(name) || callsSuper(method)) continue;
      const at = { start: method.nameStart, end: method.nameStart + name.length };
      report(world, node, field, undefined, 'not-chained', at);
      return;
    }
  }
}

function callsSuper(method: FunctionNode): boolean {
  let found = false;
  walk(method, (each) => {
    if (each.kind === 'super') found = true;
  });
  return found;
}

function report(
  world: World,
  node: ClassNode,
  field: OwnedField,
  cause: LeakCause | undefined,
  reason: Reason | undefined,
  at: { start: number; end: number } = field,
): void {
  const { file } = node;
  const { start, end } = at;
  const site = { file, start, end, what: '', isOwn: true };
  const { contract } = field;
  const instance = makeInstance(`field:${field.name}`, site, { contract, status: 'field' });
  const what = field.name;
  world.report({ kind: 'leak', file, start, end, instance, cause, other: undefined, what, reason });
}
