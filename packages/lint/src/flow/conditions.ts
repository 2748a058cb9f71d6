// Conditions: split states by the outcome of a test and record the outcome as a fact.
import type { Binary, Expression, Logical } from '../syntax/node.ts';
import { evaluate } from './expressions.ts';
import { fold } from './fold.ts';
import { emptied } from './iteration.ts';
import { instanceOf, escape, without } from './lifetime.ts';
import { predicate } from './predicates.ts';
import type { Evaluated, FlowRun } from './run.ts';
import {
  MEANT_TO_STAY,
  factName,
  isEmptyCollection,
  withEntry,
  withInstance,
  type HeapObject,
  type Instance,
  type FlowState,
} from './state.ts';
import { textWith } from './text.ts';
import { NIL, UNKNOWN, constant, type Value } from './value.ts';

export interface Split {
  readonly yes: FlowState[];
  readonly no: FlowState[];
}

export function test(run: FlowRun, node: Expression, state: FlowState): Split {
  if (node.kind === 'unary' && node.operator === '!') {
    const { yes, no } = test(run, node.operand, state);
    return { yes: no, no: yes };
  }
  if (node.kind === 'logical' && node.operator !== '??') {
    const left = test(run, node.left, state);
    const open = fold(node.operator === '&&' ? left.yes : left.no);
    const right = open.map((each) => test(run, node.right, each));
    const yes = right.flatMap((each) => each.yes);
    const no = right.flatMap((each) => each.no);
    return node.operator === '&&'
      ? { yes, no: few([...left.no, ...no]) }
      : { yes: few(eitherOf(node, [...left.yes, ...yes])), no };
  }
  const empty = emptyTest(run, node, state);
  if (empty !== undefined) return empty;
  const split: Split = { yes: [], no: [] };
  run.tested = node;
  for (const out of evaluate(run, node, state)) {
    const { yes, no } = withoutPart(node, truth(out, node));
    const isOpen = yes.length > 0 && no.length > 0;
    const tested = isOpen ? testedHandle(node, state) : undefined;
    const settled = (each: FlowState): FlowState =>
      tested === undefined ? each : withInstance(each, tested, { status: 'escaped' });
    split.yes.push(...yes.map(settled));
    split.no.push(...no.map(settled));
  }
  return split;
}

/** `if (!response.body) return`: what would have to be released is not there. */
function withoutPart(node: Expression, { yes, no }: Split): Split {
  if (node.kind !== 'member' || node.object.kind !== 'name') return { yes, no };
  const { name = '', object } = node;
  const absent = (state: FlowState): FlowState => {
    const value = object.variable && state.env.get(object.variable);
    const instance = value?.k === 'ref' ? state.instances.get(value.id) : undefined;
    if (instance?.contract.alsoReleasedBy.has(name) !== true) return state;
    return withInstance(state, instance.id, { status: 'escaped' });
  };
  return { yes, no: no.map(absent) };
}

/**
 * `if (client.inTransaction) return`: the flag of a caller's handle decides whether to release it.
 */
function testedHandle(node: Expression, { env, instances }: FlowState): string | undefined {
  const subject = node.kind === 'binary' ? node.left : node;
  const isKind = node.kind === 'binary' && node.operator === 'instanceof';
  const tested =
    subject.kind === 'member' && !isKind ? subject.object : isKind ? subject : undefined;
  if (tested?.kind !== 'name') return undefined;
  const { variable } = tested;
  const value = variable && env.get(variable);
  const instance = value?.k === 'ref' ? instances.get(value.id) : undefined;
  const isCallers = instance?.site.isOwn === false && instance.status === 'live';
  return isCallers ? instance.id : undefined;
}

/** For `a || b`, records that one of them holds where it is unknown which. */
function eitherOf({ left, right }: Logical, states: FlowState[]): FlowState[] {
  const one = factKey(left);
  const other = factKey(right);
  if (one === undefined || other === undefined) return states;
  const key = `${EITHER}${one}|${other})`;
  return states.map((state) => ({ ...state, facts: withEntry(state.facts, key, true) }));
}

const EITHER = 'either(';

