// Compares linters on the labeled cases: node scripts/lint-comparison.mjs
// Writes the table into docs/reference/lint.md, between its marks; installs Biome in a temporary
// directory.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintProgram } from '../packages/lint/dist/public.js';
import { TypeScriptSeven } from '../packages/lint/dist/typescript/public.js';
import config from '../packages/lint/test/cases/poundlock.config.ts';
import { caseFiles, labelsOf } from '../packages/lint/test/score.ts';
import * as biome from './lint-comparison/biome.mjs';
import { casesAsModules } from './lint-comparison/cases.mjs';
import * as typescriptEslint from './lint-comparison/typescript-eslint.mjs';

const CASES = join(import.meta.dirname, '..', 'packages', 'lint', 'test', 'cases');
const PAGE = fileURLToPath(new URL('../docs/reference/lint.md', import.meta.url));
const KINDS = ['leak', 'double-release', 'use-after-release', 'escape', 'order'];

function poundlock(root) {
  const compiler = new TypeScriptSeven(root);
  const findings = compiler
    .open(caseFiles(root))
    .flatMap((program) => lintProgram(program, { ...config.lint, strict: true }).findings);
  compiler.close();
  return findings.map(({ primary }) => primary);
}

/** A finding of any kind at a line with a defect counts as a hit. */
function counted(reported) {
  const found = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  const all = { ...found };
  let wrong = 0;
  for (const path of caseFiles(CASES)) {
    const { expected, alternatives } = labelsOf(path);
    const open = new Set(
      reported.filter(({ file }) => basename(file) === basename(path)).map(({ line }) => line),
    );
    const others = new Set(alternatives.map(({ line }) => line));
    for (const { kind, line } of expected) {
      all[kind]++;
      const other = alternatives.find((each) => each.kind === kind && open.has(each.line));
      if (!open.delete(line) && (other === undefined || !open.delete(other.line))) continue;
      found[kind]++;
    }
    wrong += [...open].filter((line) => !others.has(line)).length;
  }
  return { found, all, wrong };
}

function row(name, { found, all, wrong }) {
  const sum = (counts) => Object.values(counts).reduce((one, other) => one + other, 0);
  const cells = KINDS.map((kind) => `${found[kind]} of ${all[kind]}`);
  return `| ${[name, ...cells, `${sum(found)} of ${sum(all)}`, wrong].join(' | ')} |`;
}

const NOT_RUN = [
  [
    'IDisposableAnalyzers (C#)',
    'not run: it reads C#. Its rules IDISP001–026 require `using` or a field that is disposed, ' +
      'distinguish injected from created members by attributes and bodies, and ignore paths of ' +
      'exceptions.',
  ],
  [
    'Checker Framework, Resource Leak Checker (Java)',
    'not run: it reads Java. It proves that a required call happens on every path, with ' +
      'annotations; a second release, a use after release and an order are not its subject. ' +
      '[Its behaviors as test cases](../../bench/results/lint-checker-framework.md).',
  ],
];

const root = casesAsModules(CASES);
const code = (names) => names.map((name) => `\`${name}\``).join(', ');
const rows = [
  row('`poundlock lint --strict`, and the ESLint preset `strict`', counted(poundlock(root))),
  row(`Biome ${biome.VERSION}: ${code(biome.RULES)} (nursery)`, counted(biome.biome(root))),
  row(
    `typescript-eslint ${typescriptEslint.VERSION}: ${code(typescriptEslint.RULES)}`,
    counted(await typescriptEslint.typescriptEslint(root)),
  ),
];
rmSync(root, { recursive: true });

const heading = ['tool', ...KINDS, 'all', 'wrong'];
const table = [
  `| ${heading.join(' | ')} |`,
  `|---|${'---:|'.repeat(heading.length - 1)}`,
  ...rows,
  '',
  ...NOT_RUN.map(([name, text]) => `* **${name}**: ${text}`),
].join('\n');

const [BEGIN, END] = ['<!-- begin comparison -->', '<!-- end comparison -->'];
const page = readFileSync(PAGE, 'utf8');
const [before, rest] = page.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`${PAGE} has no marks for the table`);
writeFileSync(PAGE, `${before}${BEGIN}\n${table}\n${END}${after}`);
console.log(table);
