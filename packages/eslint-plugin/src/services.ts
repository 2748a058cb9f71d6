// What typescript-eslint's parser hands on: the program, and the file at hand in it.
import type { Rule } from 'eslint';
import type { ClassicProgram } from '@poundlock/lint';
import type { ClassicFile } from '@poundlock/lint/internal';

interface ParserServices {
  readonly program?: ClassicProgram | null;
  readonly esTreeNodeToTSNodeMap?: { get(node: unknown): unknown };
}

interface TypedFile {
  readonly program: ClassicProgram;
  readonly file: ClassicFile | undefined;
}

/** @throws Error where types are not configured: a rule that saw nothing would look like a pass. */
export function typedFile({ sourceCode }: Rule.RuleContext): TypedFile {
  const services = sourceCode.parserServices as ParserServices;
  const { program, esTreeNodeToTSNodeMap } = services;
  if (!program || !esTreeNodeToTSNodeMap) {
    // ESLint adds the rule and the file.
    throw new Error(
      "it needs types, and the parser gave none. In eslint.config.js, take typescript-eslint's " +
        'parser (tseslint.configs.base) and set languageOptions.parserOptions.projectService to ' +
        'true; or turn the poundlock rules off for files like this one.',
    );
  }
  const file = esTreeNodeToTSNodeMap.get(sourceCode.ast) as ClassicFile | undefined;
  return { program, file };
}