/** The known outcome of a condition, directly or because the other operand of `||` is false. */
export function knownFact({ facts }: FlowState, key: string): boolean | undefined {
  const known = facts.get(key);
  if (known !== undefined) return known;
  for (const each of facts.keys()) {
    if (!each.startsWith(EITHER)) continue;
    const [one = '', other = ''] = each.slice(EITHER.length, -1).split('|');
    const isOther = (one === key && facts.get(other) === false) || other === key;
    if (isOther && (one === key || facts.get(one) === false)) return true;
  }
  return undefined;
}

/** Whether a condition is an operand of a true `||`. */
export function isEither({ facts }: FlowState, key: string): boolean {
  return [...facts.keys()].some((each) => each.startsWith(EITHER) && each.includes(key));
}

/** Merges the failing states of a chain of conditions. */
function few(states: FlowState[]): FlowState[] {
  return states.length > 4 ? fold(states) : states;
}

/** `xs.length`, `xs.length > 0`, `xs.size === 0`: an empty collection holds no handles. */
function emptyTest(run: FlowRun, node: Expression, state: FlowState): Split | undefined {
  const isComparison = node.kind === 'binary';
  // `i < xs.length` is false for an empty collection.
  if (isComparison && node.operator === '<' && node.right.kind === 'member') {
    return emptyTest(run, node.right, state);
  }
  const size = isComparison ? node.left : node;
  if (size.kind !== 'member' || !/^(length|size)$/.test(size.name ?? '')) return undefined;
  const bound = isComparison && node.right.kind === 'literal' ? node.right.value : undefined;
  if (isComparison && bound !== 0 && bound !== 1) return undefined;
  const testsEmpty = isComparison && (node.operator.startsWith('==') || node.operator === '<');
  const split = splitEmpty(run, size.object, state);
  return testsEmpty && split ? { yes: split.no, no: split.yes } : split;
}

/** Splits a state by whether a collection has elements. */
function splitEmpty(run: FlowRun, collection: Expression, state: FlowState): Split | undefined {
  const split: Split = { yes: [], no: [] };
  for (const { state: after, value } of evaluate(run, collection, state)) {
    const object = value.k === 'obj' ? after.heap.get(value.id) : undefined;
    if (object === undefined || value.k !== 'obj' || object.kind === 'object') return undefined;
    const isFilled = object.props.size > 0 || hasOne(after, object);
    if (!isEmptyCollection(object)) split.yes.push(after);
    if (!isFilled) split.no.push(emptied(after, value.id));
  }
  return split;
}

/** Whether a collection that other code cannot change has an element that stands for itself. */
function hasOne({ instances }: FlowState, { rest, isExact }: HeapObject): boolean {
  return isExact && rest.some((each) => each.k === 'ref' && !instances.get(each.id)?.isMany);
}

/** Splits a state by whether a value is truthy. */
function truth({ state, value }: Evaluated, node: Expression): Split {
  switch (value.k) {
    case 'nil':
      return { yes: [], no: [state] };
    case 'const':
      return value.value ? { yes: [state], no: [] } : { yes: [], no: [state] };
    case 'ref':
      return splitNull(state, value.id);
    case 'cond':
      return byFact(state, value.key, value.not);
    case 'unknown':
      return unknownTruth(state, node);
    default:
      return { yes: [state], no: [] };
  }
}

function unknownTruth(state: FlowState, node: Expression): Split {
  const key = factKey(node);
  if (key === undefined) return { yes: [state], no: [state] };
  // A value known not to be null is taken for an object, unless its truthiness was tested before.
  if (state.facts.get(key) === undefined) {
    const isNull = state.facts.get(nullKey(key));
    if (isNull !== undefined) return isNull ? { yes: [], no: [state] } : { yes: [state], no: [] };
  }
  return rememberDecision(byFact(state, key, false), node);
}

/** `keepAlive`, `options.leaveOpen`: an unreleased handle is then intended. */
const KEEPS = /^_?(is|should|do|must|will)?_?(keep|leave|stay|persist|reuse|preserve|retain)/i;
/** `autoClose`, `ownsBrowser`: an unreleased handle otherwise belongs to the caller. */
const ENDS = new RegExp(
  '^_?((auto|should|do|must)_?(close|release|dispose|destroy|end|disconnect)|owns?([A-Z_]|$)|' +
    '(close|release|dispose|destroy|end|disconnect)_?(on|after|when)([A-Z_]))',
  'i',
);

