// Loose types of TypeScript's own syntax tree: the fields that lowering reads, of versions 7 and 6.

export interface TsNode {
  readonly kind: number;
  readonly pos: number;
  readonly end: number;
  readonly flags: number;
  forEachChild<T>(visit: (node: TsNode) => T | undefined): T | undefined;

  readonly argumentExpression?: TsNode;
  readonly arguments?: readonly TsNode[];
  readonly assertsModifier?: TsNode;
  readonly asteriskToken?: TsNode;
  readonly awaitModifier?: TsNode;
  readonly block?: TsNode;
  readonly body?: TsNode;
  readonly caseBlock?: TsNode;
  readonly catchClause?: TsNode;
  readonly clauses?: readonly TsNode[];
  readonly condition?: TsNode;
  readonly declarationList?: TsNode;
  readonly declarations?: readonly TsNode[];
  readonly dotDotDotToken?: TsNode;
  readonly elementType?: TsNode;
  readonly elements?: readonly TsNode[];
  readonly elseStatement?: TsNode;
  readonly expression?: TsNode;
  readonly finallyBlock?: TsNode;
  readonly heritageClauses?: readonly TsNode[];
  readonly importClause?: TsNode;
  readonly incrementor?: TsNode;
  readonly initializer?: TsNode;
  readonly label?: TsNode;
  readonly left?: TsNode;
  readonly literal?: TsNode;
  readonly members?: readonly TsNode[];
  readonly modifiers?: readonly TsNode[];
  readonly moduleSpecifier?: TsNode;
  readonly name?: TsNode;
  readonly namedBindings?: TsNode;
  readonly objectAssignmentInitializer?: TsNode;
  readonly operand?: TsNode;
  readonly operator?: number;
  readonly operatorToken?: TsNode;
  readonly parameterName?: TsNode;
  readonly parameters?: readonly TsNode[];
  readonly properties?: readonly TsNode[];
  readonly propertyName?: TsNode;
  readonly questionDotToken?: TsNode;
  readonly questionToken?: TsNode;
  readonly postfixToken?: TsNode;
  readonly right?: TsNode;
  readonly statement?: TsNode;
  readonly statements?: readonly TsNode[];
  readonly tag?: TsNode;
  readonly template?: TsNode;
  readonly templateSpans?: readonly TsNode[];
  readonly text?: string;
  readonly thenStatement?: TsNode;
  readonly token?: number;
  readonly tryBlock?: TsNode;
  readonly type?: TsNode;
  readonly typeArguments?: readonly TsNode[];
  readonly typeName?: TsNode;
  readonly typeParameters?: readonly TsNode[];
  readonly types?: readonly TsNode[];
  readonly variableDeclaration?: TsNode;
  readonly whenFalse?: TsNode;
  readonly whenTrue?: TsNode;
}

/** The `SyntaxKind` enum of a version of TypeScript. */
export type SyntaxKinds = Readonly<Record<string, string | number>>;

/** The backend that parsed a file, for lowering. */
export interface Dialect {
  /** The name of each kind, by its number. */
  readonly nameOf: readonly (string | undefined)[];
  /** A key for a declaration, the same as in `SymbolInfo.declarations`. */
  readonly keyOf: (node: TsNode) => string;
  /** Whether `using` may be written in a file. */
  readonly allowsUsing: (path: string) => boolean;
}

/**
 * The names of all kinds. Some numbers have several names, of which the first is the real one:
 * the others mark ranges (`FirstStatement`).
 */
export function kindNames(kinds: SyntaxKinds): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (const [name, number] of Object.entries(kinds)) {
    if (typeof number !== 'number' || /^(First|Last)[A-Z]/.test(name)) continue;
    names[number] ??= name;
  }
  return names;
}

export const USING_FLAG = 4;
export const AWAIT_USING_FLAG = 6;
export const BLOCK_SCOPE_FLAGS = 7;
export const CONST_FLAG = 2;
export const LET_FLAG = 1;
