// Lowers calls: by the body of the callee, by its signature, or by what the language says.
import type { Outcome, Operation, Outside, Place } from '../calculus/core.ts';
import type { CallExpression, Expression } from '../syntax/node.ts';
import { closureOf } from './closures.ts';
import { lowerRole } from './library-calls.ts';
import { NOWHERE, THIS, type Lower } from './lower.ts';
import type { Callee } from './project.ts';
import { awaited, isPromise, mayBeNothing } from './types.ts';
import type { ValueShape } from '../flow/world.ts';
import { ensurePromise, isOptional as mayBeAbsent, outsideOf, pass } from './values.ts';

/** A call with its receiver and arguments. */
export interface Called {
  readonly node: CallExpression;
  readonly callee: Callee;
  readonly receiver: Place | undefined;
  readonly args: readonly (Place | undefined)[];
}

/** The place of a call's result. */
export function lowerCall(to: Lower, node: CallExpression, isAwaited: boolean): Place | undefined {
  const x = to.temporary();
  const { callee } = node;
  const receiver = callee.kind === 'member' ? receiverOf(to, callee.object) : undefined;
  if (callee.kind === 'member' && callee.index !== undefined) to.value(callee.index);
  const rest = to.apart(() => called(to, node, receiver, x, isAwaited));
  const test = guardOf(to, node, receiver);
  if (test === undefined) to.steps.push(...rest);
  else {
    const otherwise = to.apart(() => to.emit({ k: 'clear', xs: [x] }, node));
    to.emit({ k: 'if', test, then: rest, otherwise }, node);
  }
  const shape = to.project.types.of(node);
  const kind = to.project.types.kind(isAwaited ? awaited(shape) : shape);
  return kind === 'primitive' ? undefined : x;
}

function receiverOf(to: Lower, object: Expression): Place | undefined {
  if (object.kind === 'super') return THIS;
  return to.value(object);
}

/** `x?.m(…)`: nothing of the call happens where x is nothing. */
function guardOf(
  to: Lower,
  node: CallExpression,
  receiver: Place | undefined,
): { readonly k: 'held'; readonly x: Place } | { readonly k: 'any' } | undefined {
  const { callee } = node;
  if (!isOptional(node)) return undefined;
  const isDirect = callee.kind === 'member' && callee.optional && !isOptional(callee.object);
  if (isDirect && receiver !== undefined && to.kindOf(callee.object) === 'handle') {
    return { k: 'held', x: receiver };
  }
  return { k: 'any' };
}

/** Whether some link of a chain is `?.`. */
function isOptional(node: Expression): boolean {
  if (node.kind === 'call') return node.optional || isOptional(node.callee);
  return node.kind === 'member' && (node.optional || isOptional(node.object));
}

function called(
  to: Lower,
  node: CallExpression,
  receiver: Place | undefined,
  x: Place,
  isAwaited: boolean,
): void {
  const callee = to.project.callee(node, to.file, to.self);
  const value = calledValue(to, node, callee);
  const args = node.args.map((arg) => {
    const place = to.value(arg);
    if (arg.kind === 'spread' && place !== undefined)
      to.refuse([place], 'arguments of a list', arg);
    return place;
  });
  const call: Called = { node, callee, receiver, args };
  if (value !== undefined) return invoke(to, call, value, x, isAwaited);
  if (callee.isPart && receiver !== undefined) {
    const f = to.temporary();
    const name = node.callee.kind === 'member' ? (node.callee.name ?? '') : '';
    to.emit({ k: 'part', x: f, y: receiver, name, outside: 'nothing', nullable: false }, node);
    return invoke(to, call, f, x, isAwaited);
  }
  if (callee.role !== undefined && lowerRole(to, call, callee.role, x)) {
    return ensurePromise(to, x, node);
  }
  if (callee.ends && receiver !== undefined) return ended(to, call, receiver, x);
  if (callee.container !== undefined) return container(to, call, callee.container, x);
  if (callee.key !== undefined) return followed(to, call, callee.key, x, isAwaited);
  unfollowed(to, call, x);
}

/** The place of a function value that is called: of a variable or a parameter. */
function calledValue(
  to: Lower,
  { callee: expression }: CallExpression,
  callee: Callee,
): Place | undefined {
  if (expression.kind === 'function') return closureOf(to, expression);
  if (expression.kind === 'name') {
    const { variable } = expression;
    const place = to.placeOf(variable);
    return variable?.form === 'import' ? undefined : place;
  }
  if (expression.kind === 'call' || callee.isValue) return to.value(expression);
  return undefined;
}

