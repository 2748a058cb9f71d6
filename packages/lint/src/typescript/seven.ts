// Programs of TypeScript 7: opens projects in its server process and sends batched queries.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MemberQuery, SymbolInfo, TypeInfo, TypeOracle, TypeShape } from '../oracle.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { SourceProgram } from './program.ts';
import { lowerFile } from './lower-statement.ts';
import { ambientName, moduleOf } from '../syntax/declaring-module.ts';
import { usingSyntax, type EmitOptions } from './using-syntax.ts';
import { workspaceFiles, type WorkspaceFiles } from './workspace-files.ts';
import {
  answersOf,
  API,
  endProcess,
  ObjectFlags,
  SymbolFlags,
  SyntaxKind,
  TypeFlags,
  type Checker,
  type Node,
  type NodeHandle,
  type Project,
  type Snapshot,
  type Symbol,
  type Type,
} from './seven-api.ts';
import { kindNames, type Dialect, type TsNode } from './tree.ts';
import { SevenTypes } from './seven-types.ts';
import { TypeShapes } from './type-shape.ts';

const KIND_NAMES = kindNames(SyntaxKind as unknown as Record<string, string | number>);

/** Returns the current version of a file. */
export type VersionOf = (path: string) => number;

const ONLY_VERSION: VersionOf = () => 0;

/** The path of the file of a queried node. */
export function sourcePath(node: unknown): string {
  return (node as Node).getSourceFile().path;
}

function keyOf(versionOf: VersionOf, path: string, index: number): string {
  return `${path}#${versionOf(path)}.${index}`;
}

function dialectOf(versionOf: VersionOf, options: EmitOptions): Dialect {
  return {
    nameOf: KIND_NAMES,
    allowsUsing: usingSyntax(options),
    keyOf: (node) => {
      const { index, path } = node as unknown as { index: number; path?: string };
      return keyOf(versionOf, path ?? sourcePath(node), index);
    },
  };
}

/** Types that may stand for any other. */
const OPEN_TYPES = TypeFlags.AnyOrUnknown | TypeFlags.Never | TypeFlags.Instantiable;

class Oracle implements TypeOracle {
  readonly #checker: Checker;
  readonly #symbols = new Map<number, SymbolInfo>();
  readonly #types = new Map<number, TypeInfo>();
  readonly #typeOf = new Map<Node, Type | undefined>();
  readonly #keyOf: (handle: NodeHandle) => string;
  readonly #shapes: TypeShapes<Type>;

