// The queries of the analysis to a type checker: a batch of nodes in, one answer per node out.
// Any answer may be `undefined`: the analysis then relies on syntax.

/** What a name or a property means. */
export interface SymbolInfo {
  readonly name: string;
  /** The class, interface, namespace or module it is a member of. */
  readonly owner: string | undefined;
  /** The package or library file: `pg`, `node:fs`, `lib`; `undefined` inside the project. */
  readonly module: string | undefined;
  /** Keys into `SourceFile.declared`. */
  readonly declarations: readonly string[];
}

/** What a type is, as far as ownership cares, promises unwrapped. */
export interface TypeInfo {
  readonly name: string | undefined;
  readonly module: string | undefined;
  readonly declarations: readonly string[];
  readonly isPromise: boolean;
  readonly isNullable: boolean;
  readonly isAny: boolean;
  readonly isNever: boolean;
  /** The type has `[Symbol.dispose]` or `[Symbol.asyncDispose]`. */
  readonly isPrimitive: boolean;
}

/**
 * A member that disposes of an object: by a well-known symbol, or as `Disposable` of the package
 * that declares the type.
 */
export type DisposeMember = '[Symbol.dispose]' | '[Symbol.asyncDispose]' | 'dispose';

/** An object type, as far as ownership cares. */
export interface ObjectShape {
  readonly k: 'object';
  /** What it is called: its symbol, its alias, the parts of an intersection. */
  readonly names: readonly SymbolInfo[];
  /** The methods that its brand `Linear` names. */
  readonly releases: readonly string[] | undefined;
  /** Its brand `Owned` or `Borrowed`. */
  readonly owner: 'owned' | 'borrowed' | undefined;
  readonly disposal: readonly DisposeMember[];
  /** The names of its properties; empty for types of TypeScript's own library. */
  readonly properties: readonly string[];
  /** The values in it, if it is a record: an object type without methods. */
  readonly values: readonly (readonly [name: string, shape: TypeShape])[];
}

/** The structure of a type. */
export type TypeShape =
  /** `any`, a type parameter without a bound, or deeper than is followed. */
  | { readonly k: 'open' }
  | {
      readonly k: 'primitive';
      readonly isNullish: boolean;
      /** The only value of the type. */
      readonly literal?: string | boolean | undefined;
    }
  | { readonly k: 'union'; readonly of: readonly TypeShape[] }
  | { readonly k: 'promise'; readonly of: TypeShape }
  /** An array, a set, a map: `of` is the type of its elements or values. */
  | { readonly k: 'many'; readonly of: TypeShape }
  | { readonly k: 'tuple'; readonly of: readonly TypeShape[] }
  | ObjectShape;

export interface TypeOracle {
  /** What each node's name refers to. `nodes` are `origin`s. */
  symbols(nodes: readonly unknown[]): (SymbolInfo | undefined)[];
  /** The type of each expression. `nodes` are `origin`s. */
  types(nodes: readonly unknown[]): (TypeInfo | undefined)[];
  /** The structure of the type of each expression. `nodes` are `origin`s. */
  shapes(nodes: readonly unknown[]): (TypeShape | undefined)[];
  /** Whether a part of an expression's type has a member; `undefined` where it is not known. */
  hasMember(query: MemberQuery): boolean | undefined;
}

/** Asks whether `(await node).path` has one of the members. */
export interface MemberQuery {
  /** The `origin` of the expression. */
  readonly node: unknown;
  /** Properties from the awaited value to the part; a number is an index. */
  readonly path: readonly string[];
  readonly members: readonly string[];
}
