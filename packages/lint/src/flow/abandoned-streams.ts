// Streams that are fed by a reader and do not hear when their consumer stops: without `cancel`,
// nothing tells the source (https://streams.spec.whatwg.org/#dom-underlying-source-cancel).
import { walk } from '../syntax/children.ts';
import type { Call, Expression, FunctionNode } from '../syntax/node.ts';
import { reachableFrom } from './reach.ts';
import type { FlowRun } from './run.ts';
import type { FlowState } from './state.ts';
import type { Value } from './value.ts';

/** `new ReadableStream({ pull })`, where it reads from a reader that was made beside it. */
export function reportAbandonedStream(
  run: FlowRun,
  node: Call,
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
    const cause = { tier: 1, what: 'may be abandoned here', start: node.start } as const;
    run.tell('leak', instance, instance.site, { ...cause, file: run.frame.file });
  }
}

/**
 * `controller.enqueue(chunk)` of a `start` that has waited: whoever has cancelled the stream in the
 * meantime makes it throw.
 */
export function failsWhenAbandoned(run: FlowRun, name: string, controller: Expression): boolean {
  if (name !== 'enqueue' || run.waits === 0 || controller.kind !== 'name') return false;
  const { variable } = controller;
  const fn = variable?.home;
  const [first] = fn?.parameters ?? [];
  const isFirst = first?.target.kind === 'name' && first.target.variable === variable;
  return fn !== undefined && isFirst && isUncancelledStart(fn) && !RELEASES_READER.test(textOf(fn));
}

/** It lets go of what it reads, in a way of its own. */
const RELEASES_READER = /\.(releaseLock|cancel)\(/;

function textOf({ file, start, end }: FunctionNode): string {
  return file.text.slice(start, end);
}

const known = new WeakMap<FunctionNode, boolean>();

/** `new ReadableStream({ start })`, without `cancel`. */
function isUncancelledStart(fn: FunctionNode): boolean {
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
