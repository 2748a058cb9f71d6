// The structure of a type, read through the checker of any version of TypeScript.
import type { DisposeMember, ObjectShape, SymbolInfo, TypeShape } from '../oracle.ts';

/** How a version of TypeScript classifies a type. */
export type TypeKind =
  | 'open'
  | 'nullish'
  | 'primitive'
  | 'union'
  | 'intersection'
  | 'parameter'
  | 'tuple'
  | 'object';

export interface PropertyAccess<T> {
  /** With the prefix `__@` if its key is a symbol. */
  readonly name: string;
  /** The file that declares it. */
  readonly path: string | undefined;
  readonly isMethod: boolean;
  readonly type: () => T | undefined;
}

/** The checker's queries about types. */
export interface TypeAccess<T extends object> {
  kind(type: T): TypeKind;
  /** The members of a union, the parts of an intersection. */
  parts(type: T): readonly T[];
  constraint(type: T): T | undefined;
  typeArguments(type: T): readonly T[];
  /** The declared name of an object type; of anonymous types, nothing. */
  symbol(type: T): SymbolInfo | undefined;
  alias(type: T): SymbolInfo | undefined;
  properties(type: T): readonly PropertyAccess<T>[];
  isCallable(type: T): boolean;
  /** The value of the type of a string literal, or of `true` or `false`. */
  literal(type: T): string | boolean | undefined;
  /** Whether it is assignable to `Disposable` or `IDisposable` of the package that declares it. */
  isDisposableOfPackage(type: T): boolean;
  /** Whether a file declares the brands of `@poundlock/linear`. */
  declaresBrands(path: string): boolean;
}

/** The deepest nesting of containers that is followed. */
const MAX_CONTAINERS = 3;

const OPEN: TypeShape = { k: 'open' };

const PROMISES = new Set(['Promise', 'PromiseLike']);
/** The generic types of the library that hold values, and which argument is the value's type. */
const CONTAINERS = new Map([
  ['Array', 0],
  ['ReadonlyArray', 0],
  ['Set', 0],
  ['ReadonlySet', 0],
  ['Map', 1],
  ['ReadonlyMap', 1],
]);

interface ObjectFacts extends Omit<ObjectShape, 'values' | 'k'> {
  readonly symbol: SymbolInfo | undefined;
  /** The properties, if it may be a record. */
  readonly fields: readonly { readonly name: string; readonly type: () => object | undefined }[];
}

export class TypeShapes<T extends object> {
  readonly #types: TypeAccess<T>;
  readonly #facts = new WeakMap<T, ObjectFacts>();
  /** By the depth at which a type is met: types that lead to each other share what they lead to. */
  readonly #shapes = Array.from({ length: MAX_CONTAINERS + 1 }, () => new WeakMap<T, TypeShape>());

  constructor(types: TypeAccess<T>) {
    this.#types = types;
  }

  of(type: T): TypeShape {
    return this.#shape(type, 0);
  }

