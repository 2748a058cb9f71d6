// One run of ESLint over a project, for bench/eslint.mjs: prints its cost as JSON.
// node bench/eslint-run.mjs DIRECTORY base|recommended|strict
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [root, wanted] = process.argv.slice(2);
const plugin = new URL('../packages/eslint-plugin/package.json', import.meta.url);
const resolve = (name) => pathToFileURL(createRequire(plugin).resolve(name)).href;
const { ESLint } = await import(resolve('eslint'));
const { default: tseslint } = await import(resolve('typescript-eslint'));
const ours = wanted === 'base' ? undefined : await import('eslint-plugin-poundlock');

const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: [
    ...tseslint.configs.recommendedTypeChecked,
    { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } } },
    ...(ours === undefined ? [] : [ours.default.configs[wanted]]),
  ],
});
const results = await eslint.lintFiles(['**/*.ts']);
const messages = results.flatMap((result) => result.messages);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    files: results.length,
    findings: messages.filter(({ ruleId }) => ruleId?.startsWith('poundlock/')).length,
    others: messages.filter(({ ruleId }) => !ruleId?.startsWith('poundlock/')).length,
    cpuSeconds: (user + system) / 1e6,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1e3),
  }),
);
