// Programs of classic TypeScript (up to 6.0), as typescript-eslint and older tools create them. The
// compiler module is a parameter, because each tool has its own version.
import type { MemberQuery, SymbolInfo, TypeInfo, TypeOracle, TypeShape } from '../oracle.ts';
import { lowerFile } from './lower-statement.ts';
import { ambientName, moduleOf } from '../syntax/declaring-module.ts';
import type { SourceProgram } from './program.ts';
import { SixTypes } from './six-types.ts';
import { TypeShapes } from './type-shape.ts';
import { usingSyntax } from './using-syntax.ts';
import { kindNames, type Dialect, type SyntaxKinds, type TsNode } from './tree.ts';

/** The used parts of the classic compiler's API. */
export interface ClassicTypeScript {
  /** `ts.SyntaxKind`. */
  readonly SyntaxKind: SyntaxKinds;
  /** `ts.SymbolFlags`. */
  readonly SymbolFlags: Readonly<
    Record<'Alias' | 'Class' | 'Function' | 'Method' | 'Module', number>
  >;
  /** `ts.TypeFlags`. */
  readonly TypeFlags: Readonly<
    Record<
      | 'Any'
      | 'Unknown'
      | 'Never'
      | 'Undefined'
      | 'Null'
      | 'Void'
      | 'Instantiable'
      | 'Intersection'
      | 'Object'
      | 'BooleanLike'
      | 'StringLike',
      number
    >
  >;
  /** `ts.ObjectFlags`. */
  readonly ObjectFlags: Readonly<Record<'Anonymous' | 'Reference' | 'Tuple', number>>;
  /** @internal */
  readonly sys?: { readFile(path: string): string | undefined };
  /** @internal */
  createSourceFile?(path: string, text: string, target: number, parents: boolean): TsNode;
}

export interface ClassicNode extends TsNode {
  getSourceFile(): ClassicFile;
}

export interface ClassicFile extends TsNode {
  readonly fileName: string;
  readonly text: string;
}

export interface ClassicSymbol {
  readonly name: string;
  readonly escapedName?: unknown;
  readonly flags: number;
  readonly declarations?: readonly ClassicNode[];
  readonly parent?: ClassicSymbol;
  readonly exports?: { values(): Iterable<ClassicSymbol> };
}

export interface ClassicType {
  readonly flags: number;
  readonly symbol?: ClassicSymbol;
  readonly aliasSymbol?: ClassicSymbol;
  readonly objectFlags?: number;
  readonly target?: ClassicType;
  readonly value?: unknown;
  readonly intrinsicName?: string;
  readonly types?: readonly ClassicType[];
  isUnion(): boolean;
}

export interface ClassicChecker {
  getSymbolAtLocation(node: ClassicNode): ClassicSymbol | undefined;
  getAliasedSymbol(symbol: ClassicSymbol): ClassicSymbol;
  getTypeAtLocation(node: ClassicNode): ClassicType;
  getTypeArguments(type: ClassicType): readonly ClassicType[];
  getPropertyOfType(type: ClassicType, name: string): ClassicSymbol | undefined;
  getTypeOfSymbol(symbol: ClassicSymbol): ClassicType;
  getDeclaredTypeOfSymbol(symbol: ClassicSymbol): ClassicType;
  isTypeAssignableTo(source: ClassicType, target: ClassicType): boolean;
  getPropertiesOfType(type: ClassicType): readonly ClassicSymbol[];
  getBaseConstraintOfType(type: ClassicType): ClassicType | undefined;
  getSignaturesOfType(type: ClassicType, kind: number): readonly unknown[];
}

/** The parts of `ts.Program` that `lint` uses. */
export interface ClassicProgram {
  /** As in `ts.Program`. */
  getTypeChecker(): ClassicChecker;
  /** As in `ts.Program`. */
  getSourceFiles(): readonly ClassicFile[];
  /** As in `ts.Program`. */
  getSourceFile(path: string): ClassicFile | undefined;
  /** As in `ts.Program`. */
  getCompilerOptions(): Readonly<Record<string, unknown>>;
}

/** `ts.ScriptTarget.Latest`. */
const LATEST = 99;

/** Internal names of anonymous types. */
const ANONYMOUS = /^(__type|__object|__function|__class)$/;

class ClassicOracle implements TypeOracle {
  readonly #ts: ClassicTypeScript;
  readonly #checker: ClassicChecker;
  readonly #dialect: Dialect;
  readonly #shapes: TypeShapes<ClassicType>;

  constructor(ts: ClassicTypeScript, checker: ClassicChecker, dialect: Dialect) {
    this.#ts = ts;
    this.#checker = checker;
    this.#dialect = dialect;
    this.#shapes = new TypeShapes(new SixTypes(ts, checker, (symbol) => this.#symbol(symbol)));
  }

  shapes(nodes: readonly unknown[]): (TypeShape | undefined)[] {
    return nodes.map((node) =>
      this.#shapes.of(this.#checker.getTypeAtLocation(node as ClassicNode)),
    );
  }

