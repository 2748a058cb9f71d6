// Lowers statements.
import type { Place, Step } from '../calculus/core.ts';
import { walkOwn } from '../syntax/children.ts';
import type {
  Expression,
  ForEach,
  FunctionNode,
  Loop,
  Pattern,
  Statement,
  Switch,
} from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { assignTo } from './assign.ts';
import { makeClosure } from './closures.ts';
import { lowerCondition } from './conditions.ts';
import { NOWHERE, type Lower } from './lower.ts';
import { foreign } from './values.ts';

/** The body of a function: a block, or the value of an arrow function. */
export function lowerBody(to: Lower, fn: FunctionNode): void {
  const { body } = fn;
  if (body === undefined) return;
  if (body.kind === 'block') return lowerStatements(to, body.statements);
  const y = returned(to, body);
  to.emit({ k: 'return', y }, body);
}

/** A value that is returned may become an obligation by the type of the function. */
function returned(to: Lower, value: Expression): Place | undefined {
  const y = to.value(value);
  if (y !== undefined || !to.project.owesResult(to.fn)) return y;
  const kind = to.kindOf(value);
  return kind === 'plain' || kind === 'open' ? begun(to, value) : undefined;
}

/** A plain value becomes an obligation by a type. */
function begun(to: Lower, node: Expression): Place {
  const x = to.temporary();
  const rest = { nullable: false, form: 'one', throws: false, before: [] } as const;
  to.emit({ k: 'acquire', x, owned: true, ...rest }, node);
  return x;
}

/** Functions are there before the first statement; `using` scopes the rest of the list. */
export function lowerStatements(to: Lower, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (statement.kind !== 'declaration' || statement.declaration.kind !== 'function') continue;
    const { declaration } = statement;
    const x = to.placeOf(declaration.self);
    if (x !== undefined && declaration.body !== undefined) makeClosure(to, declaration, x);
  }
  lowerFrom(to, statements, 0);
}

function lowerFrom(to: Lower, statements: readonly Statement[], from: number): void {
  for (let index = from; index < statements.length; index++) {
    const statement = statements[index]!;
    if (statement.kind === 'variables' && statement.form.endsWith('using')) {
      return lowerUsing(to, statement, 0, () => lowerFrom(to, statements, index + 1));
    }
    lowerStatement(to, statement);
  }
}

function lowerUsing(
  to: Lower,
  statement: Extract<Statement, { kind: 'variables' }>,
  from: number,
  rest: () => void,
): void {
  const declarator = statement.declarations[from];
  if (declarator === undefined) return rest();
  const { target, initializer } = declarator;
  const x = target.kind === 'name' ? to.placeOf(target.variable) : undefined;
  to.statement(declarator, () => declared(to, target, initializer));
  const waits = statement.form === 'await using';
  if (x === undefined) return lowerUsing(to, statement, from + 1, rest);
  const body = to.apart(() => lowerUsing(to, statement, from + 1, rest));
  to.emit({ k: 'using', x, body, waits }, declarator);
}

export function lowerStatement(to: Lower, node: Statement): void {
  switch (node.kind) {
    case 'block':
      return lowerStatements(to, node.statements);
    case 'variables':
      for (const each of node.declarations) {
        to.statement(each, () => declared(to, each.target, each.initializer));
      }
      return;
    case 'expression':
      return to.statement(node, () => void to.value(node.expression));
    case 'if':
      return lowerIf(to, node);
    case 'loop':
      return lowerLoop(to, node);
    case 'forEach':
      return lowerForEach(to, node);
    case 'break':
    case 'continue':
      return lowerJump(to, node);
    case 'return':
      return to.statement(node, () => {
        to.emit({ k: 'return', y: node.value && returned(to, node.value) }, node);
      });
    case 'throw':
      return to.statement(node, () => {
        const y = node.value && to.value(node.value);
        if (y !== undefined) to.refuse([y], 'a handle in an exception', node);
        to.emit({ k: 'throw' }, node);
      });
    case 'try':
      return lowerTry(to, node);
    case 'switch':
      return lowerSwitch(to, node);
    case 'labeled':
      return lowerLabeled(to, node);
    case 'declaration':
      return;
  }
}

