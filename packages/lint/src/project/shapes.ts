// Ownership shapes of type annotations: which parts of a value are handles.
import type { Contract } from '../contract/contract.ts';
import type { ValueShape } from '../flow/world.ts';
import { brandContract, type Brand } from '../obligations/brands.ts';
import { hasHandle } from '../obligations/from-type.ts';
import { alternatives, isNullishType, mayBeNullish, type TypeNode } from '../syntax/type-node.ts';

const NOTHING: ValueShape = { k: 'nothing' };
const MAX_SHAPE_DEPTH = 6;

/** Types whose argument is the type of the awaited value. */
const WAITED = /^(Promise|PromiseLike|Operation)$/;
const MANY = /^(Set|ReadonlySet|Iterable|IterableIterator|IteratorObject)$/;

type NamedType = Extract<TypeNode, { kind: 'named' }>;

export interface TypeNames {
  /** The contract of a named type. */
  readonly contract: (type: NamedType) => Contract | undefined;
  /** The definition of a type alias. */
  readonly alias: (name: string) => TypeNode | undefined;
  readonly brand: (type: TypeNode) => Brand | undefined;
}

export function shapeOfType(type: TypeNode | undefined, names: TypeNames, depth = 0): ValueShape {
  if (type === undefined || depth > MAX_SHAPE_DEPTH) return NOTHING;
  const inner = (part: TypeNode | undefined): ValueShape => shapeOfType(part, names, depth + 1);
  switch (type.kind) {
    case 'named': {
      const brand = names.brand(type);
      if (brand !== undefined) return branded(brand, type, inner);
      const contract = names.contract(type);
      if (contract !== undefined) return { k: 'handle', contract, maybeNull: false };
      if (WAITED.test(type.name)) return promised(inner(type.args[0]));
      if (MANY.test(type.name)) return many(inner(type.args[0]));
      const alias = names.alias(type.name);
      return alias === undefined ? NOTHING : inner(alias);
    }
    case 'array':
      return many(inner(type.element));
    case 'tuple': {
      const of = type.elements.map(inner);
      return of.some(hasHandle) ? { k: 'tuple', of } : NOTHING;
    }
    case 'union':
      return union(type, inner);
    case 'object':
      return object(type, inner);
    case 'keyword':
      if (type.name === 'true' || type.name === 'false') {
        return { k: 'constant', value: type.name === 'true' };
      }
      return type.name.startsWith("'") ? { k: 'constant', value: type.name.slice(1, -1) } : NOTHING;
    default:
      return NOTHING;
  }
}

/** `Linear<T, 'close'>`, `Owned<T>`, `Borrowed<T>`. */
function branded(
  brand: Brand,
  type: NamedType,
  inner: (type: TypeNode | undefined) => ValueShape,
): ValueShape {
  const [of] = type.args;
  if (brand === 'linear') {
    const name = of?.kind === 'named' ? of.name : 'Linear';
    const contract = brandContract(name, type);
    return contract === undefined ? NOTHING : { k: 'handle', contract, maybeNull: false };
  }
  const shape = inner(of);
  return brand === 'borrowed' && shape.k === 'handle' ? { ...shape, isBorrowed: true } : shape;
}

function promised(of: ValueShape): ValueShape {
  return hasHandle(of) ? { k: 'promise', of } : NOTHING;
}

function many(of: ValueShape): ValueShape {
  return hasHandle(of) ? { k: 'many', of } : NOTHING;
}

function union(type: TypeNode, inner: (type: TypeNode) => ValueShape): ValueShape {
  const real = alternatives(type).filter((member) => !isNullishType(member));
  const shapes = real.map(inner);
  const handles = shapes.filter(hasHandle);
  const [first = NOTHING] = handles;
  if (handles.length === 0) return NOTHING;
  if (shapes.length > 1 && shapes.every((shape) => shape.k === 'object' || shape.k === 'nothing')) {
    return { k: 'either', of: shapes };
  }
  return first.k === 'handle' && mayBeNullish(type) ? { ...first, maybeNull: true } : first;
}

function object(
  type: Extract<TypeNode, { kind: 'object' }>,
  inner: (type: TypeNode) => ValueShape,
): ValueShape {
  const entries = type.members
    .map((member): [string, ValueShape] => {
      const shape = inner(member.type);
      const isOptional = member.optional && shape.k === 'handle';
      return [member.name, isOptional ? { ...shape, maybeNull: true } : shape];
    })
    .filter(([, shape]) => shape.k !== 'nothing');
  return entries.length === 0 ? NOTHING : { k: 'object', of: new Map(entries) };
}