function places(args: readonly (Place | undefined)[]): Place[] {
  return args.filter((arg) => arg !== undefined);
}

/** Calls a function value; its type says what it owns, if anything does. */
function invoke(to: Lower, call: Called, f: Place, x: Place, isAwaited: boolean): void {
  const { node, args, callee } = call;
  const owned = to.project.ownedByType(node, to.file);
  to.emit(
    {
      k: 'invoke',
      x,
      f,
      args: args.map((arg) => arg ?? NOWHERE),
      isAwaited,
      throws: callee.throws,
      owned,
      result: outcomeOf(to, node),
    },
    node,
  );
}

/** What the type of a call says of its result. */
function outcomeOf(to: Lower, node: CallExpression): Outcome {
  const shape = to.project.types.of(node);
  const kind = to.project.types.kind(shape);
  if (kind === 'primitive') return 'nothing';
  if (kind === 'plain' || kind === 'open') return 'view';
  return mayBeNothing(shape) ? 'optional' : 'owned';
}

/** A method that ends its object, and may give another. */
function ended(to: Lower, call: Called, y: Place, x: Place): void {
  for (const arg of places(call.args)) to.emit(pass([arg]), call.node);
  transition(to, call, y, x);
}

/** `new Map()`: nothing is in it yet. */
function container(
  to: Lower,
  { node, args }: Called,
  form: 'list' | 'map' | 'stack',
  x: Place,
): void {
  const passedOn = places(args);
  if (passedOn.length > 0) to.refuse(passedOn, 'a container that is created of another', node);
  const more = { owned: true, nullable: false, throws: false, before: [] };
  if (form === 'stack') return to.emit({ k: 'acquire', x, form, ...more }, node);
  to.emit({ k: 'record', x, parts: [], isList: form === 'list' }, node);
}

/** A function with a body: by its summary, or where it gets functions, as if it stood here. */
function followed(
  to: Lower,
  call: Called,
  key: NonNullable<Callee['key']>,
  x: Place,
  isAwaited: boolean,
): void {
  const { node, args, receiver, callee } = call;
  const self = callee.hasThis ? [receiver ?? NOWHERE] : [];
  const all = [...self, ...args.map((arg) => arg ?? NOWHERE)];
  if (callee.isOwn || (!node.isNew && getsFunction(to, node))) {
    const f = to.temporary();
    to.emit({ k: 'closure', x: f, f: key, values: [], variables: [] }, node);
    const value = { throws: callee.throws, owned: undefined, result: outcomeOf(to, node) };
    return to.emit({ k: 'invoke', x, f, args: all, isAwaited, ...value }, node);
  }
  const makes = !node.isNew ? undefined : to.kindOf(node) === 'handle' ? 'owned' : 'view';
  const passed = makes === undefined ? all : [NOWHERE, ...all];
  const result = outcomeOf(to, node);
  to.emit({ k: 'call', x, f: key, args: passed, isAwaited, result, makes }, node);
}

/** Whether an argument is a function whose body is there. */
function getsFunction(to: Lower, { args }: CallExpression): boolean {
  return args.some((arg) => to.project.isFunction(arg, to.file));
}

/** A callee without a body: by its tags and types. */
function unfollowed(to: Lower, call: Called, x: Place): void {
  const { callee, receiver } = call;
  const used: Place[] = receiver === undefined ? [] : [receiver];
  for (const [index, arg] of call.args.entries()) argument(to, call, index, arg, used);
  if (callee.consumes && receiver !== undefined) return transition(to, call, receiver, x);
  result(to, call, used, x);
}

function argument(
  to: Lower,
  { node, callee }: Called,
  index: number,
  arg: Place | undefined,
  used: Place[],
): void {
  if (arg === undefined) return;
  const expression = node.args[index]!;
  const isAlias = typeof callee.returns === 'object' && callee.returns.alias === index;
  const owner = callee.parameter(index) ?? (isAlias ? 'borrowed' : undefined);
  if (to.project.isFunction(expression, to.file))
    return functionArgument(to, callee, arg, expression);
  if (callee.releases === index) return to.emit({ k: 'release', y: arg }, expression);
  if (owner === 'owned') return to.emit({ k: 'give', y: arg, isOnce: true }, expression);
  if (owner === undefined) to.emit(pass([arg]), expression);
  used.push(arg);
}

/** A function that a callee without a body gets: called once, now or later, or it is unknown. */
function functionArgument(to: Lower, callee: Callee, arg: Place, node: Expression): void {
  if (callee.callsNow) {
    const x = to.temporary();
    const value = { throws: true, owned: undefined, result: 'nothing' } as const;
    return to.emit({ k: 'invoke', x, f: arg, args: [], isAwaited: false, ...value }, node);
  }
  to.emit({ k: 'give', y: arg, isOnce: callee.callsLater }, node);
}

