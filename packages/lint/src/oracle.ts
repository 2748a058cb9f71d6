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

export interface TypeOracle {
  /** What each node's name refers to. `nodes` are `origin`s. */
  symbols(nodes: readonly unknown[]): (SymbolInfo | undefined)[];
  /** The type of each expression. `nodes` are `origin`s. */
  types(nodes: readonly unknown[]): (TypeInfo | undefined)[];
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
