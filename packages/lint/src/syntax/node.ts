// The syntax tree of the analysis: statements, expressions and declarations. Backends lower the
// trees of TypeScript 7 and 6 into it, so that the analysis is independent of TypeScript's version.
import type { TypeNode } from './type-node.ts';
import type { Variable } from './variable.ts';

interface Base {
  /** Offsets into the file's text, from 0: where the node's first and last token are. */
  readonly start: number;
  readonly end: number;
}

/** An expression that an oracle can be queried for: `origin` is the backend's own node. */
interface QueryableNode extends Base {
  readonly origin: unknown;
}

export interface Name extends QueryableNode {
  readonly kind: 'name';
  readonly text: string;
  /** Filled by `bindScopes`; names of globals and of types have none. */
  variable: Variable | undefined;
  /** The type that it is cast to where it stands: `mysql.Pool`. */
  readonly cast?: string;
}

export interface Literal extends Base {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null | undefined;
}

/** `object.name`, `object['name']`, `object[Symbol.dispose]` have a name, `object[i]` an index. */
export interface MemberExpression extends QueryableNode {
  readonly kind: 'member';
  readonly object: Expression;
  readonly name: string | undefined;
  readonly index: Expression | undefined;
  readonly optional: boolean;
  /** The backend's node of the whole expression; `origin` is that of the name. */
  readonly whole: unknown;
  /** The type that it is cast to where it stands: `mysql.Pool`. */
  readonly cast?: string;
}

export interface CallExpression extends QueryableNode {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
  readonly isNew: boolean;
  readonly optional: boolean;
  /** The variable that its result, awaited or not, is assigned to; filled with the scopes. */
  bound: Variable | undefined;
  /** The result is awaited there. */
  isAwaited: boolean;
}

export interface ObjectLiteral extends Base {
  readonly kind: 'object';
  readonly properties: readonly Property[];
}

export interface Property extends Base {
  readonly form: 'value' | 'get' | 'set' | 'spread';
  /** `undefined` for a computed key. */
  readonly key: string | undefined;
  readonly computed: Expression | undefined;
  readonly value: Expression;
}

export interface ArrayLiteral extends Base {
  readonly kind: 'array';
  /** `undefined` is a hole. */
  readonly elements: readonly (Expression | undefined)[];
}

export interface Spread extends Base {
  readonly kind: 'spread';
  readonly operand: Expression;
}

export interface Await extends Base {
  readonly kind: 'await';
  readonly operand: Expression;
}

export interface Yield extends Base {
  readonly kind: 'yield';
  readonly delegate: boolean;
  readonly operand: Expression | undefined;
}

export interface Unary extends Base {
  readonly kind: 'unary';
  /** `impossible`: TypeScript has checked that the operand never has a value. */
  readonly operator: '!' | 'typeof' | 'void' | 'delete' | 'update' | 'impossible' | 'other';
  readonly operand: Expression;
}

