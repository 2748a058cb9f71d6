// One process of bench/memory-fuzz.mjs: draws programs, compares each in both profiles, and keeps a
// record.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compare } from '../../packages/poundlock/test/memory/random/compare.ts';
import { complaintOf, isAgreed } from '../../packages/poundlock/test/memory/random/disagreement.ts';
import { randomProgram } from '../../packages/poundlock/test/memory/random/random-program.ts';
import { engineHash, readRecord, writeRecord } from '../fuzz/record.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    programs: { type: 'string' },
    record: { type: 'string' },
    seed: { type: 'string' },
  },
});
const PROFILES = ['practice', 'isa'];
const SAVE_MS = 5_000;

const record = readRecord(options.record, engineHash());
const before = { wall: record.seconds, cpu: record.cpuSeconds };
const started = performance.now();
const most = record.programs + Number(options.programs);
const seconds = () => (performance.now() - started) / 1000;
const isOver = () => seconds() >= Number(options.seconds) || record.programs >= most;
const run = { seed: Number(options.seed), programs: 0 };
record.runs.push(run);

function save() {
  const { user, system } = process.cpuUsage();
  record.seconds = Math.round(before.wall + seconds());
  record.cpuSeconds = Math.round(before.cpu + (user + system) / 1e6);
  writeRecord(options.record, record);
}

function count(table, name) {
  table[name] = (table[name] ?? 0) + 1;
}

async function lookAt(program, profile) {
  const answers = (record.answers[profile] ??= { agreements: {}, rules: {} });
  try {
    const compared = await compare(program, profile);
    count(answers.agreements, compared.agreement);
    for (const rule of new Set(compared.rules)) count(answers.rules, rule);
    if (!isAgreed(compared)) record.disagreements.push(await complaintOf(program, profile));
  } catch (error) {
    count(answers.agreements, 'thrown');
    record.disagreements.push(`${program.id}, ${profile}: ${error.stack}`);
  }
}

for (let saved = started; !isOver();) {
  const program = randomProgram(run.seed + run.programs++);
  for (const profile of PROFILES) await lookAt(program, profile);
  record.programs++;
  if (performance.now() - saved < SAVE_MS) continue;
  save();
  saved = performance.now();
}
save();
process.exitCode = record.disagreements.length > 0 ? 1 : 0;
