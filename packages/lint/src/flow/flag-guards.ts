// Functions that release a handle depending on the handle's own flag: `if (h.inTransaction)`.
import { walkOwn } from '../syntax/children.ts';
import type { Expression, FunctionNode } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { isPredicate } from './predicates.ts';
import type { FunctionExit } from './summary.ts';
import type { Value } from './value.ts';

/** Handles that a function releases on some paths, depending on their own flag. */
export function endedByFlag(
  fn: FunctionNode,
  args: readonly Value[],
  outcomes: readonly FunctionExit[],
  back: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const tested = testedByOwnFlag(fn, args);
  const ends = outcomes.filter(({ kind }) => kind === 'return');
  for (const [name, id] of back) {
    const all = new Set(ends.map(({ state }) => state.instances.get(name)?.status));
    if (all.size < 2) tested.delete(id);
    else if (ends.some((each) => returnsReleased(each, name))) tested.add(id);
  }
  return tested;
}

/** `if (done) h.close(); else all.push(h); return h;`: what it returns is to be used. */
function returnsReleased({ state: { instances, result } }: FunctionExit, name: string): boolean {
  return result.k === 'ref' && result.id === name && instances.get(name)?.status === 'released';
}

/**
 * The handle arguments whose own flag a function tests. A path that continues with such a handle
 * implies that it is still open; the value of the flag is unknown elsewhere.
 */
function testedByOwnFlag(fn: FunctionNode, args: readonly Value[]): Set<string> {
  const found = new Set<string>();
  if (fn.body === undefined || !args.some(({ k }) => k === 'ref')) return found;
  const flagged = new Set<Variable>();
  walkOwn(fn.body, (node) => {
    if (node.kind === 'if') for (const each of testedVariables(node.test)) flagged.add(each);
  });
  for (const [index, { target }] of fn.parameters.entries()) {
    const value = args[index];
    const variable = target.kind === 'name' ? target.variable : undefined;
    if (value?.k === 'ref' && variable && flagged.has(variable)) found.add(value.id);
  }
  return found;
}

/** `h` of `h.flag`, `!h.flag` and `h.flag === true`. */
function testedVariables(test: Expression): Variable[] {
  switch (test.kind) {
    case 'unary':
      return testedVariables(test.operand);
    case 'binary':
    case 'logical':
      return [...testedVariables(test.left), ...testedVariables(test.right)];
    case 'member': {
      const { object, name } = test;
      if (object.kind !== 'name' || object.variable === undefined || name === undefined) return [];
      return isPredicate(name) ? [] : [object.variable];
    }
    default:
      return [];
  }
}
