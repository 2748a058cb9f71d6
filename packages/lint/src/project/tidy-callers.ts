// Helpers that create handles: whether any caller is inside a cleanup scope such as `tf.tidy`.
import { calledName } from '../syntax/called-name.ts';
import { walk } from '../syntax/children.ts';
import type { FunctionNode, SourceFile } from '../syntax/node.ts';

type Owner = FunctionNode | SourceFile;

/** The deepest nesting of helper functions. */
const MAX_HELPERS = 3;

/**
 * Whether all callers of a function are known, and none of them is inside a cleanup scope. The
 * callers of an overriding method are unknown.
 */
export function isCalledUntidied(
  fn: FunctionNode,
  callersOf: (fn: FunctionNode) => readonly Owner[],
  tidies: ReadonlySet<string>,
  depth = 0,
): boolean {
  if (depth === MAX_HELPERS || (fn.owner?.heritage.length ?? 0) > 0) return false;
  const callers = callersOf(fn).filter((caller) => caller !== fn);
  return (
    callers.length > 0 &&
    callers.every((caller) => {
      if (!('kind' in caller)) return !tidiesUp(caller.body, tidies);
      const outermost = around(caller);
      if (tidiesUp(outermost, tidies)) return false;
      // Cleanup scopes are synchronous.
      const waits = caller.isAsync || outermost.isAsync;
      return waits || isCalledUntidied(caller, callersOf, tidies, depth + 1);
    })
  );
}

function around(fn: FunctionNode): FunctionNode {
  let scope = fn;
  while (scope.outer !== undefined) scope = scope.outer;
  return scope;
}

function tidiesUp(node: FunctionNode | SourceFile['body'], tidies: ReadonlySet<string>): boolean {
  let isCalled = false;
  walk(node, (part) => {
    if (part.kind === 'call') isCalled ||= tidies.has(calledName(part) ?? '');
  });
  return isCalled;
}
