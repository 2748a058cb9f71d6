// Time from a change of a file to the new answer of `--watch`, beside that of a new process.
// nice -n -15 node bench/watch.mjs: each row runs the built command line on a copy of its folder. A
// file is written CHANGES times; the time is the wall time from the write to the line that it waits again,
// with the 25 ms in which an editor may write more. Writes bench/results/watch.md.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'packages', 'poundlock', 'bin', 'poundlock.js');
const PAGE = new URL('results/watch.md', import.meta.url);
const CHANGES = 20;
const COLD = 5;
const READY = 'Ctrl-C ends\n';
/** What each row asks for, and of which folder: the first word after the verb is what changes. */
const ROWS = [
  ['check', 'gemm.ts', 'examples/gemm.ts'],
  ['check', 'bug.ptx', 'examples/ptx/bugs/016-phase-from-zero'],
  ['check', 'fix.ptx', 'examples/ptx/bugs/016-phase-from-zero'],
  ['check', 'fix.ptx', 'examples/ptx/bugs/019-mailbox-without-free'],
  ['simulate', 'gemm.ts', 'examples/gemm.ts'],
  ['lint', 'verify.ts', null],
];
const LINTED = `import { open } from 'node:fs/promises';

export async function first(path: string): Promise<number> {
  const file = await open(path);
  const { bytesRead } = await file.read(Buffer.alloc(16));
  await file.close();
  return bytesRead;
}
`;
/** A change that compilers and assemblers read over. */
const change = (text, count) => `${text}\n// ${count}\n`;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const most = (values) => Math.max(...values);

/** Milliseconds of a processor that a process has used; without its children. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function folderOf(file, source) {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-watch-'));
  if (source === null) writeFileSync(join(folder, file), LINTED);
  else if (source.endsWith(file)) cpSync(join(ROOT, source), join(folder, file));
  else cpSync(join(ROOT, source), folder, { recursive: true });
  return folder;
}

/** Times of new processes. */
function coldTimes(verb, file, cwd) {
  return Array.from({ length: COLD }, () => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, [BIN, verb, file], { cwd });
    if (status !== 0 && status !== 1) throw new Error(`${verb} ${file}: exit code ${status}`);
    return performance.now() - start;
  });
}

/** Times of changes, each after the command waits for one. */
async function warmTimes(verb, file, cwd) {
  const path = join(cwd, file);
  const text = readFileSync(path, 'utf8');
  const child = spawn(process.execPath, [BIN, verb, file, '--watch'], { cwd });
  let printed = '';
  let isReady = Promise.withResolvers();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
      if (!printed.includes(READY)) return;
      printed = '';
      isReady.resolve();
    });
  await isReady.promise;
  const times = [];
  const before = cpuOf(child.pid);
  for (let count = 0; count < CHANGES; count++) {
    await sleep(100);
    isReady = Promise.withResolvers();
    const start = performance.now();
    writeFileSync(path, change(text, count));
    await isReady.promise;
    times.push(performance.now() - start);
  }
  const cpu = (cpuOf(child.pid) - before) / CHANGES;
  child.kill('SIGINT');
  await once(child, 'exit');
  return { times, cpu };
}

const rows = [];
for (const [verb, file, source] of ROWS) {
  const cwd = folderOf(file, source);
  try {
    const cold = median(coldTimes(verb, file, cwd));
    const { times, cpu } = await warmTimes(verb, file, cwd);
    const cells = [cold, median(times), most(times), cpu].map((ms) => ms.toFixed(0));
    const name =
      source === null || source.endsWith(file) ? file : `${source.split('/').at(-1)}/${file}`;
    rows.push(
      `| \`${verb} ${name}\` | ${cells.join(' | ')} | ${(cold / median(times)).toFixed(1)} |`,
    );
    process.stdout.write(`${rows.at(-1)}\n`);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
writeFileSync(
  PAGE,
  `# \`--watch\`

\`nice -n -15 node bench/watch.mjs\`, on ${new Date().toISOString().slice(0, 10)}, on a virtual machine with two cores that other work used
at the same time: milliseconds from the write of a file to the new answer, over ${CHANGES} changes, and of a new process that
answers the same (median of ${COLD}). Of each change 25 ms are the time in which an editor may write more. *Processor* is the
time that a change takes of one, without the compiler that lint asks: with the 25 ms, what it takes on a quiet machine.

| command | new process | change, median | change, most | processor | ratio |
|---|---:|---:|---:|---:|---:|
${rows.join('\n')}
`,
);
