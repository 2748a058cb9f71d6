// One process of bench/memory-fuzz.mjs: draws programs, compares each in both profiles, and keeps a
// record.
import process from 'node:process';
import { compare, complaintOf, isAgreed, randomProgram } from '@poundlock/fuzz/internal/memory';
import { check } from 'poundlock/check';
import { isOver, record, run, save, saveSometimes } from '../fuzz/recording.mjs';

const PROFILES = ['practice', 'isa'];
run.programs = 0;

function count(table, name) {
  table[name] = (table[name] ?? 0) + 1;
}

async function lookAt(program, profile) {
  const answers = (record.answers[profile] ??= { agreements: {}, rules: {} });
  try {
    const compared = await compare(check, program, profile);
    count(answers.agreements, compared.agreement);
    for (const rule of new Set(compared.rules)) count(answers.rules, rule);
    if (!isAgreed(compared)) record.disagreements.push(await complaintOf(check, program, profile));
  } catch (error) {
    count(answers.agreements, 'thrown');
    record.disagreements.push(`${program.id}, ${profile}: ${error.stack}`);
  }
}

while (!isOver()) {
  const program = randomProgram(run.seed + run.programs++);
  for (const profile of PROFILES) await lookAt(program, profile);
  record.programs++;
  saveSometimes();
}
save();
process.exitCode = record.disagreements.length > 0 ? 1 : 0;