  #shape(type: T, depth: number): TypeShape {
    const shapes = this.#shapes[depth]!;
    const cached = shapes.get(type);
    if (cached !== undefined) return cached;
    const shape = this.#read(type, depth);
    shapes.set(type, shape);
    return shape;
  }

  #read(type: T, depth: number): TypeShape {
    switch (this.#types.kind(type)) {
      case 'open':
        return OPEN;
      case 'nullish':
        return { k: 'primitive', isNullish: true };
      case 'primitive':
        return { k: 'primitive', isNullish: false, literal: this.#types.literal(type) };
      case 'union':
        return { k: 'union', of: this.#types.parts(type).map((part) => this.#shape(part, depth)) };
      case 'parameter': {
        const constraint = this.#types.constraint(type);
        return constraint === undefined || constraint === type
          ? OPEN
          : this.#shape(constraint, depth);
      }
      case 'tuple':
        return depth === MAX_CONTAINERS
          ? OPEN
          : {
              k: 'tuple',
              of: this.#types.typeArguments(type).map((t) => this.#shape(t, depth + 1)),
            };
      case 'intersection':
      case 'object':
        return this.#object(type, depth);
    }
  }

  #object(type: T, depth: number): TypeShape {
    const facts = this.#factsOf(type);
    const { symbol, fields, ...shape } = facts;
    const isOfLibrary = symbol?.module === 'lib' && shape.releases === undefined;
    if (symbol !== undefined && isOfLibrary) {
      const isPromise = PROMISES.has(symbol.name);
      const index = isPromise ? 0 : CONTAINERS.get(symbol.name);
      const inner = index === undefined ? undefined : this.#types.typeArguments(type)[index];
      if (inner !== undefined) {
        if (depth === MAX_CONTAINERS) return OPEN;
        return { k: isPromise ? 'promise' : 'many', of: this.#shape(inner, depth + 1) };
      }
    }
    return {
      k: 'object',
      ...shape,
      values: depth === MAX_CONTAINERS ? [] : this.#values(fields, depth),
    };
  }

  #values(fields: ObjectFacts['fields'], depth: number): ObjectShape['values'] {
    const values: [string, TypeShape][] = [];
    for (const { name, type } of fields) {
      const inner = type() as T | undefined;
      if (inner === undefined) {
        values.push([name, OPEN]);
        continue;
      }
      // An object with a function in it may release its other values by itself.
      if (this.#types.isCallable(inner)) return [];
      values.push([name, this.#shape(inner, depth + 1)]);
    }
    return values;
  }

  #factsOf(type: T): ObjectFacts {
    const cached = this.#facts.get(type);
    if (cached !== undefined) return cached;
    const facts = this.#describe(type);
    this.#facts.set(type, facts);
    return facts;
  }

  #describe(type: T): ObjectFacts {
    const access = this.#types;
    const isIntersection = access.kind(type) === 'intersection';
    const symbol = isIntersection ? undefined : access.symbol(type);
    const names = [symbol, access.alias(type)];
    if (isIntersection) {
      for (const part of access.parts(type)) {
        if (access.kind(part) === 'object') names.push(access.symbol(part), access.alias(part));
      }
    }
    const known = names.filter((name) => name !== undefined);
    const nothing = { releases: undefined, owner: undefined, disposal: [], properties: [] };
    if (symbol?.module === 'lib') return { symbol, names: known, fields: [], ...nothing };
    return { symbol, names: known, ...this.#members(type) };
  }

  #members(type: T): Omit<ObjectFacts, 'symbol' | 'names'> {
    const properties: string[] = [];
    const fields: PropertyAccess<T>[] = [];
    const disposal: DisposeMember[] = [];
    let releases: string[] | undefined;
    let owner: ObjectShape['owner'];
    let isRecord = true;
    for (const property of this.#types.properties(type)) {
      const { name } = property;
      const brand = this.#brand(property);
      if (brand?.name === 'obligation') releases = brand.literals;
      else if (brand !== undefined) owner = brand.literals[0] === 'owned' ? 'owned' : 'borrowed';
      else if (name.startsWith('__@dispose@')) disposal.push('[Symbol.dispose]');
      else if (name.startsWith('__@asyncDispose@')) disposal.push('[Symbol.asyncDispose]');
      else {
        properties.push(name);
        fields.push(property);
        isRecord &&= !property.isMethod;
      }
    }
    const mayDispose = disposal.length === 0 && properties.includes('dispose');
    if (mayDispose && this.#types.isDisposableOfPackage(type)) disposal.push('dispose');
    const isPlain = isRecord && fields.length <= MAX_FIELDS && disposal.length === 0;
    return { properties, disposal, releases, owner, fields: isPlain ? fields : [] };
  }

  /** The brand that a property is, with the literals of its type. */
  #brand({
    name,
    path,
    type,
  }: PropertyAccess<T>): { name: string; literals: string[] } | undefined {
    const brand = /^__@(obligation|owner)@/.exec(name)?.[1];
    if (brand === undefined || path === undefined || !this.#types.declaresBrands(path)) {
      return undefined;
    }
    const value = type();
    if (value === undefined) return { name: brand, literals: [] };
    const parts = this.#types.kind(value) === 'union' ? this.#types.parts(value) : [value];
    const literals = parts.map((part) => this.#types.literal(part));
    return { name: brand, literals: literals.filter((each) => typeof each === 'string') };
  }
}

/** An object type with more properties than this is no record of results. */
const MAX_FIELDS = 12;

/** Whether a file is the package `@poundlock/linear`, or a copy of its text. */
export function declaresBrands(module: string | undefined, text: () => string): boolean {
  if (module !== undefined) return module === '@poundlock/linear';
  return text().includes('declare const obligation: unique symbol');
}
