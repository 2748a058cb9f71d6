// One instruction of a correct kernel is changed: which of the mutants does `check` find?
//
//   node --conditions=poundlock-source bench/ptx-mutants.mjs [KERNEL …]
//
// It writes bench/results/ptx-mutants.md. The kernels are those with a launch in examples/ptx.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import { findEntry } from '@poundlock/ptx/internal/kernel/entry';
import { referenceRun } from '@poundlock/ptx/internal/exec/machine/reference-run';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';
import { mutantsOf } from './ptx/mutations.mjs';
import { reasonFor } from './ptx/survivors.mjs';

const FOLDER = join(import.meta.dirname, '..', 'examples', 'ptx');
const PAGE = join(import.meta.dirname, 'results', 'ptx-mutants.md');
const BOUNDS = { timeoutMs: 20_000, now: () => performance.now(), sizes: 'requested' };
const only = process.argv.slice(2);

const HEAD = `# Mutants of kernels as built

One synchronizing instruction of a correct kernel is deleted, repeated or changed, and \`poundlock check\` is asked again.
*Found*: it is an error. *Undecided*: inconclusive, and so not certified. *Survives*: certified; each survivor has its
reason below. Only instructions that the launch reaches are changed.

Produced by \`node --conditions=poundlock-source bench/ptx-mutants.mjs\`.
`;

const table = ['| kernel | mutants | found | undecided | survive |', '|---|---:|---:|---:|---:|'];
const sections = [];
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('launch.json'))) {
  const launch = { file, text: readFileSync(join(FOLDER, file), 'utf8') };
  const { kernel, ptx } = JSON.parse(launch.text);
  if (only.length > 0 && !only.includes(kernel)) continue;
  const { row, section } = await studied(kernel, ptx.file, launch);
  table.push(row);
  sections.push(section);
}
const page = [HEAD, ...table, '', ...sections].join('\n');
if (only.length === 0) writeFileSync(PAGE, page);
else console.log(page);

async function studied(kernel, ptxFile, launch) {
  const text = readFileSync(join(FOLDER, ptxFile), 'utf8');
  const own = await verdictOf(ptxFile, text, launch, kernel);
  if (own.verdict !== 'survives') {
    const section = `## ${kernel}\n\n* Not changed: it is ${own.verdict} as it is.\n`;
    return { row: `| ${kernel} | 0 | | | |`, section };
  }
  const counted = { found: 0, undecided: 0, survives: 0 };
  const survivors = new Map();
  const undecided = new Map();
  const all = mutantsOf(text, reachedOf(ptxFile, text, kernel, launch));
  for (const { name, instruction, text: mutant } of all) {
    const { verdict, reason } = await verdictOf(ptxFile, mutant, launch, kernel);
    counted[verdict]++;
    const what = `\`${instruction.opcode}\` ${name}, line ${instruction.line}`;
    if (verdict === 'survives') push(survivors, reasonFor(kernel, name, instruction), what);
    if (verdict === 'undecided') push(undecided, reason, what);
  }
  const { found, undecided: open, survives } = counted;
  const section = [
    `## ${kernel}`,
    '',
    ...[...survivors].map(([why, which]) => `* Survive, ${why}: ${which.join('; ')}.`),
    ...[...undecided].map(([why, which]) => `* Undecided, ${why}: ${which.join('; ')}.`),
    '',
  ].join('\n');
  return { row: `| ${kernel} | ${all.length} | ${found} | ${open} | ${survives} |`, section };
}

function push(map, key, value) {
  map.set(key, [...(map.get(key) ?? []), value]);
}

/** The synchronizing instructions of the kernel that its run reaches. */
function reachedOf(file, text, kernel, launch) {
  const module = parsePtx(text, file);
  const entry = findEntry(module, kernel);
  const read = readLaunchFile(launch.text, launch.file);
  const run = referenceRun(module, entry, read.launch(0, entry, {}), {
    maxInstructions: 10_000_000,
    isOver: () => false,
  });
  const reached = new Set(run.warps.flatMap(({ steps }) => steps.map(({ at }) => at)));
  return entry.instructions.filter(({ index }) => reached.has(index));
}

async function verdictOf(file, text, launch, kernel) {
  try {
    const target = ptxKernel({ ptx: { file, text }, launch, entry: kernel });
    const { verdict, reason } = await check(target, BOUNDS);
    if (verdict === 'counterexample') return { verdict: 'found' };
    if (verdict === 'certified') return { verdict: 'survives' };
    return { verdict: 'undecided', reason: plain(reason) };
  } catch (error) {
    return { verdict: 'undecided', reason: plain(error.message) };
  }
}

/** A reason without places and numbers. */
function plain(reason) {
  return reason.replaceAll(/ \([^()]*:\d+:\d+\)/g, '').replaceAll(/ at PTX line \d+/g, '');
}
