// Ownership shapes of type annotations: which parts of a value are handles.
import type { Contract } from '../contract/contract.ts';
import type { ValueShape } from '../flow/world.ts';
import { alternatives, isNullishType, mayBeNullish, type TypeNode } from '../syntax/type-node.ts';

const NOTHING: ValueShape = { k: 'nothing' };
const MAX_SHAPE_DEPTH = 6;

/** Types whose argument is the type of the awaited value. */
const WAITED = /^(Promise|PromiseLike|Operation)$/;
const MANY = /^(Set|ReadonlySet|Iterable|IterableIterator|IteratorObject)$/;

export interface TypeNames {
  /** The contract of a named type. */
  readonly contract: (name: string) => Contract | undefined;
  /** The definition of a type alias. */
  readonly alias: (name: string) => TypeNode | undefined;
}

export function shapeOfType(type: TypeNode | undefined, names: TypeNames, depth = 0): ValueShape {
  if (type === undefined || depth > MAX_SHAPE_DEPTH) return NOTHING;
  const inner = (part: TypeNode | undefined): ValueShape => shapeOfType(part, names, depth + 1);
  switch (type.kind) {
    case 'named': {
      const contract = names.contract(type.name);
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

/** Whether a handle is anywhere in a shape. */
function hasHandle(shape: ValueShape): boolean {
  switch (shape.k) {
    case 'handle':
      return true;
    case 'promise':
    case 'many':
      return hasHandle(shape.of);
    case 'tuple':
    case 'either':
      return shape.of.some(hasHandle);
    case 'object':
      return [...shape.of.values()].some(hasHandle);
    default:
      return false;
  }
}
