// What the rules cost: ESLint with typescript-eslint's recommended-type-checked over a project of
// 120,000 lines, with and without them. Writes docs/eslint-performance.md; about ten minutes.
//
//   node bench/eslint.mjs [ROUNDS]      default 5; runs alternate, each in a process of its own
//
// Processor time, user and system, of the whole process; medians.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { generated, sourcesBelow } from './lint-project.mjs';

const ROUNDS = Number(process.argv[2] ?? 5);
const KINDS = ['base', 'recommended', 'strict'];
const PROJECTS = [
  { title: 'one module in ten handles resources', every: 10 },
  { title: 'every module handles resources', every: 1 },
  { title: 'no module handles resources', every: 0 },
];

const RUN = fileURLToPath(new URL('eslint-run.mjs', import.meta.url));
const PAGE = fileURLToPath(new URL('../docs/eslint-performance.md', import.meta.url));
const plugin = new URL('../packages/eslint-plugin-poundlock/package.json', import.meta.url);
const { devDependencies } = JSON.parse(readFileSync(plugin, 'utf8'));

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function measured({ every }) {
  const root = generated(every);
  const files = sourcesBelow(root);
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0);
  const runs = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS) {
      runs[kind].push(JSON.parse(execFileSync(process.execPath, [RUN, root, kind])));
      process.stderr.write('.');
    }
  }
  rmSync(root, { recursive: true });
  return { files: files.length, lines, runs };
}

function rowOf(project) {
  const { files, lines, runs } = measured(project);
  const of = (kind, what) => median(runs[kind].map((run) => run[what]));
  // Rounds are compared in themselves: what else the machine does changes from one to the next.
  const more = (kind) => {
    const ratios = runs[kind].map((run, round) => run.cpuSeconds / runs.base[round].cpuSeconds);
    return `${(100 * (median(ratios) - 1)).toFixed(1)} %`;
  };
  const memory = of('recommended', 'megabytes') - of('base', 'megabytes');
  const cells = [
    `${files} files, ${lines.toLocaleString('en')} lines: ${project.title}`,
    of('recommended', 'findings'),
    `${of('base', 'cpuSeconds').toFixed(1)} s`,
    more('recommended'),
    more('strict'),
    `${memory} MB of ${of('base', 'megabytes')}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const rows = PROJECTS.map(rowOf);
const text = `# What the ESLint rules cost

\`node bench/eslint.mjs\` generates projects and runs ESLint ${devDependencies.eslint} over them with
typescript-eslint ${devDependencies['typescript-eslint']} (\`recommendedTypeChecked\`, project service, TypeScript
${devDependencies.typescript}), with and without all rules of the plugin. Each run is a process of its own, runs alternate, and
the figures are medians of ${ROUNDS} rounds: processor time of the whole process, and how much more a run with our
rules takes than the run before it without them. The target is at most 15 % more.

| project | findings | without | recommended | strict | memory |
|---|---:|---:|---:|---:|---:|
${rows.join('\n')}

One analysis serves all rules. Files in which nothing can be a handle are told by their text and never
lowered, and what is known of a function is known for every file. With \`--fix\`, a changed file is followed
in the analysis that there is.

Measured on ${cpus().length} processors (${cpus()[0].model}), Node ${process.versions.node}.
`;
writeFileSync(PAGE, text);
process.stdout.write(`\n${text}`);
