// Programs for tests: files of a directory, by TypeScript 7 or by classic TypeScript.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lintProgram } from '#src/index';
import { TypeScriptSeven } from '#src/typescript/public';
import type { LintFinding, LintOptions, SourceProgram } from '#src/index';
import { classicProgram, type ClassicProgram, type ClassicTypeScript } from '#src/index';

interface Classic extends ClassicTypeScript {
  createProgram(files: readonly string[], options: object): ClassicProgram;
  readonly ScriptTarget: { readonly ESNext: number };
  readonly ModuleKind: { readonly ESNext: number };
  readonly ModuleResolutionKind: { readonly Bundler: number };
}

// TypeScript 6 is in a separate package, so that `tsc` stays TypeScript 7.
const CLASSIC = join(import.meta.dirname, '..', '..', '..', 'tools', 'classic-typescript');
const fromClassic = createRequire(join(CLASSIC, 'package.json'));
const ts = fromClassic('typescript') as Classic;

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
  allowJs: true,
};

export type Backend = 'seven' | 'six';

/** Calls a function with the programs of some files. */
export function withPrograms<T>(
  backend: Backend,
  files: readonly string[],
  use: (programs: readonly SourceProgram[]) => T,
): T {
  if (backend === 'six') return use([classicProgram(ts, ts.createProgram(files, OPTIONS), files)]);
  const compiler = new TypeScriptSeven(import.meta.dirname);
  try {
    return use(compiler.open(files));
  } finally {
    compiler.close();
  }
}

/** The findings of `lint` in some files. */
export function lintFiles(
  files: readonly string[],
  options: LintOptions = {},
  backend: Backend = 'seven',
): LintFinding[] {
  return withPrograms(backend, files, (programs) =>
    programs.flatMap((program) => [...lintProgram(program, options).findings]),
  );
}
