// The literal values that a variable or a property can have, by its declared type: what remains
// when all of them are excluded is not reached.
import type { Expression } from '../syntax/node.ts';
import { alternatives, type TypeNode } from '../syntax/type-node.ts';
import type { Variable } from '../syntax/variable.ts';

export type Literal = string | number | boolean;

/** Returns the type of an alias, if there is one of that name. */
type AliasOf = (name: string) => TypeNode | undefined;

const MAX_ALIASES = 6;

/** Every value that an expression can have; `undefined` unless all of them are literals. */
export function literalsOf(node: Expression, alias: AliasOf): readonly Literal[] | undefined {
  const types = typesOf(node, alias);
  if (types === undefined || types.length === 0) return undefined;
  const values = types.map(valueOf);
  return values.includes(undefined) ? undefined : values.filter((value) => value !== undefined);
}

function typesOf(node: Expression, alias: AliasOf): TypeNode[] | undefined {
  if (node.kind === 'name') {
    const { variable } = node;
    if (variable?.type === undefined || isOptional(variable)) return undefined;
    return resolved(variable.type, alias);
  }
  if (node.kind !== 'member' || node.name === undefined || node.optional) return undefined;
  const owners = typesOf(node.object, alias);
  const types = owners?.map((owner) => {
    const member =
      owner.kind === 'object' ? owner.members.find(({ name }) => name === node.name) : undefined;
    return member === undefined || member.optional ? undefined : resolved(member.type, alias);
  });
  if (types === undefined || types.includes(undefined)) return undefined;
  return types.flatMap((values) => values ?? []);
}

/** The members of a union, with aliases replaced. */
function resolved(type: TypeNode, alias: AliasOf, depth = 0): TypeNode[] {
  return alternatives(type).flatMap((part) => {
    const named = part.kind === 'named' && part.args.length === 0 ? alias(part.name) : undefined;
    return named === undefined || depth > MAX_ALIASES ? [part] : resolved(named, alias, depth + 1);
  });
}

function valueOf(type: TypeNode): Literal | undefined {
  if (type.kind !== 'keyword') return undefined;
  const { name } = type;
  if (name.startsWith("'")) return name.slice(1, -1);
  if (name === 'true' || name === 'false') return name === 'true';
  return /^-?[\d.]/.test(name) ? Number(name) : undefined;
}

/** `k?: 'a' | 'b'` may be `undefined`, too. */
function isOptional(variable: Variable): boolean {
  const parameter = variable.home?.parameters.find(
    ({ target }) => target.kind === 'name' && target.variable === variable,
  );
  return parameter?.optional === true;
}
