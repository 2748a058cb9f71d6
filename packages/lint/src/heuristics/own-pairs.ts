// Locks on a pair of streams that an object creates for itself: nothing outside waits for them.
import type { FlowFinding } from '../flow/report.ts';
import { textOf } from '../models/origin.ts';
import { walk } from '../syntax/children.ts';
import type { CallExpression, ClassNode, Expression, FunctionNode } from '../syntax/node.ts';
import { functionAround } from './runs-once.ts';
import { callAt } from './subscriptions.ts';

/** The class of the project of which a call creates an object. */
type ClassOf = (call: CallExpression) => ClassNode | undefined;

/**
 * Whether what is lost is a lock on one end of `this.pair = new TransformStream()`: the pair, and
 * with it its lock, ends with the object.
 */
export function endsWithPair({ kind, instance }: FlowFinding, classOf: ClassOf): boolean {
  const { site } = instance ?? {};
  if (kind !== 'leak' || site === undefined || instance?.contract.guards === true) return false;
  const call = callAt(site.file, site.start, site.end);
  const end = call?.callee.kind === 'member' ? call.callee.object : undefined;
  if (end?.kind !== 'member' || !/^(readable|writable)$/.test(end.name ?? '')) return false;
  const { object: pair } = end;
  if (pair.kind !== 'member' || pair.object.kind !== 'this') return false;
  const owner = ownerOf(functionAround(site.file, site.start));
  return owner !== undefined && makersOf(owner, pair.name).some((each) => makesPair(each, classOf));
}

function ownerOf(within: FunctionNode | undefined): ClassNode | undefined {
  for (let at = within; at !== undefined; at = at.outer)
    if (at.owner !== undefined) return at.owner;
  return undefined;
}

/** What a class assigns to one of its fields. */
function makersOf(node: ClassNode, field: string | undefined): Expression[] {
  const found = node.fields.flatMap(({ name, initializer }) =>
    name === field && initializer !== undefined ? [initializer] : [],
  );
  walk(node, (each) => {
    if (each.kind !== 'assign' || each.target.kind !== 'member') return;
    if (each.target.object.kind === 'this' && each.target.name === field) found.push(each.value);
  });
  return found;
}

/** `new TransformStream()`, or an object of a class of the project that extends it. */
function makesPair(maker: Expression, classOf: ClassOf): boolean {
  if (maker.kind !== 'call' || !maker.isNew) return false;
  return isTransform(maker.callee) || classOf(maker)?.heritage.some(isTransform) === true;
}

function isTransform(callee: Expression): boolean {
  return /(^|\.)TransformStream$/.test(textOf(callee));
}
