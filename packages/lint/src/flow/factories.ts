// Functions that may return a handle, as far as their declarations and statements show: no other is
// walked to see whether it does.
import { walkOwn } from '../syntax/children.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import { alternatives } from '../syntax/type-node.ts';
import type { World } from './world.ts';

/** Types without handles. */
const WITHOUT_HANDLES = /^(void|boolean|bigint|symbol|undefined|null|never)$/;
/** A number may be a file descriptor, a text an object URL: they have no method that ends them. */
const PLAIN = /^(number|string|true|false|['\d].*)$/;

/** Whether a function may return or yield a handle that its caller must release. */
export function mayBeFactory(fn: FunctionNode, { holding, plainHolding }: World): boolean {
  const { body, form, isGenerator } = fn;
  const names = returnedKeywords(fn);
  if (form === 'constructor' || names?.every((name) => WITHOUT_HANDLES.test(name))) return false;
  if (body === undefined) return true;
  if (!isGenerator && !returnsValue(body)) return false;
  if (!holding.in(fn)) return false;
  const isPlain = names?.every((name) => WITHOUT_HANDLES.test(name) || PLAIN.test(name));
  return isPlain !== true || plainHolding.in(fn);
}

/** The keywords that the declared result consists of, without its promise; if it has no others. */
function returnedKeywords({ returns }: FunctionNode): string[] | undefined {
  if (returns === undefined) return undefined;
  const names: string[] = [];
  for (const type of alternatives(returns)) {
    const inner = type.kind === 'named' && type.name === 'Promise' ? type.args[0] : type;
    if (inner?.kind !== 'keyword') return undefined;
    names.push(inner.name);
  }
  return names;
}

/** Whether a body gives a value to its caller. */
function returnsValue(body: Node): boolean {
  if (body.kind !== 'block') return true;
  let found = false;
  walkOwn(body, (node) => {
    found ||= node.kind === 'return' && node.value !== undefined;
  });
  return found;
}