/** A method that consumes its object, and gives what comes next. */
function transition(to: Lower, call: Called, y: Place, x: Place): void {
  const { node, callee } = call;
  const shape = to.project.types.of(node);
  if (
    !['handle', 'promise'].includes(to.project.types.kind(shape)) ||
    callee.returns === 'borrowed'
  ) {
    return to.emit({ k: 'release', y }, node);
  }
  const nullable = mayBeNothing(awaited(shape));
  if (!isPromise(shape)) return to.emit({ k: 'next', x, y, throws: callee.throws, nullable }, node);
  to.emit({ k: 'release', y }, node);
  to.emit({ k: 'promise', x, ys: [], throws: false, nullable }, node);
}

/** The result of a callee without a body. */
function result(to: Lower, call: Called, used: readonly Place[], x: Place): void {
  const { node, callee } = call;
  const shape = to.project.types.of(node);
  const { types } = to.project;
  const owed = types.owed(awaited(shape));
  const kind = types.kind(shape);
  const throws = callee.throws && !isPromise(shape);
  if (kind === 'primitive') return to.emit({ k: 'use', ys: used, throws }, node);
  const nullable = mayBeNothing(awaited(shape));
  const isOwned = callee.returns === 'owned';
  const alias = callee.returns;
  if (typeof alias === 'object') return aliasOf(to, call, alias.alias, used, throws, x);
  if (isPromise(shape)) {
    if (kind === 'promise' && isOwned) {
      return to.emit({ k: 'promise', x, ys: used, throws, nullable }, node);
    }
    return to.emit(
      { k: 'view', x, ys: used, lends: true, throws, outside: 'promise', nullable: false },
      node,
    );
  }
  to.emit({ k: 'use', ys: used, throws }, node);
  if (kind === 'plain' || kind === 'open' || !isOwned) {
    const outside: Outside = outsideOf(to, node);
    return to.emit(
      {
        k: 'view',
        x,
        ys: used,
        lends: false,
        throws: false,
        outside,
        nullable: mayBeAbsent(to, node),
      },
      node,
    );
  }
  fresh(to, call, owed, nullable, x);
}

function aliasOf(
  to: Lower,
  { node, args, receiver }: Called,
  alias: number | 'this',
  used: readonly Place[],
  throws: boolean,
  x: Place,
): void {
  const y = alias === 'this' ? receiver : args[alias];
  to.emit({ k: 'use', ys: used, throws }, node);
  to.emit(y === undefined ? { k: 'clear', xs: [x] } : { k: 'copy', x, y }, node);
}

/** What is owned from now on: a handle, or a structure of some. */
function fresh(
  to: Lower,
  { node, callee, receiver, args }: Called,
  owed: ValueShape,
  nullable: boolean,
  x: Place,
): void {
  const parent = callee.before === 'this' ? receiver : args[callee.before ?? -1];
  const before = parent === undefined ? [] : [parent];
  const emit = (operation: Operation): void => to.emit(operation, node);
  const make = (shape: ValueShape, place: Place, mayBeNull: boolean): void => {
    const more = { owned: true, throws: false, before, nullable: mayBeNull };
    switch (shape.k) {
      case 'handle':
        return emit({
          k: 'acquire',
          x: place,
          ...more,
          form: 'one',
          nullable: mayBeNull || shape.maybeNull,
        });
      case 'many':
        if (shape.of.k === 'handle') return emit({ k: 'acquire', x: place, ...more, form: 'list' });
        return to.refuse(undefined, 'a list of structures', node);
      case 'tuple':
      case 'object': {
        const entries =
          shape.k === 'tuple'
            ? shape.of.map((each, index): [string, ValueShape] => [String(index), each])
            : [...shape.of];
        const parts = entries.map(([name, each]): [string, Place] => {
          const inner = to.temporary();
          make(each, inner, false);
          return [name, inner];
        });
        emit({ k: 'record', x: place, parts, isList: shape.k === 'tuple' });
        return emit({ k: 'clear', xs: parts.map(([, inner]) => inner) });
      }
      case 'promise':
        return emit({ k: 'promise', x: place, ys: [], throws: false, nullable: mayBeNull });
      case 'either':
        return to.refuse(undefined, 'one of several structures', node);
      case 'constant':
      case 'nothing':
        return emit({ k: 'clear', xs: [place] });
    }
  };
  make(owed, x, nullable);
}
