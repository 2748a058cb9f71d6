// Functions that end a handle or not by what the handle says of itself: `if (h.inTransaction)`.
import { walkOwn } from '../syntax/children.ts';
import type { Expression, FunctionNode } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { isPredicate } from './members.ts';
import type { FunctionExit } from './summary.ts';
import type { Value } from './value.ts';

/** What a function ends on some of its ways, as a flag of the handle's own says. */
export function endedByFlag(
  fn: FunctionNode,
  args: readonly Value[],
  outcomes: readonly FunctionExit[],
  back: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const tested = testedByOwnFlag(fn, args);
  const ends = tested.size === 0 ? [] : outcomes.filter(({ kind }) => kind === 'return');
  for (const [name, id] of back) {
    const all = new Set(ends.map(({ state }) => state.instances.get(name)?.status));
    if (all.size < 2) tested.delete(id);
  }
  return tested;
}

/**
 * The handles among the arguments that a function asks for a flag of their own. Whoever goes on
 * with such a handle knows that it is still there; nobody else sees what was put into the flag.
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
