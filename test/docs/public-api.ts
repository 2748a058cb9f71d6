// The public API as TypeScript 6 sees it: the exports of every subpath with their comments.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ts, type TypeScript } from '../tidy/syntax.ts';

export { ts, type TypeScript };

export const ROOT = join(import.meta.dirname, '..', '..');

/** A subpath that users import, and the file that it leads to. */
export interface Face {
  readonly name: string;
  readonly file: string;
}

// The dialects come before `poundlock`, which re-exports them: their own comments have declarations.
const PACKAGES = [
  'packages/dialects',
  'packages/poundlock',
  'packages/core',
  'packages/ring',
  'packages/linear',
  'packages/lint',
  'tools/farm',
  'tools/fuzz',
  'packages/eslint-plugin',
];

/** Every subpath of every published package, except those that say they are internal. */
export const FACES: readonly Face[] = PACKAGES.flatMap((folder) => {
  const at = join(ROOT, folder);
  const { name, exports } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | Record<string, string>>;
  };
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string' || /^\.\/internal\b/.test(subpath)) return [];
    return [{ name: name + subpath.slice(1), file: join(at, target['poundlock-source']!) }];
  });
});

/** One example of a doc comment. */
export interface ExampleSchedule {
  /** `file:line` of the comment's symbol. */
  readonly at: string;
  /** The exported name, or `Class.member`. */
  readonly name: string;
  /** The subpath that exports it. */
  readonly face: string;
  readonly text: string;
}

/** An export of a subpath, or a public member of an exported class or interface. */
export interface Documented {
  readonly name: string;
  readonly face: string;
  readonly at: string;
  readonly kind: 'function' | 'class' | 'type' | 'value' | 'member';
  readonly text: string;
  readonly examples: readonly string[];
}

const OPTIONS: TypeScript.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  customConditions: ['poundlock-source'],
};

/** A program of every subpath, with `files` beside them. */
export function programOf(files: readonly string[] = []): TypeScript.Program {
  return ts.createProgram([...FACES.map(({ file }) => file), ...files], OPTIONS);
}

/** The exports of a subpath, and the members of its classes and interfaces. */
export function documentedOf(program: TypeScript.Program, face: Face): Documented[] {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(face.file)!)!;
  return exportsOf(checker, module, '', face.name);
}

/** The exports of a module or of a namespace, whose name is the `prefix`. */
function exportsOf(
  checker: TypeScript.TypeChecker,
  module: TypeScript.Symbol,
  prefix: string,
  face: string,
): Documented[] {
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = unaliased(checker, exported);
    const name = prefix + exported.name;
    if (symbol.flags & ts.SymbolFlags.Module) return exportsOf(checker, symbol, `${name}.`, face);
    const kind = isTypeOnly(exported) ? 'type' : kindOf(symbol);
    const entry = describe(checker, symbol, name, face, kind);
    return [entry, ...membersOf(checker, symbol, name, face)];
  });
}

/** `export type { C }` of a class: users cannot construct it. */
function isTypeOnly({ declarations = [] }: TypeScript.Symbol): boolean {
  return declarations.some((each) => ts.isTypeOnlyExportDeclaration(each));
}

function unaliased(checker: TypeScript.TypeChecker, symbol: TypeScript.Symbol): TypeScript.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function kindOf({ flags }: TypeScript.Symbol): Documented['kind'] {
  if (flags & ts.SymbolFlags.Function) return 'function';
  if (flags & ts.SymbolFlags.Class) return 'class';
  return flags & ts.SymbolFlags.Value ? 'value' : 'type';
}

function describe(
  checker: TypeScript.TypeChecker,
  symbol: TypeScript.Symbol,
  name: string,
  face: string,
  kind: Documented['kind'],
): Documented {
  const [declaration] = symbol.declarations!;
  const file = declaration!.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(declaration!.getStart()).line + 1;
  const at = `${relative(ROOT, file.fileName)}:${line}`;
  const tags = symbol.getJsDocTags(checker).filter((tag) => tag.name === 'example');
  const examples = tags.map(({ text }) => ts.displayPartsToString(text));
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  return { name, face, at, kind, text, examples };
}

/** What users can call or read on it; members that say `@internal` are not theirs. */
function membersOf(
  checker: TypeScript.TypeChecker,
  symbol: TypeScript.Symbol,
  name: string,
  face: string,
): Documented[] {
  const members = [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])];
  return members
    .filter((member) => isPublic(checker, member))
    .map((member) => {
      const label = `${name}.${member.name.replace(/^__@(\w+)@.*/, '[$1]')}`;
      return describe(checker, member, label, face, 'member');
    });
}

const MEMBER_KINDS = ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor;

function isPublic(checker: TypeScript.TypeChecker, member: TypeScript.Symbol): boolean {
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined || !(member.flags & MEMBER_KINDS)) return false;
  const name = ts.getNameOfDeclaration(declaration);
  if (member.name === 'prototype' || (name && ts.isPrivateIdentifier(name))) return false;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Override;
  if (ts.getCombinedModifierFlags(declaration) & hidden) return false;
  return !member.getJsDocTags(checker).some((tag) => tag.name === 'internal');
}
