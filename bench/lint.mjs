// Time of `lint` compared with opening and checking the same project with the same TypeScript.
// node bench/lint.mjs [DIRECTORY]: without one, a project of 120,000 lines is generated, of which one
// module in ten handles resources. Interleaved runs, medians; memory is the peak of one run of the
// command line holds, in a process of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { lintProgram } from '../packages/lint/dist/public.js';
import { TypeScriptSeven } from '../packages/lint/dist/typescript/public.js';
import { generated, sourcesBelow } from './lint-project.mjs';

const ROUNDS = 3;

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const argument = process.argv[2];
const root = argument === undefined ? generated() : resolve(argument);
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
const memory = execFileSync(process.execPath, [join(import.meta.dirname, 'lint-memory.mjs'), root]);
const megabytes = String(memory).trim().split('\n').at(-1);
if (argument === undefined) rmSync(root, { recursive: true });
const [checked, linted] = [median(times.check), median(times.lint)];
console.log(`${files.length} files, ${lines} lines, ${findings} findings`);
console.log(
  `open and check ${(checked / 1000).toFixed(2)} s, lint ${(linted / 1000).toFixed(2)} s`,
);
console.log(`ratio ${(linted / checked).toFixed(2)}, ${megabytes} MB`);
