// Handlers of one object for its success and its failure: one of the two runs. What the first
// releases and the second forgets is lost when the object fails: `image.onload`, `image.onerror`.
import { effectsOf } from './closures.ts';
import { factKey } from './conditions.ts';
import type { Expression } from '../syntax/node.ts';
import type { FlowRun } from './run.ts';
import type { Instance, SourceRange, FlowState } from './state.ts';
import type { Value } from './value.ts';

const SUCCESS = /^(load|loadedmetadata|loadeddata|canplay|canplaythrough|seeked|success|message)$/;
const FAILURE = /^error$/;

/** What the handlers of an object release, as far as they were seen. */
export interface HandlerReleases {
  readonly onSuccess: Map<string, Instance>;
  readonly onFailure: Set<string>;
  failure: SourceRange | undefined;
}

/** Notes that a handler of an event was set. */
export function recordHandler(
  run: FlowRun,
  state: FlowState,
  object: Expression,
  event: string,
  handler: Expression,
  value: Value,
): void {
  const key = factKey(object);
  if (key === undefined || run.silenced > 0 || state.instances.size === 0) return;
  const isFailure = FAILURE.test(event);
  if (!isFailure && !SUCCESS.test(event)) return;
  // Only of a closure, and of the function that rejects a promise, is it known what it does.
  const isReject = handler.kind === 'name' && handler.variable?.form === 'parameter';
  if (value.k !== 'fn' && !(isFailure && isReject)) return;
  const known = run.handled.get(key) ?? {
    onSuccess: new Map(),
    onFailure: new Set(),
    failure: undefined,
  };
  run.handled.set(key, known);
  if (isFailure) known.failure = run.place(handler);
  if (value.k !== 'fn') return;
  for (const id of effectsOf(run, state, value).releases.keys()) {
    const instance = state.instances.get(id)!;
    if (isFailure) known.onFailure.add(id);
    else if (instance.site.isOwn) known.onSuccess.set(id, instance);
  }
}

/** Tells what only the handlers of success release. */
export function reportUnreleased(run: FlowRun): void {
  for (const { onSuccess, onFailure, failure } of run.handled.values()) {
    if (failure === undefined) continue;
    const { file, start } = failure;
    for (const [id, instance] of onSuccess) {
      if (onFailure.has(id)) continue;
      run.tell('leak', instance, instance.site, { tier: 1, what: 'fails', start, file });
    }
  }
}
