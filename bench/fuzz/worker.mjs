// One process of bench/fuzz.mjs: looks at chunks of programs about order, and keeps a record.
import process from 'node:process';
import { drawChunk, isDecided, lookAt } from '@poundlock/fuzz';
import { check } from 'poundlock/check';
import { isOver, record, run, save, saveSometimes } from './recording.mjs';
import { KIND_TITLES } from './titles.mjs';

/** Chunks of programs so far, each with its seed. */
run.chunks = 0;

/** With a clock: many programs are worth more than a few that take long. */
const checker = (kernel, options) => check(kernel, { now: () => performance.now(), ...options });

async function lookAtOne({ kind, program }) {
  const answers = (record.answers[kind] ??= {});
  const looked = await lookAt(checker, kind, program);
  const { verdict, fault } = looked;
  answers[verdict] = (answers[verdict] ?? 0) + 1;
  if (isDecided(looked)) record.programs++;
  if (fault === '') return;
  record.disagreements.push({ fault: `${kind}: ${fault}`, program });
  save();
}

const kinds = Object.keys(KIND_TITLES);
while (!isOver()) {
  for (const drawn of drawChunk({ kinds, seed: run.seed + run.chunks++ })) {
    if (isOver()) break;
    saveSometimes();
    await lookAtOne(drawn);
  }
}
save();
process.exitCode = record.disagreements.length > 0 ? 1 : 0;
