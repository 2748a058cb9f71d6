// Checks random programs: compares every engine with the reference search, and writes the table.
//
//   node bench/fuzz.mjs [--seconds 600] [--programs 100000] [--record bench/fuzz/record.json]
//
// Continues where the record ends, as long as the engines are unchanged:
// a change of the engines restarts the count, and the previous count stays as a line. Several
// processes can run side by side, each with its own record in bench/fuzz;
// bench/results/fuzz.md is the sum of all. A disagreement is recorded with its program,
// and the exit code is 1.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { checkAsUsersDo } from '../packages/poundlock/test/fuzz/as-users-do.ts';
import { capturedProgram } from '../packages/poundlock/test/fuzz/captured-program.ts';
import { lookAtCaptured } from '../packages/poundlock/test/fuzz/captured-truth.ts';
import { compare } from '../packages/poundlock/test/fuzz/compare.ts';
import { counting, lookAtEvery } from '../packages/poundlock/test/fuzz/every-number.ts';
import { kindsOf, randomProgram } from '../packages/poundlock/test/fuzz/random-program.ts';
import { writePage } from './fuzz/page.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    programs: { type: 'string', default: '100000' },
    record: { type: 'string', default: here('fuzz/record.json') },
  },
});

/**
 * Programs of one seed; how many are checked as users do, how many more for every number, and how
 * many more with captured variables.
 */
const CHUNK = 100;
const AUTO = 50;
const EVERY = 10;
const CAPTURED = 20;
/** The source files of the engines. */
const ENGINES = ['core/src/{base,op,machine,program,system}', 'poundlock/src/check'];
const CHOICES = [
  'choose',
  'tryWait',
  'tryStage',
  'claim',
  'fetchAdd',
  'alloc',
  'until',
  'spin',
  'poll',
];

function engineHash() {
  const root = here('../packages/');
  const hash = createHash('sha256');
  const files = ENGINES.flatMap((rooms) => globSync(`${rooms}/**/*.ts`, { cwd: root }));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(root + file));
  return hash.digest('hex').slice(0, 16);
}

function readRecord(engines) {
  const fresh = { engines, programs: 0, seeds: [], kinds: {}, answers: {}, disagreements: [] };
  try {
    const record = JSON.parse(readFileSync(options.record, 'utf8'));
    if (record.engines === engines) return record;
    const { engines: before, programs, disagreements, earlier = [] } = record;
    const until = new Date().toISOString().slice(0, 10);
    const line = { engines: before, until, programs, disagreements: disagreements.length };
    return { ...fresh, earlier: programs > 0 ? [...earlier, line] : earlier };
  } catch (error) {
    if (error.code === 'ENOENT') return fresh;
    throw error;
  }
}

/** A record is always complete: it is replaced, never overwritten. */
function writeRecord(record) {
  writeFileSync(`${options.record}.new`, `${JSON.stringify(record, null, 1)}\n`);
  renameSync(`${options.record}.new`, options.record);
}

function count(table, name, by = 1) {
  table[name] = (table[name] ?? 0) + by;
}

/** Compares one program with the reference search, engine by engine. */
async function hold(program, isUsers, record) {
  const { dull, faults, verdicts } = await compare(program);
  count((record.answers.dull ??= {}), dull.verdict);
  if (dull.verdict === 'skipped') return;
  const kinds = kindsOf(program);
  if (kinds.has('loop')) count(record.kinds, 'loop');
  if (CHOICES.some((kind) => kinds.has(kind))) count(record.kinds, 'choices');
  for (const [engine, verdict] of Object.entries(verdicts)) {
    count((record.answers[engine] ??= {}), verdict);
  }
  for (const fault of faults) record.disagreements.push({ fault, program });
  if (!isUsers) return;
  const { verdict, fault } = await checkAsUsersDo(program, dull);
  count((record.answers.auto ??= {}), verdict);
  if (fault !== '') record.disagreements.push({ fault: `auto: ${fault}`, program });
}

async function holdEvery(program, record) {
  const { verdict, fault } = await lookAtEvery(program);
  count((record.answers.every ??= {}), verdict);
  if (fault !== null) record.disagreements.push({ fault: `every: ${fault}`, program });
}

async function holdCaptured(program, record) {
  const { verdict, fault } = await lookAtCaptured(program);
  count((record.answers.captured ??= {}), verdict);
  if (fault !== '') record.disagreements.push({ fault: `captured: ${fault}`, program });
}

const record = readRecord(engineHash());
const until = performance.now() + Number(options.seconds) * 1000;
while (performance.now() < until && record.programs < Number(options.programs)) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  // A chunk is counted when it is complete: an interruption loses only the current chunk.
  const next = structuredClone(record);
  for (const [index, program] of fc.sample(randomProgram, { seed, numRuns: CHUNK }).entries()) {
    await hold(program, index < AUTO, next);
  }
  for (const program of fc.sample(counting, { seed, numRuns: EVERY })) {
    await holdEvery(program, next);
  }
  for (const program of fc.sample(capturedProgram, { seed, numRuns: CAPTURED })) {
    await holdCaptured(program, next);
  }
  next.seeds.push(seed);
  next.programs += CHUNK;
  Object.assign(record, next);
  writeRecord(record);
}
writePage(here('results/fuzz.md'), here('fuzz/'));
console.log(`${record.programs} programs, ${record.disagreements.length} disagreements`);
process.exitCode = record.disagreements.length > 0 ? 1 : 0;
