// Streams that are fed by a reader and do not hear when their consumer stops: without `cancel`,
// nothing tells the source (https://streams.spec.whatwg.org/#dom-underlying-source-cancel).
import type { Call } from '../syntax/node.ts';
import { reachableFrom } from './reach.ts';
import type { Run } from './run.ts';
import type { State } from './state.ts';
import type { Value } from './value.ts';

/** `new ReadableStream({ pull })`, where `pull` reads from a reader that was made beside it. */
export function tellAbandoned(run: Run, node: Call, source: Value, state: State): void {
  const { callee } = node;
  const isStream = node.isNew && callee.kind === 'name' && callee.text === 'ReadableStream';
  const object = source.k === 'obj' ? state.heap.get(source.id) : undefined;
  if (!isStream || object === undefined || object.props.has('cancel')) return;
  const pull = object.props.get('pull');
  if (pull === undefined || object.rest.length > 0) return;
  for (const id of reachableFrom(state, [pull]).instances) {
    const instance = state.instances.get(id);
    if (instance?.contract.drains === undefined || instance.status !== 'live') continue;
    const cause = { tier: 1, what: 'may be abandoned here', start: node.start } as const;
    run.tell('leak', instance, instance.site, { ...cause, file: run.frame.file });
  }
}
