// Success and failure handlers of an object, such as `image.onload` and `image.onerror`: only one
// of them runs, so a handle that only the first releases leaks when the object fails.
import { effectsOf } from './closures.ts';
import { factKey } from './conditions.ts';
import type { Expression } from '../syntax/node.ts';
import type { FlowRun } from './run.ts';
import type { Instance, SourceRange, FlowState } from './state.ts';
import type { Value } from './value.ts';

const SUCCESS = /^(load|loadedmetadata|loadeddata|canplay|canplaythrough|seeked|success|message)$/;
const FAILURE = /^error$/;

/** The handles that the known handlers of an object release. */
export interface HandlerReleases {
  readonly onSuccess: Map<string, Instance>;
  readonly onFailure: Set<string>;
  failure: SourceRange | undefined;
}

/** Records that an event handler was set. */
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
  // Only closures and the `reject` function of a promise have known effects.
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

/** Reports handles that only the success handlers release. */
export function reportUnreleased(run: FlowRun): void {
  for (const { onSuccess, onFailure, failure } of run.handled.values()) {
    if (failure === undefined) continue;
    const { file, start } = failure;
    for (const [id, instance] of onSuccess) {
      if (onFailure.has(id)) continue;
      run.addFinding('leak', instance, instance.site, { tier: 1, what: 'fails', start, file });
    }
  }
}
