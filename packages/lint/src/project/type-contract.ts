// The contract that a class or interface states in its own comments and those of its members.
import { makeContract, type Contract } from '../contract/contract.ts';
import { contractOf, hasTags, promisesOf } from '../contract/tags.ts';
import type { ClassNode, Field, FunctionNode } from '../syntax/node.ts';

export function declaredContract(
  node: ClassNode,
  tags: Readonly<Record<string, string>>,
  baseOf: (node: ClassNode) => ClassNode | undefined,
): Contract | undefined {
  const { name = '', doc } = node;
  const stated = tags[name] ?? doc;
  const contract = hasTags(stated) ? contractOf(name, stated) : undefined;
  if (contract === undefined) return undefined;
  const safe = new Set<string>();
  const nothrow = new Set<string>();
  const starts: string[] = [];
  const consumes = new Set<string>();
  for (const member of membersOf(node, baseOf)) {
    if (member.name === undefined || !hasTags(member.doc)) continue;
    const promises = promisesOf(member.doc);
    if (promises.safeAfterRelease) safe.add(member.name);
    if (promises.throws === 'never') nothrow.add(member.name);
    if (promises.startsObligation) starts.push(member.name);
    if (/@consumes\b/.test(member.doc)) consumes.add(member.name);
  }
  const leavesScope = consumes.size > 0;
  return makeContract({ ...contract, safe, nothrow, starts, consumes, leavesScope });
}

/** The most base classes that are followed. */
const MAX_BASES = 8;

/** The members of a class and of its base classes. */
function membersOf(
  node: ClassNode,
  baseOf: (node: ClassNode) => ClassNode | undefined,
): (FunctionNode | Field)[] {
  const members: (FunctionNode | Field)[] = [];
  let current: ClassNode | undefined = node;
  for (let depth = 0; current !== undefined && depth < MAX_BASES; depth++) {
    members.push(...current.methods, ...current.fields);
    current = baseOf(current);
  }
  return members;
}
