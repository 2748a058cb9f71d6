// The contract that a class, an interface or their bases state in their comments.
import { makeContract, type Contract } from '../contract/contract.ts';
import { contractOf, hasTags, promisesOf } from '../contract/tags.ts';
import type { ClassNode, Field, FunctionNode } from '../syntax/node.ts';

/** The comments of a type, wherever they are written. */
export interface DeclaredType {
  readonly name: string;
  readonly doc: string;
  readonly members: readonly (FunctionNode | Field)[];
}

/** The comments of a class or interface; `tags` of a configuration replace its own. */
export function declaredType(
  node: ClassNode,
  tags: Readonly<Record<string, string>>,
): DeclaredType {
  const { name = '', doc, methods, fields } = node;
  return { name, doc: tags[name] ?? doc, members: [...methods, ...fields] };
}

/**
 * The contract of a type, from its own comments and those of the types that it extends or
 * implements, nearest first: an obligation is inherited, a subtype may add releasing methods.
 */
export function declaredContract(types: readonly DeclaredType[]): Contract | undefined {
  const [own] = types;
  const stated = types.flatMap(({ name, doc }) => {
    const contract = hasTags(doc) ? contractOf(name, doc) : undefined;
    return contract === undefined ? [] : [contract];
  });
  const [contract] = stated;
  if (own === undefined || contract === undefined) return undefined;
  const safe = new Set<string>();
  const nothrow = new Set<string>();
  const starts: string[] = [];
  const consumes = new Set<string>();
  for (const { name, doc } of types.flatMap(({ members }) => members)) {
    if (name === undefined || !hasTags(doc)) continue;
    const promises = promisesOf(doc);
    if (promises.safeAfterRelease) safe.add(name);
    if (promises.throws === 'never') nothrow.add(name);
    if (promises.startsObligation) starts.push(name);
    if (promises.consumes) consumes.add(name);
  }
  return makeContract({
    ...contract,
    id: own.name,
    typeName: own.name,
    release: [...new Set(stated.flatMap(({ release }) => release))],
    via: stated.flatMap(({ via }) => via),
    isLinear: stated.some(({ isLinear }) => isLinear),
    safe,
    nothrow,
    starts,
    consumes,
    leavesScope: consumes.size > 0,
  });
}
