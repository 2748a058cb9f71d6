// Runs typescript-eslint with its rules about promises and `using`, the most similar ones.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const plugin = new URL('../../packages/eslint-plugin/package.json', import.meta.url);
const fromPlugin = createRequire(plugin);
const load = (name) => import(pathToFileURL(fromPlugin.resolve(name)).href);

export const { version: VERSION } = fromPlugin('typescript-eslint/package.json');
export const RULES = [
  'no-floating-promises',
  'no-misused-promises',
  'await-thenable',
  'return-await',
];

export async function typescriptEslint(root) {
  const { ESLint } = await load('eslint');
  const { default: tseslint } = await load('typescript-eslint');
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      tseslint.configs.base,
      {
        files: ['**/*.ts'],
        languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
        rules: Object.fromEntries(RULES.map((rule) => [`@typescript-eslint/${rule}`, 'error'])),
      },
    ],
  });
  const results = await eslint.lintFiles(['*.ts']);
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line }) => ({ file: filePath, line })),
  );
}