  constructor(checker: Checker, versionOf: VersionOf) {
    this.#checker = checker;
    this.#keyOf = ({ path, index }) => keyOf(versionOf, path, index);
    const types = new SevenTypes(checker, (symbol) => this.#symbol(symbol), textOf);
    this.#shapes = new TypeShapes(types);
  }

  shapes(nodes: readonly unknown[]): (TypeShape | undefined)[] {
    return this.#typesAt(nodes).map((type) => type && this.#shapes.of(type));
  }

  /** The types of nodes: those that were asked for before are not asked for again. */
  #typesAt(nodes: readonly unknown[]): (Type | undefined)[] {
    const open = [...new Set(nodes as readonly Node[])].filter((node) => !this.#typeOf.has(node));
    const types =
      open.length === 0 ? [] : answersOf(open, (some) => this.#checker.getTypeAtLocation(some));
    for (const [index, node] of open.entries()) this.#typeOf.set(node, types[index]);
    return nodes.map((node) => this.#typeOf.get(node as Node));
  }

  symbols(nodes: readonly unknown[]): (SymbolInfo | undefined)[] {
    if (nodes.length === 0) return [];
    const symbols = answersOf(nodes as readonly Node[], (some) =>
      this.#checker.getSymbolAtLocation(some),
    );
    return symbols.map((symbol) => symbol && this.#symbol(symbol));
  }

  types(nodes: readonly unknown[]): (TypeInfo | undefined)[] {
    return this.#typesAt(nodes).map((type) => type && this.#type(type));
  }

  hasMember({ node, path, members }: MemberQuery): boolean | undefined {
    let type = this.#awaited(this.#checker.getTypeAtLocation(node as Node));
    for (const step of path) {
      const property = type && this.#checker.getPropertyOfType(type, step);
      type = property && this.#checker.getTypeOfSymbol(property);
    }
    const parts = type === undefined ? [] : type.isUnionType() ? type.getTypes() : [type];
    const present = parts.filter(({ flags }) => (flags & TypeFlags.Nullable) === 0);
    if (present.length === 0 || present.some(({ flags }) => (flags & OPEN_TYPES) !== 0)) {
      return undefined;
    }
    return present.some((part) =>
      members.some((name) => this.#checker.getPropertyOfType(part, name) !== undefined),
    );
  }

  #awaited(type: Type | undefined): Type | undefined {
    const isPromise = type?.getSymbol()?.name === 'Promise' && type.isTypeReference();
    return isPromise ? this.#checker.getTypeArguments(type)[0] : type;
  }

  #symbol(named: Symbol): SymbolInfo {
    const cached = this.#symbols.get(named.id);
    if (cached !== undefined) return cached;
    const isAlias = (named.flags & SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? this.#checker.getAliasedSymbol(named) : named;
    const owner = symbol.getParent();
    const path = symbol.declarations[0]?.path;
    const info: SymbolInfo = {
      name: symbol.name,
      owner: owner?.name,
      module: path === undefined ? undefined : (moduleOf(path) ?? ambientModule(owner)),
      declarations: symbol.declarations.map(this.#keyOf),
    };
    this.#symbols.set(named.id, info);
    return info;
  }

  #type(type: Type): TypeInfo {
    const cached = this.#types.get(type.id);
    if (cached !== undefined) return cached;
    const info = this.#describe(type);
    this.#types.set(type.id, info);
    return info;
  }

  #describe(type: Type): TypeInfo {
    const { flags } = type;
    const nothing = { name: undefined, module: undefined, declarations: [] };
    const facts = {
      isPromise: false,
      isNullable: (flags & TypeFlags.Nullable) !== 0,
      isAny: (flags & TypeFlags.AnyOrUnknown) !== 0,
      isNever: (flags & TypeFlags.Never) !== 0,
      isPrimitive: (flags & (TypeFlags.Primitive | TypeFlags.Void)) !== 0,
    };
    if (type.isUnionType()) {
      const members = type.getTypes().map((part) => this.#type(part));
      const real = members.find((part) => !part.isNullable && !part.isPrimitive) ?? members[0]!;
      return { ...real, isNullable: members.some((part) => part.isNullable) };
    }
    if ((flags & TypeFlags.Object) === 0) return { ...nothing, ...facts };
    const symbol = type.getSymbol();
    if (symbol === undefined) return { ...nothing, ...facts };
    if (symbol.name === 'Promise' && type.isTypeReference()) {
      const [inner] = this.#checker.getTypeArguments(type);
      if (inner !== undefined) return { ...this.#type(inner), isPromise: true };
    }
    if ((type as { objectFlags?: number }).objectFlags! & ObjectFlags.Anonymous) {
      return { ...nothing, ...facts };
    }
    const { name, module, declarations } = this.#symbol(symbol);
    return { name, module, declarations, ...facts };
  }
}

/** The module of `declare module 'pg' { … }` in a file of the project. */
function ambientModule(owner: Symbol | undefined): string | undefined {
  return ambientName([owner?.name, owner?.getParent()?.name]);
}

/** A syntax error of a file, with TypeScript's message. */
export interface ParseError {
  /** The file. */
  readonly file: string;
  /** The offset in it. */
  readonly start: number;
  /** The message of the compiler. */
  readonly message: string;
}

/** Whether an error is about type syntax in JavaScript, which does not prevent parsing. */
function isOfTypeScript(code: number): boolean {
  return code >= 8000 && code < 9000;
}

/**
 * Whether a position is in a JSDoc comment of JavaScript: TypeScript reports errors there, too, but
 * they do not affect the program. A glob in a string does not start a comment.
 */
function isInJsDoc(file: string, text: string, offset: number): boolean {
  if (!/\.[cm]?jsx?$/.test(file)) return false;
  const begin = [...text.slice(0, offset).matchAll(/\/\*\*\s/g)].at(-1)?.index;
  return begin !== undefined && text.indexOf('*/', begin) >= offset;
}

/**
 * Programs of TypeScript 7. An instance starts a child process, which {@link close} ends.
 *
 * @example
 * import { mkdtempSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { lintProgram } from 'poundlock/lint';
 * import { TypeScriptSeven } from '@poundlock/lint/typescript7';
 *
 * const folder = mkdtempSync(join(tmpdir(), 'lint-'));
 * const file = join(folder, 'empty.ts');
 * writeFileSync(file, 'export {};');
 * const compiler = new TypeScriptSeven(folder);
 * const results = compiler.open([file]).map((program) => lintProgram(program));
 * console.log(results[0]?.findings.length); // 0
 * compiler.close();
 */
export class TypeScriptSeven {
  readonly #cwd: string;
  #api: API | undefined;
  #snapshot: Snapshot | undefined;
  #workspace: WorkspaceFiles | undefined;
  #opened: readonly string[] = [];

  /** Starts a compiler for a working directory on the first call of {@link open}. */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /**
   * Opens the projects of these files. TypeScript itself finds their tsconfig.json; packages of
   * their workspace are found by name, installed or not. A later call sees what has changed since.
   */
  open(files: readonly string[]): SourceProgram[] {
    this.#snapshot = this.#updated(files);
    const byProject = new Map<Project, string[]>();
    const projectOf = defaultProjects(this.#snapshot);
    for (const file of files) {
      const project = projectOf(file);
      if (project === undefined) continue;
      const ofProject = byProject.get(project);
      if (ofProject === undefined) byProject.set(project, [file]);
      else ofProject.push(file);
    }
    return [...byProject].map(([project, requested]) => programOf(project, requested));
  }

  #updated(files: readonly string[]): Snapshot {
    const workspace = workspaceFiles(files);
    if (this.#api !== undefined && (workspace === undefined) !== (this.#workspace === undefined))
      this.close();
    this.#workspace = workspace;
    const api = (this.#api ??= this.#started());
    if (this.#snapshot !== undefined) {
      // The text of a file that stays open is never read again.
      api.updateSnapshot({ closeFiles: [...this.#opened] }).dispose();
      api.updateSnapshot({ fileChanges: { invalidateAll: true } }).dispose();
    }
    const opened = api.updateSnapshot({ openFiles: [...files] });
    this.#opened = files;
    this.#snapshot?.dispose();
    return opened;
  }

  /** The compiler, with the files of the workspace as they are at the time of each question. */
  #started(): API {
    if (this.#workspace === undefined) return new API({ cwd: this.#cwd });
    const fs: WorkspaceFiles = {
      readFile: (path) => this.#workspace?.readFile(path),
      fileExists: (path) => this.#workspace?.fileExists(path),
      directoryExists: (path) => this.#workspace?.directoryExists(path),
      realpath: (path) => this.#workspace?.realpath(path),
    };
    return new API({ cwd: this.#cwd, fs });
  }

  /** The first syntax error of each file of the opened projects. */
  syntaxErrors(): ParseError[] {
    const byFile = new Map<string, ParseError>();
    for (const { program } of this.#snapshot?.getProjects() ?? []) {
      for (const { fileName, pos, code, text } of program.getSyntacticDiagnostics()) {
        if (fileName === undefined || isOfTypeScript(code) || byFile.has(fileName)) continue;
        const source = program.getSourceFile(fileName)?.text ?? '';
        if (isInJsDoc(fileName, source, pos)) continue;
        byFile.set(fileName, { file: fileName, start: pos, message: text });
      }
    }
    return [...byFile.values()];
  }

  /** Ends the child process. */
  close(): void {
    this.#snapshot?.dispose();
    this.#snapshot = undefined;
    if (this.#api !== undefined) endProcess(this.#api);
    this.#api = undefined;
  }
}

/** The projects of files: that of its files is the only one, if there is one. */
function defaultProjects(snapshot: Snapshot): (file: string) => Project | undefined {
  const [first, second] = snapshot.getProjects();
  const isOnly = first !== undefined && second === undefined;
  const itsFiles = new Set(isOnly ? first.program.getSourceFileNames() : []);
  return (file) => (itsFiles.has(file) ? first : snapshot.getDefaultProjectForFile(file));
}

/** A project of a snapshot, for the analysis. Versions tell declarations of a file apart. */
export function programOf(
  project: Project,
  requested: readonly string[],
  versionOf = ONLY_VERSION,
): SourceProgram {
  const { program, checker } = project;
  const dialect = dialectOf(versionOf, program.getCompilerOptions());
  return {
    requested,
    configFile: project.configFileName,
    oracle: new Oracle(checker, versionOf),
    fileNames: () => program.getSourceFileNames(),
    text: textOf,
    read: (path) => {
      const file = program.getSourceFile(path);
      return file && lowerFile(path, file.text, file as unknown as TsNode, dialect);
    },
    parse: parseAlone,
  };
}

/** Parses files by a compiler of their own: in the project's, they would be compiled with it. */
function parseAlone(paths: readonly string[]): SourceFile[] {
  const api = new API({ cwd: dirname(paths[0] ?? '.') });
  try {
    const snapshot = api.updateSnapshot({ openFiles: [...paths] });
    const files = paths.flatMap((path) => {
      const project = snapshot.getDefaultProjectForFile(path);
      const file = project?.program.getSourceFile(path);
      if (project === undefined || file === undefined) return [];
      const dialect = dialectOf(ONLY_VERSION, project.program.getCompilerOptions());
      return lowerFile(path, file.text, file as unknown as TsNode, dialect);
    });
    snapshot.dispose();
    return files;
  } finally {
    endProcess(api);
  }
}

/** Reads a file from disk, because the compiler would send its whole tree. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
