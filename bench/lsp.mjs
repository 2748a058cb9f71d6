// Time from a keystroke to its diagnostics, and the memory growth of 1,000 keystrokes.
// node bench/lsp.mjs [DIRECTORY FILE]: without one, a project of 120,000 lines is generated. A
// client types a statement into a function, letter by letter, and takes it back, over and over;
// after every 20th keystroke it pauses, so that the server looks at everything again. Times are
// those of the client, in wall time, with the server's own delay. Writes
// bench/results/editor-performance.md.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { childrenOf, Client } from '../packages/lint/test/lsp/client.ts';
import { DEBOUNCE_MS } from '../packages/lint/dist/lsp/server.js';
import { IDLE_MS } from '../packages/lint/dist/lsp/analysis-worker.js';
import { generated, sourcesBelow } from './lint-project.mjs';

const EDITS = 1_000;
const PAUSE_EVERY = 20;
const PAUSE_MS = IDLE_MS + 700;
const TYPED = 'file.close(); ';
const PAGE = new URL('results/editor-performance.md', import.meta.url);

const [directory, name] = process.argv.slice(2);
const root = directory === undefined ? generated() : resolve(directory);
const file = name === undefined ? join(root, 'src', 'm10.ts') : resolve(name);
const text = readFileSync(file, 'utf8');
// In a function of the generated module that holds a handle; else in the last block of the file.
const held = 'const part = await file.read(at);';
const at = text.includes(held) ? text.lastIndexOf(held) + held.length : text.lastIndexOf('{') + 1;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const percentile = (values, p) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * p)];

/** Resident megabytes of a process and of its children. */
function megabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1e3);
}

async function measure() {
  await using client = new Client(root);
  await client.initialize();
  const start = performance.now();
  await client.open(file, text);
  const before = (await client.diagnostics(file)).length;
  const opened = performance.now() - start;
  const { pid } = client.process;
  const times = [];
  const memory = [];
  const counts = new Set();
  const note = async () => {
    await setTimeout(2 * PAUSE_MS);
    memory.push([times.length, megabytes(pid), megabytes(childrenOf(pid)[0])]);
  };
  await note();
  while (times.length < EDITS) {
    const step = times.length % (2 * TYPED.length);
    const isForth = step < TYPED.length;
    const place = at + (isForth ? step : 2 * TYPED.length - step - 1);
    const began = performance.now();
    await client.edit(file, place, place + (isForth ? 0 : 1), isForth ? TYPED[step] : '');
    counts.add((await client.diagnostics(file)).length);
    times.push(performance.now() - began);
    if (times.length % PAUSE_EVERY === 0) await setTimeout(PAUSE_MS);
    if (times.length % (EDITS / 2) === 0) await note();
  }
  return { opened, times, memory, before, counts };
}

const files = sourcesBelow(root);
const lines = files.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length, 0);
const { opened, times, memory, before, counts } = await measure();
if (directory === undefined) rmSync(root, { recursive: true });

const ms = (value) => `${Math.round(value)} ms`;
const row = (cells) => `| ${cells.join(' | ')} |`;
const report = [
  row(['lines', 'first findings', 'keystrokes', 'median', '95 %', '99 %', 'slowest']),
  row(['---', '---', '---', '---', '---', '---', '---']),
  row([
    lines.toLocaleString('en'),
    ms(opened),
    times.length.toLocaleString('en'),
    ms(median(times)),
    ms(percentile(times, 0.95)),
    ms(percentile(times, 0.99)),
    ms(Math.max(...times)),
  ]),
  '',
  row(['after keystrokes', 'server MB', 'compiler MB']),
  row(['---', '---', '---']),
  ...memory.map(([edits, ...sizes]) => row([edits.toLocaleString('en'), ...sizes])),
];
console.log(report.join('\n'));
console.log(`findings: ${before} at first, ${[...counts].sort().join(' or ')} while typing`);
if (directory !== undefined) {
  console.log(`in ${relative(root, file)}, ${text.split('\n').length} lines`);
} else {
  const intro = `# Performance of the language server

Produced by \`node bench/lsp.mjs\` (about two minutes): a project of 1,200 generated modules in a ring of
imports, of which a tenth handle resources. A client types \`${TYPED.trim()}\` into a function that holds a
file, letter by letter, and takes it back. Each time is that of the client, from the change to the
diagnostics of its version, and includes the ${DEBOUNCE_MS} ms for which the server waits for more. After every
${PAUSE_EVERY}th keystroke comes a pause in which everything is analyzed again; sizes are resident, after such a
pause.

`;
  writeFileSync(PAGE, `${intro}${report.join('\n')}\n`);
}
