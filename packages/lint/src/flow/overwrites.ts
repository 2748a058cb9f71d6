// Overwrites of module variables and map entries whose handle the program releases elsewhere.
// Whether the old value is a live handle is unknown, so this is reported only if all code is
// visible.
import { walk } from '../syntax/children.ts';
import type { CallExpression, ClassNode, FunctionNode, Name, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { DESTRUCTOR, isPrivate } from './class-info.ts';
import { instanceOf } from './lifetime.ts';
import type { FlowRun } from './run.ts';
import type { Instance, FlowState } from './state.ts';
import type { Value } from './value.ts';

/** A module variable is assigned a new handle by a function that has not read the old one. */
export function overwritesVariable(
  run: FlowRun,
  target: Name,
  value: Value,
  state: FlowState,
): void {
  const { variable } = target;
  const instance = instanceOf(state, value);
  if (!run.world.strict || variable === undefined || instance?.status !== 'live') return;
  if (variable.home !== undefined || state.env.has(variable) || run.variablesRead.has(variable))
    return;
  const { release } = instance.contract;
  if (!isReleasedSomewhere(run.frame.file, variable, release)) return;
  run.addFinding('leak', instance, run.place(target), state.cause, { reason: 'overwritten' });
}

function isReleasedSomewhere(
  file: SourceFile,
  variable: Variable,
  release: readonly string[],
): boolean {
  let found = false;
  walk(file.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    found ||= object.kind === 'name' && object.variable === variable && release.includes(name);
  });
  return found;
}

/** `this.map.set(key, handle)`, without a test of the key. */
export function overwritesEntry(
  run: FlowRun,
  node: CallExpression,
  value: Value,
  state: FlowState,
): void {
  const instance = instanceOf(state, value);
  const { fn } = run.frame;
  const { callee } = node;
  if (!run.world.strict || instance?.status !== 'live' || callee.kind !== 'member') return;
  const { object, name } = callee;
  if (name !== 'set' || object.kind !== 'member' || object.object.kind !== 'this') return;
  const field = object.name ?? '';
  if (fn?.owner === undefined || readsField(fn, field)) return;
  if (!emptiesAtEnd(fn.owner, field)) return;
  run.addFinding('leak', instance, instance.site, state.cause, { reason: 'overwritten' });
}

const READS_KEY = /^(get|has|delete)$/;

function readsField(fn: FunctionNode, field: string): boolean {
  let found = false;
  walk(fn, (node) => {
    if (node.kind !== 'member' || !READS_KEY.test(node.name ?? '')) return;
    found ||= node.object.kind === 'member' && node.object.name === field;
  });
  return found;
}

function emptiesAtEnd({ methods }: ClassNode, field: string): boolean {
  return methods.some((method) => {
    let found = false;
    if (DESTRUCTOR.test(method.name ?? '')) {
      walk(method, (node) => {
        found ||= node.kind === 'member' && node.name === field && node.object.kind === 'this';
      });
    }
    return found;
  });
}

const ENDS = new RegExp(
  '^_?(dispose|close|destroy|release|end|shut_?down|stop|disconnect|terminate|clean_?up|' +
    'tear_?down|free|reset|clear|kill|abort|cancel)',
  'i',
);

/** `this.tearDown()`, an unknown method may release a field. */
export function endsUnseen({ root: { fn } }: FlowRun): boolean {
  let found = false;
  if (fn?.body === undefined) return false;
  walk(fn.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    if (object.kind !== 'this' || !ENDS.test(name)) return;
    found ||= fn.owner?.methods.some((each) => each.name === name && each.body) !== true;
  });
  return found;
}

/** `this.#writer = this.#connection.writable.getWriter()`: it ends with the connection. */
export function isOfAnother({ site: { file, start, end } }: Instance): boolean {
  return OF_A_FIELD.test(file.text.slice(start, end));
}

const OF_A_FIELD = /^this\.[#\w]+\.(\w+\.)*get(Writer|Reader)\(/;

/** A private method that other code of its class calls: what its fields hold, each call shows. */
export function isStepOfOthers({ root: { fn }, frames }: FlowRun): boolean {
  if (fn?.owner === undefined || frames.length > 1 || !isPrivate(fn)) return false;
  let isCalled = false;
  walk(fn.owner, (node) => {
    if (node.kind !== 'member' || node.object.kind !== 'this') return;
    isCalled ||= node.name === fn.name;
  });
  return isCalled;
}
