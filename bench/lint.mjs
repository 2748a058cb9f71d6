// How long `lint` takes beside opening and checking the same project with the same TypeScript.
// node bench/lint.mjs [DIRECTORY]: without one, a project of 120,000 lines is generated, of which one
// module in ten handles resources. Interleaved, medians; memory is that of this process, after all.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { lintProgram, TypeScriptSeven } from '../packages/poundlock/dist/lint/index.js';

const MODULES = 1200;
const ROUNDS = 3;

function plainModule(index) {
  const lines = [`import { shape${(index + 1) % MODULES} } from './m${(index + 1) % MODULES}.js';`];
  lines.push(`export interface Shape${index} { id: number; name: string; tags: string[] }`);
  lines.push(`export function shape${index}(id: number): Shape${index} {`);
  lines.push('  return { id, name: String(id), tags: [] };', '}');
  for (let each = 0; each < 10; each++) {
    lines.push(`export function step${each}(items: readonly Shape${index}[]): number {`);
    lines.push('  let sum = 0;', '  for (const { id, tags } of items) {');
    lines.push('    if (id % 2 === 0) sum += tags.length;', '    else sum -= id;', '  }');
    lines.push(`  return sum + shape${(index + 1) % MODULES}(sum).tags.length;`, '}', '');
  }
  return lines.join('\n');
}

function handlingModule(index) {
  const functions = Array.from(
    { length: 6 },
    (_, each) => `
export async function read${each}(path: string): Promise<number> {
  const file = await open(path);
  try {
    let sum = 0;
    for (let at = 0; at < ${each + 2}; at++) {
      const part = await file.read(at);
      if (part < 0) break;
      sum += part;
    }
    return sum;
  } finally {
    await file.close();
  }
}
`,
  );
  return `import { open } from './files.js';\n${functions.join('')}\n${plainModule(index)}`;
}

const FILES = `/** @mustRelease close */
export declare class File { read(at: number): Promise<number>; close(): Promise<void> }
export declare function open(path: string): Promise<File>;
`;

function generated() {
  const root = mkdtempSync(join(tmpdir(), 'poundlock-bench-lint-'));
  const compilerOptions = { strict: true, target: 'esnext', module: 'nodenext' };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'files.d.ts'), FILES);
  for (let index = 0; index < MODULES; index++) {
    const text = index % 10 === 0 ? handlingModule(index) : plainModule(index);
    writeFileSync(join(root, 'src', `m${index}.ts`), text);
  }
  return root;
}

function sourcesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .filter(({ parentPath }) => !parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const given = process.argv[2];
const root = given === undefined ? generated() : resolve(given);
const files = sourcesBelow(root);
const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0);
let findings = 0;

function check() {
  const api = new API({ cwd: root });
  const snapshot = api.updateSnapshot({ openFiles: files });
  const projects = new Set(files.map((file) => snapshot.getDefaultProjectForFile(file)));
  for (const project of projects) project?.program.getSemanticDiagnostics();
  api.close();
}

function lint() {
  const compiler = new TypeScriptSeven(root);
  findings = compiler
    .open(files)
    .reduce((sum, program) => sum + lintProgram(program).findings.length, 0);
  compiler.close();
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const times = { check: [], lint: [] };
for (let round = 0; round < ROUNDS; round++) {
  times.check.push(timed(check));
  times.lint.push(timed(lint));
}
if (given === undefined) rmSync(root, { recursive: true });
const [checked, linted] = [median(times.check), median(times.lint)];
const megabytes = Math.round(process.memoryUsage().rss / 1e6);
console.log(`${files.length} files, ${lines} lines, ${findings} findings`);
console.log(
  `open and check ${(checked / 1000).toFixed(2)} s, lint ${(linted / 1000).toFixed(2)} s`,
);
console.log(`ratio ${(linted / checked).toFixed(2)}, ${megabytes} MB`);
