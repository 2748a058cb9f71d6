// Results that consist of arguments: `wrap<T>(value: T): Box<T>` creates no handle of its own.
import { mentions } from '../syntax/mentions.ts';
import type { FunctionNode } from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';

/** Whether the result may contain the argument at an index, by the type parameters of both. */
export function containsArgument(fn: FunctionNode | undefined, index: number): boolean {
  if (fn === undefined || fn.typeParameters.length === 0) return false;
  const names = returnedParameters(fn);
  const type = fn.parameters[index]?.type;
  return names.size > 0 && mentionsValue(type, names);
}

/** Whether the result consists of arguments. */
export function isOfArguments(fn: FunctionNode | undefined): boolean {
  return fn?.parameters.some((_, index) => containsArgument(fn, index)) ?? false;
}

function returnedParameters({ typeParameters, returns }: FunctionNode): Set<string> {
  return new Set(
    typeParameters.filter((name) => mentions(returns, (mentioned) => mentioned === name)),
  );
}

/** A function that gives a `T` may create it. */
function mentionsValue(type: TypeNode | undefined, names: ReadonlySet<string>): boolean {
  return type?.kind !== 'function' && mentions(type, (name) => names.has(name));
}