function names(target: Pattern): Variable[] {
  switch (target.kind) {
    case 'name':
      return target.variable === undefined ? [] : [target.variable];
    case 'objectPattern':
      return target.properties.flatMap(({ target: inner }) => names(inner));
    case 'arrayPattern':
      return target.elements.flatMap((element) => (element ? names(element.target) : []));
    default:
      return [];
  }
}

/** A declaration that is executed: its variables begin again. */
export function declare(to: Lower, target: Pattern): void {
  for (const variable of names(target)) {
    const x = to.placeOf(variable);
    if (x !== undefined) to.emit({ k: 'declare', x }, target);
    const name = to.factOf(variable);
    if (name !== undefined) to.emit({ k: 'flag', name, value: undefined }, target);
  }
}

function declared(to: Lower, target: Pattern, initializer: Expression | undefined): void {
  if (initializer === undefined) return declare(to, target);
  const place = to.value(initializer);
  declare(to, target);
  const kind = to.kindOf(initializer);
  const isBegun =
    place === undefined &&
    target.kind === 'name' &&
    to.kindOf(target) === 'handle' &&
    (kind === 'plain' || kind === 'open');
  assignTo(to, target, isBegun ? begun(to, initializer) : place, initializer);
}

function lowerIf(to: Lower, node: Extract<Statement, { kind: 'if' }>): void {
  to.statement(node, () => {
    const test = lowerCondition(to, node.test);
    const then = to.apart(() => lowerStatement(to, node.then));
    const otherwise = to.apart(() => node.otherwise && lowerStatement(to, node.otherwise));
    to.emit({ k: 'if', test, then, otherwise }, node);
  });
}

/** The rounds of a loop, between the labels that its jumps leave. */
function looped(
  to: Lower,
  node: Loop | ForEach,
  build: (body: () => Step, leave: Step) => void,
): void {
  const end = to.label(node);
  const next = to.label(node);
  const name = to.project.labelOf(node);
  const leave: Step = { k: 'jump', label: end, at: to.at(node) };
  const round = (): Step => {
    to.targets.push({ name, end, next });
    const body = to.apart(() => lowerStatement(to, node.body));
    to.targets.pop();
    return { k: 'block', label: next, body, at: to.at(node) };
  };
  const body = to.apart(() => build(round, leave));
  to.emit({ k: 'block', label: end, body }, node);
}

function lowerLoop(to: Lower, node: Loop): void {
  if (node.init !== undefined) lowerStatement(to, node.init);
  looped(to, node, (round, leave) => {
    const check = (): void => {
      if (node.test === undefined) return;
      to.statement(node.test, () => {
        const test = lowerCondition(to, node.test!);
        to.emit({ k: 'if', test, then: [], otherwise: [leave] }, node.test!);
      });
    };
    const body = to.apart(() => {
      if (node.form !== 'do') check();
      to.steps.push(round());
      if (node.update !== undefined) {
        to.statement(node.update, () => void to.value(node.update!));
      }
      if (node.form === 'do') check();
    });
    to.emit({ k: 'loop', body }, node);
  });
}

function lowerForEach(to: Lower, node: ForEach): void {
  const outer = to.project.iterated(to, node);
  const { binding } = node;
  const target = binding.kind === 'variables' ? binding.declarations[0]?.target : binding;
  const isUsing = binding.kind === 'variables' && binding.form.endsWith('using');
  looped(to, node, (round) => {
    const x = to.project.newPlace();
    to.locals.add(x);
    const body = to.apart(() => {
      if (binding.kind === 'variables' && target !== undefined) declare(to, target);
      if (target !== undefined) bindElement(to, node, target, x, outer.hasKeys);
      const inner = round();
      if (!isUsing || target?.kind !== 'name') to.steps.push(inner);
      else {
        const place = to.placeOf(target.variable);
        if (place !== undefined)
          to.emit({ k: 'using', x: place, body: [inner], waits: node.isAwait }, node);
      }
      to.emit({ k: 'clear', xs: [x] }, node);
      forward(to, node, outer.throws);
    });
    forward(to, node, outer.throws);
    to.emit({ k: 'each', x, c: outer.place ?? NOWHERE, body, isTaken: outer.isTaken }, node);
  });
}