/**
 * Records that the program decided not to release handles, and whether an exception had occurred by
 * then: an earlier decision does not cover later exceptions.
 */
function rememberDecision({ yes, no }: Split, node: Expression): Split {
  const name = node.kind === 'member' ? node.name : node.kind === 'name' ? node.text : undefined;
  if (name === undefined) return { yes, no };
  const stays = (each: FlowState): FlowState => {
    return { ...each, facts: withEntry(each.facts, MEANT_TO_STAY, each.cause !== undefined) };
  };
  if (KEEPS.test(name)) return { yes: yes.map(stays), no };
  return ENDS.test(name) ? { yes, no: no.map(stays) } : { yes, no };
}

export function byFact(state: FlowState, key: string, not: boolean): Split {
  const known = knownFact(state, key);
  if (known !== undefined) {
    return known !== not ? { yes: [state], no: [] } : { yes: [], no: [state] };
  }
  const holds = { ...state, facts: withEntry(state.facts, key, true) };
  const fails = { ...state, facts: withEntry(state.facts, key, false) };
  return not ? { yes: [fails], no: [holds] } : { yes: [holds], no: [fails] };
}

/** Splits a nullable handle: it exists, or everything that held it holds nothing. */
function splitNull(state: FlowState, id: string): Split {
  const instance = state.instances.get(id);
  if (instance === undefined || !instance.maybeNull) return { yes: [state], no: [] };
  return {
    yes: [withInstance(state, id, { maybeNull: false })],
    no: [without(state, id, NIL)],
  };
}

/** The results in which a value is not null, and those in which it is. */
export function byNull(
  out: Evaluated,
  node: Expression,
): { there: Evaluated[]; nothing: Evaluated[] } {
  const { state, value } = out;
  if (value.k === 'nil') return { there: [], nothing: [out] };
  if (value.k === 'ref') {
    const { yes, no } = splitNull(state, value.id);
    return {
      there: yes.map((each) => ({ state: each, value })),
      nothing: no.map((each) => ({ state: each, value: NIL })),
    };
  }
  const key = value.k === 'unknown' ? factKey(node) : undefined;
  if (value.k !== 'unknown') return { there: [out], nothing: [] };
  if (key === undefined) return { there: [out], nothing: [{ state, value: NIL }] };
  const { yes, no } = byFact(state, nullKey(key), false);
  return {
    there: no.map((each) => ({ state: each, value })),
    nothing: yes.map((each) => ({ state: each, value: NIL })),
  };
}

function nullKey(key: string): string {
  return `nil(${key})`;
}

/** Whether it is known that an expression has no value. */
export function isKnownNil(state: FlowState, key: string): boolean {
  return state.facts.get(nullKey(key)) === true;
}

/** A condition as a key in which variables are numbers; `undefined` if it is not stable. */
export function factKey(node: Expression): string | undefined {
  switch (node.kind) {
    case 'name':
      return node.variable === undefined ? node.text : factName(node.variable);
    case 'this':
      return 'this';
    case 'literal':
      return JSON.stringify(node.value) ?? 'undefined';
    case 'member': {
      const object = factKey(node.object);
      return object === undefined || node.name === undefined ? undefined : `${object}.${node.name}`;
    }
    case 'unary': {
      if (node.operator !== 'typeof') return undefined;
      const operand = factKey(node.operand);
      return operand && `typeof ${operand}`;
    }
    case 'binary': {
      const left = factKey(node.left);
      const right = factKey(node.right);
      if (left === undefined || right === undefined) return undefined;
      return `(${left}${node.operator}${right})`;
    }
    default:
      return undefined;
  }
}

const EQUALITY: ReadonlySet<string> = new Set(['===', '!==', '==', '!=']);

/** `a === b` and other comparisons, decided where possible. */
export function compare(run: FlowRun, node: Binary, state: FlowState): Evaluated[] {
  const known = stateComparison(run, node, state);
  if (known !== undefined) return known;
  const outs: Evaluated[] = [];
  for (const left of evaluate(run, node.left, state)) {
    for (const right of evaluate(run, node.right, left.state)) {
      outs.push(...compared(run, node, left.value, right));
    }
  }
  return outs;
}

