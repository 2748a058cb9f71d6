// What a value of a type owes: the contracts of its parts, wherever they are stated.
import { makeContract, type Contract } from '../contract/contract.ts';
import type { ValueShape } from '../flow/world.ts';
import type { ObjectShape, SymbolInfo, TypeShape } from '../oracle.ts';
import { structuralContract } from './structural.ts';

const NOTHING: ValueShape = { k: 'nothing' };

type Handle = Extract<ValueShape, { k: 'handle' }>;

/** The statements about a named type besides those of the type itself. */
export interface NamedContracts {
  readonly overlay: (name: SymbolInfo) => Contract | undefined;
  readonly tagged: (name: SymbolInfo) => Contract | undefined;
  readonly modeled: (name: SymbolInfo) => Contract | undefined;
}

export class TypeObligations {
  readonly #named: NamedContracts;
  readonly #onlyNamed: boolean;
  readonly #owed = new WeakMap<TypeShape, ValueShape>();
  readonly #contracts = new WeakMap<ObjectShape, { contract: Contract | undefined }>();

  /** `onlyNamed`: neither brands nor symbols count. */
  constructor(named: NamedContracts, onlyNamed = false) {
    this.#named = named;
    this.#onlyNamed = onlyNamed;
  }

  of(shape: TypeShape): ValueShape {
    const cached = this.#owed.get(shape);
    if (cached !== undefined) return cached;
    const owed = this.#read(shape);
    this.#owed.set(shape, owed);
    return owed;
  }

  #read(shape: TypeShape): ValueShape {
    switch (shape.k) {
      case 'open':
        return NOTHING;
      case 'primitive':
        return shape.literal === undefined ? NOTHING : { k: 'constant', value: shape.literal };
      case 'promise':
      case 'many': {
        const of = this.of(shape.of);
        return hasHandle(of) ? { k: shape.k, of } : NOTHING;
      }
      case 'tuple': {
        const of = shape.of.map((each) => this.of(each));
        return of.some(hasHandle) ? { k: 'tuple', of } : NOTHING;
      }
      case 'union':
        return this.#union(shape.of);
      case 'object':
        return this.#object(shape);
    }
  }

  #object(shape: ObjectShape): ValueShape {
    // A class itself, and none of its objects.
    if (shape.properties.includes('prototype')) return NOTHING;
    const contract = this.contractOf(shape);
    if (contract !== undefined) {
      const handle: Handle = { k: 'handle', contract, maybeNull: false };
      return shape.owner === 'borrowed' ? { ...handle, isBorrowed: true } : handle;
    }
    const of = new Map(
      shape.values.flatMap(([name, each]): [string, ValueShape][] => {
        const inner = this.of(each);
        return inner.k === 'nothing' ? [] : [[name, inner]];
      }),
    );
    return [...of.values()].some(hasHandle) ? { k: 'object', of } : NOTHING;
  }

  /** The contract of an object type: an overlay before tags, brands, models and symbols. */
  contractOf(shape: ObjectShape): Contract | undefined {
    const cached = this.#contracts.get(shape);
    if (cached !== undefined) return cached.contract;
    const { names, releases } = shape;
    const [first] = names;
    const typeName = shape.names.at(-1)?.name ?? 'handle';
    const contract =
      firstOf(names, this.#named.overlay) ??
      firstOf(names, this.#named.tagged) ??
      (releases && !this.#onlyNamed
        ? makeContract({ id: typeName, typeName, release: releases })
        : undefined) ??
      (first && this.#named.modeled(first)) ??
      (this.#onlyNamed ? undefined : structural(shape));
    this.#contracts.set(shape, { contract });
    return contract;
  }

  #union(members: readonly TypeShape[]): ValueShape {
    const shapes = members.map((each) => this.of(each));
    const handles = shapes.filter((each) => each.k === 'handle');
    const present = members.filter((each) => each.k !== 'primitive');
    if (handles.length > 0) return merged(handles, handles.length < members.length);
    if (!shapes.some(hasHandle)) return NOTHING;
    if (present.length === 1) return shapes.find(hasHandle) ?? NOTHING;
    return { k: 'either', of: shapes };
  }
}

function firstOf<T>(
  names: readonly SymbolInfo[],
  find: (name: SymbolInfo) => T | undefined,
): T | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A union of handles: any of their methods releases. */
function merged(handles: readonly Handle[], maybeNull: boolean): Handle {
  const [first] = handles as [Handle, ...Handle[]];
  const isBorrowed = handles.every((each) => each.isBorrowed);
  const release = [...new Set(handles.flatMap(({ contract }) => contract.release))];
  const isOne = handles.every(({ contract }) => contract === first.contract);
  const contract = isOne ? first.contract : { ...first.contract, release };
  return { k: 'handle', contract, maybeNull, ...(isBorrowed && { isBorrowed }) };
}

/** A type with `[Symbol.dispose]` or a declared `dispose()`. */
function structural({ names, disposal, properties }: ObjectShape): Contract | undefined {
  const [name] = names;
  if (disposal.length === 0 || name?.module === 'lib') return undefined;
  return structuralContract(name, disposal, properties);
}

/** Whether a handle is anywhere in a shape. */
export function hasHandle(shape: ValueShape): boolean {
  return hasHandleOf(shape, () => true);
}

/** Whether a handle of some contracts is anywhere in a shape. */
export function hasHandleOf(shape: ValueShape, counts: (contract: Contract) => boolean): boolean {
  const isIn = (part: ValueShape): boolean => hasHandleOf(part, counts);
  switch (shape.k) {
    case 'handle':
      return counts(shape.contract);
    case 'promise':
    case 'many':
      return isIn(shape.of);
    case 'tuple':
    case 'either':
      return shape.of.some(isIn);
    case 'object':
      return [...shape.of.values()].some(isIn);
    case 'constant':
    case 'nothing':
      return false;
  }
}
