// Finds the TypeScript module that created a program. A project may have several (7 for `tsc`, 6
// for ESLint) with different `SyntaxKind` numbers; the parser has loaded the right one.
import { createRequire } from 'node:module';
import type { ClassicProgram, ClassicTypeScript } from '@poundlock/lint';

const require = createRequire(import.meta.url);

/** @throws Error for a program that no classic TypeScript created. */
export function compilerOf(program: ClassicProgram): ClassicTypeScript {
  for (const loaded of loadedCompilers()) if (isCompilerOf(loaded, program)) return loaded;
  // Test runners have their own module cache.
  const installed = require('typescript') as ClassicTypeScript;
  if (isCompilerOf(installed, program)) return installed;
  throw new Error(
    'poundlock needs TypeScript 5.2 to 6.0, and typescript-eslint created its program with ' +
      'another version: `npm ls typescript` shows which one',
  );
}

function loadedCompilers(): ClassicTypeScript[] {
  return Object.entries(require.cache)
    .filter(([path]) => /[\\/]typescript\.js$/.test(path))
    .map(([, module]) => module?.exports as ClassicTypeScript);
}

/** Most versions number the kinds differently, including that of source files. */
function isCompilerOf(compiler: Partial<ClassicTypeScript>, program: ClassicProgram): boolean {
  const [file] = program.getSourceFiles();
  const { SyntaxKind } = compiler;
  return file !== undefined && SyntaxKind?.['SourceFile'] === file.kind;
}
