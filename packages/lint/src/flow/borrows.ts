// Arguments that a call only looks at, or copies: they stay with the caller.
import { reachableFrom } from './reach.ts';
import type { State } from './state.ts';
import type { Value } from './value.ts';
import type { Target } from './world.ts';

/** Hooks, checks and transactions are told of a handle, and leave it where it is. */
const LOOKS =
  /^[_#]?((after|before)[A-Z]|validate|verify|check|assert|ping|(start|begin)_?[tT]rans)/;
/** What nobody declares, and is called after what it makes visible, keeps nothing. */
const PAINTS = /^(draw|paint|blit|print|dump)([A-Z]\w*)?$/;

/** Models name functions that keep nothing, whatever the handle is wrapped in. */
export function isOnlyLookedAt(
  { name = '', fn, module }: Target,
  value: Value,
  state: State,
): boolean {
  const { instances } = reachableFrom(state, [value]);
  if (instances.size === 0) return false;
  if (LOOKS.test(name) && value.k === 'ref') return true;
  const lent = underLentNames(value, state);
  if (fn === undefined && module === undefined && PAINTS.test(name)) return true;
  return [...instances].every((id) => {
    const contract = state.instances.get(id)?.contract;
    return contract?.borrowers.has(name) === true || lent.has(id);
  });
}

/** `{ stdio: ['ignore', fd, fd] }`: the handles in options that are known to lend them. */
function underLentNames(value: Value, state: State): ReadonlySet<string> {
  const props = value.k === 'obj' ? state.heap.get(value.id)?.props : undefined;
  const found = new Set<string>();
  for (const [name, each] of props ?? []) {
    for (const id of reachableFrom(state, [each]).instances) {
      if (state.instances.get(id)?.contract.lentAs.has(name)) found.add(id);
    }
  }
  return found;
}

const LISTENS = /^(on([A-Z]\w*)?|once|add\w*Listener|subscribe|listen|watch)$/;

/** Functions that keep a callback for as long as there is something to hear. */
export function isListening({ name = '' }: Target): boolean {
  return LISTENS.test(name);
}