/** `encoder.state === 'closed'`: compares a handle's own state with its tracked status. */
function stateComparison(
  run: FlowRun,
  { operator, left, right }: Binary,
  state: FlowState,
): Evaluated[] | undefined {
  if (!EQUALITY.has(operator) || left.kind !== 'member' || right.kind !== 'literal')
    return undefined;
  if (!/^(state|readyState|status)$/.test(left.name ?? '')) return undefined;
  const outs = evaluate(run, left.object, state).map((out) => {
    const instance = instanceOf(out.state, out.value);
    const answer = instance && predicate(instance, String(right.value));
    return answer === undefined
      ? undefined
      : { state: out.state, value: constant(answer !== operator.startsWith('!')) };
  });
  return outs.includes(undefined) ? undefined : outs.filter((out) => out !== undefined);
}

function compared(
  run: FlowRun,
  node: Binary,
  left: Value,
  { state, value: right }: Evaluated,
): Evaluated[] {
  const not = node.operator.startsWith('!');
  if (!EQUALITY.has(node.operator)) return ordered(run, node, left, { state, value: right });
  const isTypeof = node.left.kind === 'unary' && node.left.operator === 'typeof';
  if (isTypeof && right.k === 'const') return typeofIs(run, node, right.value, not, state);
  if (right.k === 'nil') return nullTest(state, left, node.left, not);
  if (left.k === 'nil') return nullTest(state, right, node.right, not);
  if (left.k === 'const' && right.k === 'const') {
    return [{ state, value: constant((left.value === right.value) !== not) }];
  }
  const object = left.k === 'obj' ? left : right.k === 'obj' ? right : undefined;
  const isOne = left.k === 'unknown' || right.k === 'unknown';
  if (object !== undefined && isOne) {
    // An equal value is an alias.
    const held = escape(run, state, object, run.place(node));
    return [
      { state: held, value: constant(!not) },
      { state, value: constant(not) },
    ];
  }
  if (left.k === 'ref' && right.k === 'ref') {
    if (left.id === right.id) return [{ state, value: constant(!not) }];
    const isOne = ({ id }: { id: string }): boolean => isCreatedLocally(state.instances.get(id));
    if (isOne(left) && isOne(right)) return [{ state, value: constant(not) }];
  }
  return granted(state, left, right, not) ?? conditional(run, node, state, not);
}

/** `if (answer === 'OK')`: the request was granted, or there is nothing to release. */
function granted(
  state: FlowState,
  left: Value,
  right: Value,
  not: boolean,
): Evaluated[] | undefined {
  const instance = instanceOf(state, left);
  if (right.k !== 'const' || instance === undefined) return undefined;
  // The result of a lock that is compared with plain data is not a function.
  const isAnswer = instance.contract.mustCall || (instance.isGuess && instance.maybeNull);
  if (!isAnswer) return undefined;
  const isYes = Boolean(right.value) !== not;
  const { yes, no } = splitNull(withInstance(state, instance.id, { maybeNull: true }), instance.id);
  return [
    ...yes.map((each) => ({ state: each, value: constant(isYes) })),
    ...no.map((each) => ({ state: each, value: constant(!isYes) })),
  ];
}

/** Whether the handle was created in this function: results of two calls differ. */
function isCreatedLocally(instance: Instance | undefined): boolean {
  return instance !== undefined && instance.site.isOwn && !instance.isMany && !instance.maybeNull;
}

/** `a !== b` is the opposite of the fact `a === b`. */
function conditional(run: FlowRun, node: Binary, state: FlowState, not: boolean): Evaluated[] {
  const { left, right } = node;
  if (EQUALITY.has(node.operator) && right.kind === 'literal' && typeof right.value === 'boolean') {
    // `isOpen === false` is `!isOpen`.
    const tested = factKey(left);
    if (tested !== undefined) {
      return [{ state, value: { k: 'cond', key: tested, not: right.value === not } }];
    }
  }
  const operator = node.operator.replace('!==', '===').replace('!=', '==');
  const key = factKey({ ...node, operator });
  if (key === undefined) return [{ state, value: UNKNOWN }];
  const isEqual = EQUALITY.has(node.operator) ? byElimination(run, node, state) : undefined;
  if (isEqual !== undefined) return [{ state, value: constant(isEqual !== not) }];
  return [{ state, value: { k: 'cond', key, not } }];
}

