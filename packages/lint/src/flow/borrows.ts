// Arguments that a call only looks at, or copies: they stay with the caller.
import { reachableFrom } from './reach.ts';
import type { FlowState } from './state.ts';
import type { Value } from './value.ts';
import type { CallTarget } from './world.ts';

/** Hooks, checks and transactions are told of a handle, and leave it where it is. */
const BORROWING_NAME =
  /^[_#]?((after|before)[A-Z]|validate|verify|check|assert|ping|(start|begin)_?[tT]rans)/;
/** What nobody declares, and is called after what it makes visible, keeps nothing. */
const RENDERING_NAME = /^(draw|paint|blit|print|dump)([A-Z]\w*)?$/;

/** Models name functions that keep nothing, whatever the handle is wrapped in. */
export function isBorrowed(
  { name = '', fn, module }: CallTarget,
  value: Value,
  state: FlowState,
): boolean {
  const { instances } = reachableFrom(state, [value]);
  if (instances.size === 0) return false;
  if (BORROWING_NAME.test(name) && value.k === 'ref') return true;
  const borrowed = borrowedByOption(value, state);
  if (fn === undefined && module === undefined && RENDERING_NAME.test(name)) return true;
  return [...instances].every((id) => {
    const contract = state.instances.get(id)?.contract;
    return contract?.borrowers.has(name) === true || borrowed.has(id);
  });
}

/** `{ stdio: ['ignore', fd, fd] }`: the handles in options that are known to lend them. */
function borrowedByOption(value: Value, state: FlowState): ReadonlySet<string> {
  const props = value.k === 'obj' ? state.heap.get(value.id)?.props : undefined;
  const found = new Set<string>();
  for (const [name, each] of props ?? []) {
    for (const id of reachableFrom(state, [each]).instances) {
      if (state.instances.get(id)?.contract.borrowedAs.has(name)) found.add(id);
    }
  }
  return found;
}

const LISTENING_NAME = /^(on([A-Z]\w*)?|once|add\w*Listener|subscribe|listen|watch)$/;

/** Functions that keep a callback for as long as there is something to hear. */
export function isListening({ name = '' }: CallTarget): boolean {
  return LISTENING_NAME.test(name);
}