  symbols(nodes: readonly unknown[]): (SymbolInfo | undefined)[] {
    return nodes.map((node) => {
      const symbol = this.#checker.getSymbolAtLocation(node as ClassicNode);
      return symbol && this.#symbol(symbol);
    });
  }

  types(nodes: readonly unknown[]): (TypeInfo | undefined)[] {
    return nodes.map((node) => this.#type(this.#checker.getTypeAtLocation(node as ClassicNode)));
  }

  hasMember({ node, path, members }: MemberQuery): boolean | undefined {
    const checker = this.#checker;
    const { TypeFlags: flags } = this.#ts;
    let type: ClassicType | undefined = checker.getTypeAtLocation(node as ClassicNode);
    if (type.symbol?.name === 'Promise') type = checker.getTypeArguments(type)[0];
    for (const step of path) {
      const property: ClassicSymbol | undefined = type && checker.getPropertyOfType(type, step);
      type = property && checker.getTypeOfSymbol(property);
    }
    const parts = type === undefined ? [] : type.isUnion() ? (type.types ?? []) : [type];
    const nullable = flags.Undefined | flags.Null | flags.Void;
    const unspecific = flags.Any | flags.Unknown | flags.Never | flags.Instantiable;
    const present = parts.filter((part) => (part.flags & nullable) === 0);
    if (present.length === 0 || present.some((part) => (part.flags & unspecific) !== 0)) {
      return undefined;
    }
    return present.some((part) =>
      members.some((name) => checker.getPropertyOfType(part, name) !== undefined),
    );
  }

  #symbol(named: ClassicSymbol): SymbolInfo {
    const isAlias = (named.flags & this.#ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? this.#checker.getAliasedSymbol(named) : named;
    const { name, declarations = [], parent } = symbol;
    const path = declarations[0]?.getSourceFile().fileName;
    return {
      name,
      owner: parent?.name,
      module:
        path === undefined
          ? undefined
          : (moduleOf(path) ?? ambientName([parent?.name, parent?.parent?.name])),
      declarations: declarations.map((node) => this.#dialect.keyOf(node)),
    };
  }

  #type(type: ClassicType): TypeInfo {
    const { TypeFlags: flags } = this.#ts;
    const isOf = (mask: number): boolean => (type.flags & mask) !== 0;
    if (type.isUnion()) {
      const members = (type.types ?? []).map((part) => this.#type(part));
      const real = members.find((part) => !part.isNullable && !part.isPrimitive) ?? members[0]!;
      return { ...real, isNullable: members.some((part) => part.isNullable) };
    }
    const facts = {
      isPromise: false,
      isNullable: isOf(flags.Undefined | flags.Null),
      isAny: isOf(flags.Any | flags.Unknown),
      isNever: isOf(flags.Never),
      isPrimitive: type.symbol === undefined && !isOf(flags.Any | flags.Unknown | flags.Never),
    };
    const nothing = { name: undefined, module: undefined, declarations: [], ...facts };
    if (type.symbol === undefined) return nothing;
    if (type.symbol.name === 'Promise') {
      const [inner] = this.#checker.getTypeArguments(type);
      if (inner !== undefined) return { ...this.#type(inner), isPromise: true };
    }
    if (ANONYMOUS.test(type.symbol.name)) return nothing;
    const { name, module, declarations } = this.#symbol(type.symbol);
    return { name, module, declarations, ...facts };
  }
}

/**
 * A program of TypeScript up to version 6, as typescript-eslint and other tools have one, to be
 * linted. `requested` are the files to lint.
 *
 * @example
 * import ts from 'typescript';
 * import { classicProgram } from 'poundlock/lint';
 *
 * const file = '/src/main.ts';
 * const program = ts.createProgram([file], {});
 * console.log(classicProgram(ts, program, [file]).requested); // ["/src/main.ts"]
 */
export function classicProgram(
  ts: ClassicTypeScript,
  program: ClassicProgram,
  requested: readonly string[],
): SourceProgram {
  const dialect: Dialect = {
    allowsUsing: usingSyntax(program.getCompilerOptions()),
    nameOf: kindNames(ts.SyntaxKind),
    keyOf: (node) => {
      const { fileName } = (node as ClassicNode).getSourceFile();
      return `${fileName}#${node.pos}-${node.kind}`;
    },
  };
  const { configFilePath } = program.getCompilerOptions() as { configFilePath?: unknown };
  return {
    requested,
    configFile: typeof configFilePath === 'string' ? configFilePath : '',
    oracle: new ClassicOracle(ts, program.getTypeChecker(), dialect),
    fileNames: () => program.getSourceFiles().map(({ fileName }) => fileName),
    text: (path) => program.getSourceFile(path)?.text ?? '',
    read: (path) => {
      const file = program.getSourceFile(path);
      return file && lowerFile(path, file.text, file, dialect);
    },
    parse: (paths) =>
      paths.flatMap((path) => {
        const text = ts.sys?.readFile(path);
        const file = ts.createSourceFile?.(path, text ?? '', LATEST, true);
        return text === undefined || file === undefined ? [] : lowerFile(path, text, file, dialect);
      }),
  };
}
