// The TypeScript that made a program. A project may hold several (7 for `tsc`, 6 for ESLint), and
// numbers of kinds differ between them; the one in question has been loaded by the parser.
import { createRequire } from 'node:module';
import type { ClassicProgram, ClassicTypeScript } from '@poundlock/lint';

const require = createRequire(import.meta.url);

/** @throws Error for a program that no classic TypeScript made. */
export function compilerOf(program: ClassicProgram): ClassicTypeScript {
  for (const loaded of loadedCompilers()) if (isMakerOf(loaded, program)) return loaded;
  // Test runners keep modules of their own.
  const installed = require('typescript') as ClassicTypeScript;
  if (isMakerOf(installed, program)) return installed;
  throw new Error(
    'poundlock needs types of TypeScript 5.2 to 6.0, and the program of typescript-eslint is of ' +
      'another: `npm ls typescript` shows which it takes',
  );
}

function loadedCompilers(): ClassicTypeScript[] {
  return Object.entries(require.cache)
    .filter(([path]) => /[\\/]typescript\.js$/.test(path))
    .map(([, module]) => module?.exports as ClassicTypeScript);
}

/** Kinds get new numbers in most versions, those of files and their ends among them. */
function isMakerOf(compiler: Partial<ClassicTypeScript>, program: ClassicProgram): boolean {
  const [file] = program.getSourceFiles();
  const { SyntaxKind } = compiler;
  return file !== undefined && SyntaxKind?.['SourceFile'] === file.kind;
}
