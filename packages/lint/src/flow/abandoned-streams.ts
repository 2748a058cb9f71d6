// WHATWG ReadableStreams that are fed by a reader and have no `cancel`: the source is not notified
// when the consumer stops (https://streams.spec.whatwg.org/#dom-underlying-source-cancel).
import { walk } from '../syntax/children.ts';
import type { CallExpression, Expression, FunctionNode } from '../syntax/node.ts';
import { MAY_BE_ABANDONED } from './cause.ts';
import { reachableFrom } from './reach.ts';
import type { FlowRun } from './run.ts';
import type { FlowState } from './state.ts';
import type { Value } from './value.ts';

/** `new ReadableStream({ pull })`, that reads from a reader created next to it. */
export function reportAbandonedStream(
  run: FlowRun,
  node: CallExpression,
  source: Value,
  state: FlowState,
): void {
  const { callee } = node;
  const isStream = node.isNew && callee.kind === 'name' && callee.text === 'ReadableStream';
  const object = source.k === 'obj' ? state.heap.get(source.id) : undefined;
  if (!isStream || object === undefined || object.props.has('cancel')) return;
  const feeds = ['start', 'pull'].flatMap((name) => object.props.get(name) ?? []);
  if (object.rest.length > 0) return;
  for (const id of reachableFrom(state, feeds).instances) {
    const instance = state.instances.get(id);
    if (instance?.contract.drains === undefined || instance.status !== 'live') continue;
    const cause = { ...MAY_BE_ABANDONED, start: node.start, file: run.frame.file };
    run.addFinding('leak', instance, instance.site, cause);
  }
}

/**
 * `controller.enqueue(chunk)` in a `start` that has awaited: it throws if the stream was canceled
 * in the meantime.
 */
export function failsWhenAbandoned(run: FlowRun, name: string, controller: Expression): boolean {
  if (name !== 'enqueue' || run.waits === 0 || controller.kind !== 'name') return false;
  const { variable } = controller;
  const fn = variable?.home;
  const [first] = fn?.parameters ?? [];
  const isFirst = first?.target.kind === 'name' && first.target.variable === variable;
  return fn !== undefined && isFirst && isUncanceledStart(fn) && !RELEASES_READER.test(textOf(fn));
}

/** Code that releases or cancels the reader itself. */
const RELEASES_READER = /\.(releaseLock|cancel)\(/;

function textOf({ file, start, end }: FunctionNode): string {
  return file.text.slice(start, end);
}

const known = new WeakMap<FunctionNode, boolean>();

/** `new ReadableStream({ start })`, without `cancel`. */
function isUncanceledStart(fn: FunctionNode): boolean {
  const before = known.get(fn);
  if (before !== undefined) return before;
  let isIt = false;
  walk(fn.file.body, (node) => {
    if (node.kind !== 'call' || !node.isNew || node.callee.kind !== 'name') return;
    const [source] = node.args;
    if (node.callee.text !== 'ReadableStream' || source?.kind !== 'object') return;
    const { properties } = source;
    if (properties.some(({ key }) => key === undefined || key === 'cancel')) return;
    isIt ||= properties.some(({ key, value }) => key === 'start' && value === fn);
  });
  known.set(fn, isIt);
  return isIt;
}