/** What comes before each element: waiting for it, and what an iterator throws. */
function forward(to: Lower, node: ForEach, throws: boolean): void {
  if (node.isAwait) to.emit(WAIT, node);
  if (throws) to.emit({ k: 'use', ys: [], throws: true }, node);
}

const WAIT = {
  k: 'await',
  x: NOWHERE,
  y: undefined,
  throws: true,
  isView: false,
  nullable: false,
  optional: false,
} as const;

/** `for (const [key, value] of map)`: the second is the element. */
function bindElement(to: Lower, node: ForEach, target: Pattern, x: Place, hasKeys: boolean): void {
  if (node.form === 'in') return;
  if (!hasKeys) {
    const isHandle = target.kind === 'name' && to.kindOf(target) === 'handle';
    const other = to.project.isTracked(to, node.subject) || !isHandle ? x : undefined;
    return assignTo(to, target, other ?? unseen(to, target), undefined);
  }
  if (target.kind === 'arrayPattern') {
    const [, value] = target.elements;
    if (value !== undefined) assignTo(to, value.target, x, undefined);
    return;
  }
  to.refuse([x], 'an entry that is not taken apart', target);
}

function unseen(to: Lower, target: Pattern): Place | undefined {
  return target.kind === 'name' ? foreign(to, target) : undefined;
}

function lowerJump(to: Lower, node: Extract<Statement, { kind: 'break' | 'continue' }>): void {
  const { label, kind } = node;
  const target = to.targets.findLast(({ name, next }) =>
    label !== undefined
      ? name === label
      : next !== undefined || (kind === 'break' && name === undefined),
  );
  const to_ = kind === 'break' ? target?.end : target?.next;
  if (to_ === undefined) return to.refuse(undefined, 'a jump that is not understood', node);
  to.emit({ k: 'jump', label: to_ }, node);
}

function lowerTry(to: Lower, node: Extract<Statement, { kind: 'try' }>): void {
  const body = to.apart(() => lowerStatement(to, node.block));
  const handler =
    node.handler &&
    to.apart(() => {
      if (node.parameter !== undefined) declare(to, node.parameter);
      lowerStatement(to, node.handler!);
    });
  const finalizer = node.finalizer && to.apart(() => lowerStatement(to, node.finalizer!));
  to.emit({ k: 'try', body, handler, finalizer }, node);
}

/** A case is entered at its test, or from the one before. */
function lowerSwitch(to: Lower, node: Switch): void {
  to.statement(node, () => {
    to.value(node.subject);
    const end = to.label(node);
    const hasDefault = node.cases.some(({ test }) => test === undefined);
    const isFull = hasDefault || to.project.isExhaustive(node);
    to.targets.push({ name: undefined, end, next: undefined });
    const bodies = node.cases.map(({ body }) => to.apart(() => lowerStatements(to, body)));
    for (const { test } of node.cases) if (test !== undefined) to.value(test);
    to.targets.pop();
    const jump: Step = { k: 'jump', label: end, at: to.at(node) };
    let entry: Step[] = isFull ? [] : [jump];
    for (let index = bodies.length - 1; index >= 0; index--) {
      const then = [...bodies.slice(index).flat(), jump];
      const isLast = entry.length === 0;
      entry = isLast
        ? then
        : [{ k: 'if', test: { k: 'any' }, then, otherwise: entry, at: to.at(node) }];
    }
    to.emit({ k: 'block', label: end, body: entry }, node);
  });
}

function lowerLabeled(to: Lower, node: Extract<Statement, { kind: 'labeled' }>): void {
  const { body } = node;
  if (body.kind === 'loop' || body.kind === 'forEach') {
    to.project.nameLoop(body, node.label);
    return lowerStatement(to, body);
  }
  const end = to.label(node);
  to.targets.push({ name: node.label, end, next: undefined });
  const steps = to.apart(() => lowerStatement(to, body));
  to.targets.pop();
  to.emit({ k: 'block', label: end, body: steps }, node);
}

/** Whether a body waits for something by itself. */
export function waits(fn: FunctionNode): boolean {
  let found = false;
  if (fn.body !== undefined) {
    walkOwn(fn.body, (node) => {
      if (node.kind === 'await' || node.kind === 'yield') found = true;
    });
  }
  return found;
}