export interface Binary extends Base {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Logical extends Base {
  readonly kind: 'logical';
  readonly operator: '&&' | '||' | '??';
  readonly left: Expression;
  readonly right: Expression;
}

/** `logical` for `&&=`, `||=`, `??=`; `compound` for `+=` and the like. */
export interface Assign extends Base {
  readonly kind: 'assign';
  readonly operator: '=' | 'compound' | '&&' | '||' | '??';
  readonly target: Pattern;
  readonly value: Expression;
}

export interface Conditional extends Base {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface This extends Base {
  readonly kind: 'this' | 'super';
}

/** A node that only evaluates its parts: templates, JSX, sequences (the last part is the value). */
export interface OpaqueNode extends Base {
  readonly kind: 'parts';
  readonly parts: readonly Expression[];
  readonly sequence: boolean;
}

export interface FunctionNode extends QueryableNode {
  readonly kind: 'function';
  readonly form:
    | 'function'
    | 'arrow'
    | 'method'
    | 'constructor'
    | 'getter'
    | 'setter'
    | 'signature';
  readonly name: string | undefined;
  /** The offset of its name, or its start. */
  readonly nameStart: number;
  readonly parameters: readonly Parameter[];
  /** `undefined` for signatures, overloads and abstract methods. */
  readonly body: Block | Expression | undefined;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  readonly isStatic: boolean;
  readonly typeParameters: readonly string[];
  readonly returns: TypeNode | undefined;
  /** The text of the documentation comment before it, and of the one after it on its line. */
  readonly doc: string;
  readonly file: SourceFile;
  /** Filled by `bindScopes`. */
  owner: ClassNode | undefined;
  outer: FunctionNode | undefined;
  self: Variable | undefined;
}

export interface Parameter extends Base {
  readonly target: Pattern;
  readonly initializer: Expression | undefined;
  readonly rest: boolean;
  readonly optional: boolean;
  readonly type: TypeNode | undefined;
  readonly doc: string;
  /** `constructor(private readonly h: Handle)` declares a field too. */
  readonly isField: boolean;
}

export interface ClassNode extends QueryableNode {
  readonly kind: 'class';
  /** An interface has signatures only. */
  readonly isInterface: boolean;
  readonly name: string | undefined;
  readonly nameStart: number;
  readonly heritage: readonly Expression[];
  readonly implemented: readonly string[];
  readonly methods: readonly FunctionNode[];
  readonly fields: readonly Field[];
  /** Static blocks and decorators, in order. */
  readonly statics: readonly Statement[];
  readonly doc: string;
  readonly file: SourceFile;
  self: Variable | undefined;
}

export interface Field extends Base {
  readonly name: string | undefined;
  readonly isStatic: boolean;
  readonly isPrivate: boolean;
  readonly optional: boolean;
  readonly initializer: Expression | undefined;
  readonly type: TypeNode | undefined;
  readonly doc: string;
}

export type Expression =
  | Name
  | Literal
  | MemberExpression
  | CallExpression
  | ObjectLiteral
  | ArrayLiteral
  | Spread
  | Await
  | Yield
  | Unary
  | Binary
  | Logical
  | Assign
  | Conditional
  | This
  | OpaqueNode
  | FunctionNode
  | ClassNode;

export interface ObjectPattern extends Base {
  readonly kind: 'objectPattern';
  readonly properties: readonly {
    readonly key: string | undefined;
    readonly computed: Expression | undefined;
    readonly rest: boolean;
    readonly target: Pattern;
    readonly initializer: Expression | undefined;
  }[];
}

export interface ArrayPattern extends Base {
  readonly kind: 'arrayPattern';
  readonly elements: readonly (
    | { readonly target: Pattern; readonly initializer: Expression | undefined; rest: boolean }
    | undefined
  )[];
}

/** Assignment targets. Other expressions are only evaluated. */
export type Pattern = ObjectPattern | ArrayPattern | Expression;

export interface Block extends Base {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
  /** Filled by `bindScopes`: the variables that end with the block. */
  declares: readonly Variable[];
}

export interface VariableStatement extends Base {
  readonly kind: 'variables';
  readonly form: 'var' | 'let' | 'const' | 'using' | 'await using';
  readonly declarations: readonly Declarator[];
}

export interface Declarator extends Base {
  readonly target: Pattern;
  readonly initializer: Expression | undefined;
  readonly type: TypeNode | undefined;
}

export interface ExpressionStatement extends Base {
  readonly kind: 'expression';
  readonly expression: Expression;
}

export interface If extends Base {
  readonly kind: 'if';
  readonly test: Expression;
  readonly then: Statement;
  readonly otherwise: Statement | undefined;
}

/** `while`, `do … while` and `for(;;)`. */
export interface Loop extends Base {
  readonly kind: 'loop';
  readonly form: 'while' | 'do' | 'for';
  readonly init: Statement | undefined;
  readonly test: Expression | undefined;
  readonly update: Expression | undefined;
  readonly body: Statement;
  declares: readonly Variable[];
}

export interface ForEach extends Base {
  readonly kind: 'forEach';
  readonly form: 'of' | 'in';
  readonly isAwait: boolean;
  /** A declaration without initializer, or the assigned pattern. */
  readonly binding: VariableStatement | Pattern;
  readonly subject: Expression;
  readonly body: Statement;
  declares: readonly Variable[];
}

export interface Jump extends Base {
  readonly kind: 'break' | 'continue';
  readonly label: string | undefined;
}

export interface ReturnOrThrow extends Base {
  readonly kind: 'return' | 'throw';
  readonly value: Expression | undefined;
}

export interface Try extends Base {
  readonly kind: 'try';
  readonly block: Block;
  readonly parameter: Pattern | undefined;
  readonly handler: Block | undefined;
  readonly finalizer: Block | undefined;
}

export interface Switch extends Base {
  readonly kind: 'switch';
  readonly subject: Expression;
  readonly cases: readonly {
    /** `undefined` for `default`. */
    readonly test: Expression | undefined;
    readonly body: readonly Statement[];
  }[];
  /** No value is missed: it has a default, or the oracle of types says so. */
  readonly origin: unknown;
  declares: readonly Variable[];
}

export interface Labeled extends Base {
  readonly kind: 'labeled';
  readonly label: string;
  readonly body: Statement;
}

export interface DeclarationStatement extends Base {
  readonly kind: 'declaration';
  readonly declaration: FunctionNode | ClassNode;
}

export type Statement =
  | Block
  | VariableStatement
  | ExpressionStatement
  | If
  | Loop
  | ForEach
  | Jump
  | ReturnOrThrow
  | Try
  | Switch
  | Labeled
  | DeclarationStatement;

export type Node = Statement | Expression | ObjectPattern | ArrayPattern;

/** An import: `import { Pool as P } from 'pg'` is P, of `Pool` in `pg`. */
export interface ImportBinding {
  readonly local: Name;
  /** `*` for a namespace, `default` for the default export. */
  readonly imported: string;
  readonly module: string;
}

export interface TypeAlias {
  readonly type: TypeNode;
  readonly doc: string;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly isDeclarations: boolean;
  readonly body: Block;
  readonly imports: readonly ImportBinding[];
  /** Every function and class in it, outer before inner. */
  readonly functions: readonly FunctionNode[];
  readonly classes: readonly ClassNode[];
  readonly typeAliases: ReadonlyMap<string, TypeAlias>;
  /** Declarations by the backend's key, for resolved symbols. */
  readonly declared: ReadonlyMap<string, FunctionNode | ClassNode>;
  /** The casts: what is cast, and the backend's node of the whole. */
  readonly casts: ReadonlyMap<Expression, unknown>;
  /** Whether `using` may be written in it. */
  readonly allowsUsing: () => boolean;
}
