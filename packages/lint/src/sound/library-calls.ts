// Lowers calls of the language's own functions: lists, maps, sets, promises and stacks.
import type { Place, Step } from '../calculus/core.ts';
import type { Called } from './calls.ts';
import type { Expression } from '../syntax/node.ts';
import type { Role } from './library.ts';
import { isOutside, NOWHERE, type Lower } from './lower.ts';
import { elementOf, isPrimitive } from './types.ts';
import { counterOf, isOptional, outsideOf, pass } from './values.ts';

type LowerRole = (to: Lower, call: Called, x: Place) => boolean;

/** The value of a literal argument. */
function literal(node: Expression | undefined): string | number | undefined {
  if (node?.kind !== 'literal') return undefined;
  const { value } = node;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function passAll(to: Lower, { node, args }: Called): void {
  for (const [index, arg] of args.entries()) {
    if (arg !== undefined) giveOrPass(to, node.args[index]!, arg);
  }
}

function giveOrPass(to: Lower, node: Expression, arg: Place): void {
  if (to.project.isFunction(node, to.file)) to.emit({ k: 'give', y: arg, isOnce: false }, node);
  else to.emit(pass([arg]), node);
}

function looks(to: Lower, call: Called, throws: boolean): boolean {
  const { node, receiver, args } = call;
  const used = args.filter((arg) => arg !== undefined);
  if (throws || args.some((_, index) => to.project.isFunction(node.args[index]!, to.file))) {
    passAll(to, call);
  }
  if (receiver !== undefined) to.emit({ k: 'read', y: receiver }, node);
  to.emit({ k: 'use', ys: throws ? [] : used, throws }, node);
  return true;
}

/** Calls a function once for each element, and does something with what it gives. */
function each(
  to: Lower,
  { node, receiver, args }: Called,
  after: (result: Place) => void,
): boolean {
  const [f] = args;
  const [callback] = node.args;
  if (f === undefined || callback === undefined || !to.project.isFunction(callback, to.file)) {
    return false;
  }
  const element = to.temporary();
  const passedOn = to.temporary();
  const body: Step[] = to.apart(() => {
    const value = { isAwaited: false, throws: true, owned: undefined, result: 'nothing' } as const;
    to.emit({ k: 'invoke', x: passedOn, f, args: [element], ...value }, callback);
    after(passedOn);
    to.emit({ k: 'clear', xs: [element, passedOn] }, callback);
  });
  const c = receiver ?? NOWHERE;
  to.emit({ k: 'each', x: element, c, body, isTaken: false }, node);
  return true;
}

const ROLES: Readonly<Record<Role, LowerRole>> = {
  looks: (to, call) => looks(to, call, false),
  tries: (to, call) => looks(to, call, true),
  views(to, { node, receiver, args }, x) {
    const ys = [receiver, ...args].filter((place) => place !== undefined);
    const outside = outsideOf(to, node);
    to.emit(
      { k: 'view', x, ys, lends: false, throws: false, outside, nullable: isOptional(to, node) },
      node,
    );
    return true;
  },
  push(to, call, x) {
    return put(to, call, false, x);
  },
  unshift(to, call, x) {
    return put(to, call, true, x);
  },
  pop: take('last'),
  shift: take('first'),
  splice(to, { node, receiver, args }, x) {
    const from = literal(node.args[0]);
    if (receiver === undefined) return false;
    const isWhole = node.args.length === 1 && typeof from === 'number' && from >= 0;
    if (isWhole) to.emit({ k: 'takeAll', x, c: receiver, from }, node);
    else {
      to.refuse([receiver], 'a part of a list', node);
      for (const arg of args) if (arg !== undefined) to.refuse([arg], 'a part of a list', node);
    }
    return true;
  },
  element(to, { node, receiver }, x) {
    if (receiver === undefined) return false;
    const index = literal(node.args[0]);
    const outside = outsideOf(to, node);
    const isFirst = index !== undefined && Number(index) >= 0;
    if (isFirst)
      to.emit(
        { k: 'part', x, y: receiver, name: String(index), outside, nullable: isOptional(to, node) },
        node,
      );
    else to.emit({ k: 'element', x, y: receiver }, node);
    return true;
  },
  self(to, { node, receiver, args }, x) {
    const y = receiver ?? args[0];
    if (y === undefined) return false;
    to.emit({ k: 'copy', x, y }, node);
    return true;
  },
  get(to, { node, receiver }, x) {
    if (receiver === undefined) return false;
    const key = keyOf(node.args[0]);
    const outside = outsideOf(to, node);
    if (key === undefined) to.emit({ k: 'element', x, y: receiver }, node);
    else
      to.emit(
        { k: 'part', x, y: receiver, name: key, outside, nullable: isOptional(to, node) },
        node,
      );
    return true;
  },
  set(to, { node, receiver, args }, x) {
    const key = keyOf(node.args[0]);
    const [, value] = args;
    const c = receiver ?? NOWHERE;
    if (args[0] !== undefined) to.emit(pass([args[0]]), node);
    if (key !== undefined)
      to.emit({ k: 'setPart', y: c, name: key, value: value ?? NOWHERE }, node);
    else if (value !== undefined) {
      to.emit({ k: 'putUnder', c, y: value, key: counterOf(to, node.args[0]) }, node);
    }
    if (receiver !== undefined) to.emit({ k: 'copy', x, y: receiver }, node);
    return true;
  },
  delete(to, { node, receiver, args }) {
    if (receiver === undefined) return false;
    const key = keyOf(node.args[0]);
    if (key !== undefined) to.emit({ k: 'dropPart', y: receiver, name: key }, node);
    else
      to.refuse(
        [receiver, ...args.filter((arg) => arg !== undefined)],
        'an unknown element is deleted',
        node,
      );
    return true;
  },
  clear(to, { node, receiver }) {
    if (receiver !== undefined) to.emit({ k: 'empty', c: receiver }, node);
    return true;
  },
  each: (to, call) => each(to, call, () => {}),
  map(to, call, x) {
    const { node } = call;
    to.emit({ k: 'record', x, parts: [], isList: true }, node);
    return each(to, call, (y) => to.emit({ k: 'push', c: x, y, isFirst: false }, node));
  },
  find(to, { node, receiver, args }, x) {
    if (receiver === undefined) return false;
    if (args[0] !== undefined) to.emit({ k: 'give', y: args[0], isOnce: false }, node);
    to.emit({ k: 'element', x, y: receiver }, node);
    return true;
  },
  from(to, call, x) {
    const { node, args } = call;
    const [, f] = args;
    const callback = node.args[1];
    if (f === undefined || callback === undefined) {
      const isCopy = isPrimitive(elementOf(to.project.types.of(node)));
      return isCopy && looks(to, call, false);
    }
    if (args[0] !== undefined) to.emit(pass([args[0]]), node);
    to.emit({ k: 'record', x, parts: [], isList: true }, node);
    const passedOn = to.temporary();
    const value = { isAwaited: false, throws: true, owned: undefined, result: 'nothing' } as const;
    const body = to.apart(() => {
      to.emit({ k: 'invoke', x: passedOn, f, args: [], ...value }, callback);
      to.emit({ k: 'push', c: x, y: passedOn, isFirst: false }, callback);
      to.emit({ k: 'clear', xs: [passedOn] }, callback);
    });
    to.emit({ k: 'each', x: NOWHERE, c: NOWHERE, body, isTaken: false }, node);
    return true;
  },
  /** Not awaited at once: what the promises lend and owe is out of sight. */
  all(to, { node, args }) {
    to.refuse(
      args.filter((arg) => arg !== undefined),
      'promises that are not awaited here',
      node,
    );
    return true;
  },
  later(to, { node, args }) {
    for (const [index, arg] of args.entries()) {
      if (arg === undefined) continue;
      if (index === 0) to.emit({ k: 'give', y: arg, isOnce: true }, node);
      else to.emit(pass([arg]), node);
    }
    return true;
  },
  use(to, { node, receiver, args }, x) {
    const [y] = args;
    if (receiver === undefined || y === undefined) return true;
    to.emit({ k: 'copy', x, y }, node);
    to.emit({ k: 'push', c: receiver, y, isFirst: false }, node);
    return true;
  },
  adopt(to, { node, args }) {
    to.refuse(
      args.filter((arg) => arg !== undefined),
      'a value with a function to release it',
      node,
    );
    return true;
  },
  defer(to, { node, receiver, args }) {
    const [y] = args;
    if (receiver === undefined || y === undefined) return true;
    to.emit({ k: 'push', c: receiver, y, isFirst: false }, node);
    return true;
  },
  move(to, { node, receiver }) {
    if (receiver !== undefined) to.refuse([receiver], 'the stack moves', node);
    return true;
  },
};

function put(to: Lower, { node, receiver, args }: Called, isFirst: boolean, x: Place): boolean {
  if (isOwnGlobal(node)) {
    const passedOn = args.filter((arg) => arg !== undefined);
    to.refuse(passedOn, 'a list of the module, which no code is seen to empty', node);
    return true;
  }
  for (const y of args)
    to.emit({ k: 'push', c: receiver ?? NOWHERE, y: y ?? NOWHERE, isFirst }, node);
  if (receiver !== undefined && to.kindOf(node) !== 'primitive')
    to.emit({ k: 'copy', x, y: receiver }, node);
  return true;
}

/** A list that the code of a module makes: no other code empties it. */
function isOwnGlobal({ callee }: Called['node']): boolean {
  const list = callee.kind === 'member' ? callee.object : undefined;
  if (list?.kind !== 'name' || list.variable === undefined) return false;
  return isOutside(list.variable) && list.variable.initializer !== undefined;
}

function take(which: 'first' | 'last'): LowerRole {
  return (to, { node, receiver }, x) => {
    if (receiver === undefined) return false;
    to.emit({ k: 'take', x, c: receiver, which }, node);
    return true;
  };
}

/** A key that is the same wherever it is written: a literal. */
function keyOf(node: Expression | undefined): string | undefined {
  const value = literal(node);
  return value === undefined ? undefined : String(value);
}

/** Whether a call of the language was lowered; if not, it is an unknown callee. */
export function lowerRole(to: Lower, call: Called, role: Role, x: Place): boolean {
  return ROLES[role](to, call, x);
}