/** `kind === 'b'` of a `kind: 'a' | 'b'` that is known to be, or not to be, `'a'`. */
function byElimination(
  run: FlowRun,
  { left, right, operator }: Binary,
  state: FlowState,
): boolean | undefined {
  if (right.kind !== 'literal' || state.facts.size === 0) return undefined;
  const subject = factKey(left);
  const values = run.world.literals(left, run.frame.file);
  if (subject === undefined || values?.includes(right.value!) !== true) return undefined;
  const others = values.filter((each) => each !== right.value);
  const sign = operator.replace('!==', '===').replace('!=', '==');
  const known = others.map((each) => state.facts.get(`(${subject}${sign}${JSON.stringify(each)})`));
  if (known.includes(true)) return false;
  return known.every((each) => each === false) ? true : undefined;
}

function nullTest(state: FlowState, value: Value, node: Expression, not: boolean): Evaluated[] {
  const { there, nothing } = byNull({ state, value }, node);
  if (value.k === 'unknown') {
    const key = factKey(node);
    if (key !== undefined) return [{ state, value: { k: 'cond', key: nullKey(key), not } }];
    return [{ state, value: UNKNOWN }];
  }
  return [
    ...there.map((out) => ({ state: out.state, value: constant(not) })),
    ...nothing.map((out) => ({ state: out.state, value: constant(!not) })),
  ];
}

function typeofIs(
  run: FlowRun,
  node: Binary,
  type: unknown,
  not: boolean,
  state: FlowState,
): Evaluated[] {
  const operand = (node.left as { operand: Expression }).operand;
  const key = factKey(operand);
  const value = operand.kind === 'name' && operand.variable && state.env.get(operand.variable);
  if (value && (value.k === 'method' || value.k === 'releaser')) {
    return [{ state, value: constant((type === 'function') !== not) }];
  }
  if (type === 'undefined') return nullTest(state, value || UNKNOWN, operand, not);
  // A callback that was tested for existence is a function.
  if (type === 'function' && key !== undefined && state.facts.get(nullKey(key)) === false) {
    return [{ state, value: constant(!not) }];
  }
  if (value && value.k !== 'unknown') {
    const { there, nothing } = byNull({ state, value }, operand);
    if (value.k !== 'ref' && value.k !== 'nil') return conditional(run, node, state, not);
    const isObject = type === 'object' || type === 'function';
    return [
      ...there.map((out) => ({ state: out.state, value: constant(isObject !== not) })),
      // Another member of a union, or nothing.
      ...nothing.map((out) => ({ state: out.state, value: isObject ? constant(not) : UNKNOWN })),
    ];
  }
  return key === undefined ? [{ state, value: UNKNOWN }] : conditional(run, node, state, not);
}

function ordered(
  run: FlowRun,
  node: Binary,
  left: Value,
  { state, value: right }: Evaluated,
): Evaluated[] {
  // A handle has its releasing method; other members of a union have nothing to release.
  if (node.operator === 'in' && left.k === 'const' && right.k === 'ref') {
    const release: readonly unknown[] = instanceOf(state, right)?.contract.release ?? [];
    if (release.includes(left.value)) return [{ state, value: constant(true) }];
  }
  if (node.operator === 'instanceof' && left.k === 'nil')
    return [{ state, value: constant(false) }];
  // The type of a caller's handle is not narrowed.
  const isForeign = left.k === 'ref' && instanceOf(state, left)?.site.isOwn === false;
  if (node.operator === 'instanceof' && left.k === 'ref' && !isForeign) {
    const { yes, no } = splitNull(state, left.id);
    return [
      ...yes.map((each) => ({ state: each, value: constant(true) })),
      ...no.map((each) => ({ state: each, value: constant(false) })),
    ];
  }
  if (node.operator === '+') return [{ state, value: textWith(state, [left, right]) }];
  const isComparison = ['<', '>', '<=', '>=', 'instanceof', 'in'].includes(node.operator);
  if (!isComparison) return [{ state, value: UNKNOWN }];
  return conditional(run, node, state, false);
}
