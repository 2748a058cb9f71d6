// The services of typescript-eslint's parser: the program, and the current file in it.
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

/** @throws Error if types are not configured, because a silent rule would look like a pass. */
export function typedFile({ sourceCode }: Rule.RuleContext): TypedFile {
  const services = sourceCode.parserServices as ParserServices;
  const { program, esTreeNodeToTSNodeMap } = services;
  if (!program || !esTreeNodeToTSNodeMap) {
    // ESLint adds the rule and the file.
    throw new Error(
      'types are required, but the parser provides none. In eslint.config.js, use the parser ' +
        'of typescript-eslint (tseslint.configs.base) and set ' +
        'languageOptions.parserOptions.projectService to true; or turn off the poundlock rules ' +
        'for files like this one.',
    );
  }
  const file = esTreeNodeToTSNodeMap.get(sourceCode.ast) as ClassicFile | undefined;
  return { program, file };
}
