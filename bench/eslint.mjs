// The cost of the rules: ESLint with typescript-eslint's recommended-type-checked over a project of
// 120,000 lines, with and without them. Writes bench/results/eslint-performance.md; about ten
// minutes.
//
//   node bench/eslint.mjs [ROUNDS]      default 3; runs alternate, each in a process of its own
//
// Processor time, user and system, of the whole process; medians.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { generated, sourcesBelow } from './lint-project.mjs';

const ROUNDS = Number(process.argv[2] ?? 3);
const PROJECTS = [
  { title: 'one module in ten handles resources', every: 10, preset: 'recommended' },
  { title: 'the same', every: 10, preset: 'strict' },
  { title: 'every module handles resources', every: 1, preset: 'recommended' },
  { title: 'no module handles resources', every: 0, preset: 'recommended' },
];

const RUN = fileURLToPath(new URL('eslint-run.mjs', import.meta.url));
const PAGE = fileURLToPath(new URL('results/eslint-performance.md', import.meta.url));
const plugin = new URL('../packages/eslint-plugin/package.json', import.meta.url);
const { devDependencies } = JSON.parse(readFileSync(plugin, 'utf8'));

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function measured({ every, preset }) {
  const root = generated(every);
  const files = sourcesBelow(root);
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0);
  const one = (kind) => JSON.parse(execFileSync(process.execPath, [RUN, root, kind]));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ without: one('base'), with: one(preset) });
    process.stderr.write('.');
  }
  rmSync(root, { recursive: true });
  return { files: files.length, lines, rounds };
}

function rowOf(project) {
  const { files, lines, rounds } = measured(project);
  const of = (what) => median(rounds.map(what));
  // Runs are compared within a round: other load on the machine changes between rounds.
  const ratio = of((round) => round.with.cpuSeconds / round.without.cpuSeconds);
  const memory = of((round) => round.with.megabytes - round.without.megabytes);
  const cells = [
    `${files} files, ${lines.toLocaleString('en')} lines: ${project.title}`,
    `\`${project.preset}\``,
    `${of((round) => round.without.cpuSeconds).toFixed(1)} s`,
    `${(100 * (ratio - 1)).toFixed(1)} %`,
    `${memory} MB of ${of((round) => round.without.megabytes)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const rows = PROJECTS.map(rowOf);
const text = `# Cost of the ESLint rules

Produced by \`node bench/eslint.mjs\`, which generates projects and runs ESLint ${devDependencies.eslint} over them with
typescript-eslint ${devDependencies['typescript-eslint']} (\`recommendedTypeChecked\`, project service, TypeScript
${devDependencies.typescript}), with and without all rules of the plugin. Each run is a process of its own, runs alternate, and
the figures are medians of ${ROUNDS} rounds: processor time of the whole process, and the additional time of a run with
the rules over the previous run without them. The target is at most 15 % more.

| project | preset | without it | more time | more memory |
|---|---|---:|---:|---:|
${rows.join('\n')}

One analysis serves all rules. Files without handles are recognized by their text and never lowered, and summaries of functions
are shared by all files. With \`--fix\`, a changed file is analyzed within the existing analysis.

Measured on ${cpus().length} processors (${cpus()[0].model}), Node ${process.versions.node}.
`;
writeFileSync(PAGE, text);
process.stdout.write(`\n${text}`);
