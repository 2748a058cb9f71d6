// Borrowing calls: arguments that a call only reads or copies stay with the caller.
import { reachableFrom } from './reach.ts';
import type { FlowState } from './state.ts';
import type { Value } from './value.ts';
import type { CallTarget } from './world.ts';

/** Hooks, checks and transactions borrow a handle. */
const BORROWING_NAME =
  /^[_#]?((after|before)[A-Z]|validate|verify|check|assert|ping|(start|begin)_?[tT]rans)/;
/** Undeclared functions with names of rendering operations do not store their arguments. */
const RENDERING_NAME = /^(draw|paint|blit|print|dump)([A-Z]\w*)?$/;

/** Whether a model lists the function as a borrower, however the handle is wrapped. */
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
  return [...instances].every((id) => isBorrower({ name }, id, state) || borrowed.has(id));
}

/** Whether the model of a handle lists the function as a borrower: a call of it is a use. */
export function isBorrower(
  { name = '' }: Pick<CallTarget, 'name'>,
  id: string,
  { instances }: FlowState,
): boolean {
  return instances.get(id)?.contract.borrowers.has(name) === true;
}

/** `{ stdio: ['ignore', fd, fd] }`: the handles in options that are known to borrow. */
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

/** Functions that register a listener. */
export function isListening({ name = '' }: CallTarget): boolean {
  return LISTENING_NAME.test(name);
}
