// `using` and `await using`: the bound handle is released at the end of the scope.
import type { Declarator } from '../syntax/node.ts';
import { assign } from './assign.ts';
import { effectsOf } from './closures.ts';
import { byNull } from './conditions.ts';
import { evaluate } from './expressions.ts';
import { bound } from './lifetime.ts';
import type { FlowRun } from './run.ts';
import { withInstance, type FlowState } from './state.ts';
import type { Value } from './value.ts';

export interface Bound {
  readonly state: FlowState;
  /** The handles that the end of the scope releases. */
  readonly ids: readonly string[];
}

/** Evaluates a `using` declarator and binds its name. */
export function bindScoped(
  run: FlowRun,
  { target, initializer }: Declarator,
  state: FlowState,
): Bound[] {
  if (initializer === undefined) return [{ state, ids: [] }];
  return evaluate(run, initializer, state).flatMap((out) => {
    const { there, nothing } = byNull(out, initializer);
    const outs = out.value.k === 'ref' ? [...there, ...nothing] : [out];
    return outs.flatMap((each) => {
      const ids = handlesOf(run, each.state, each.value);
      let next = bound(each.state, each.value);
      for (const id of ids) next = withInstance(next, id, { status: 'scoped', isBound: true });
      const states = assign(run, target, each.value, next, 'declare');
      return states.map((one) => ({ state: one, ids }));
    });
  });
}

const SCOPABLE = new Set(['live', 'pending', 'param', 'idle']);

/** The handle itself, or the handles that the dispose method of an object releases. */
function handlesOf(run: FlowRun, state: FlowState, value: Value): string[] {
  if (value.k === 'ref') {
    const status = state.instances.get(value.id)?.status ?? 'escaped';
    return SCOPABLE.has(status) ? [value.id] : [];
  }
  const object = value.k === 'obj' ? state.heap.get(value.id) : undefined;
  const dispose =
    object?.props.get('[Symbol.dispose]') ?? object?.props.get('[Symbol.asyncDispose]');
  if (dispose?.k === 'releaser') return [...dispose.ids];
  if (dispose?.k === 'fn') return [...effectsOf(run, state, dispose).releases.keys()];
  if (dispose?.k === 'method') return handlesOf(run, state, dispose.target);
  // The dispose method is itself a releaser: `{ [Symbol.dispose]: unlock }`.
  return dispose?.k === 'ref' ? handlesOf(run, state, dispose) : [];
}
