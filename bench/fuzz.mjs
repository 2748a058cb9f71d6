// Checks random programs against independent searches, in several processes, and writes the table.
//
//   node bench/fuzz.mjs [--jobs 16] [--seconds 600] [--programs 1000000] [--seed 1]
//     [--record-folder bench/fuzz] [--page bench/results/fuzz.md]
//
// Each process has a record of its own, and continues it as long as the engines are unchanged: a
// change of the engines restarts the count, and the previous count stays as a line. The page is
// the sum of all records in the folder. A disagreement is recorded with its program, and the exit
// code is 1. A program counts if it was decided; what ran into a bound is listed by itself.
// --programs is for each process. A process that does not end is ended, and named.
import process from 'node:process';
import { writePage } from './fuzz/page.mjs';
import { engineHash, recordsOf, sumOf } from './fuzz/record.mjs';
import { runWorkers } from './fuzz/workers.mjs';

const { options, isEnded } = await runWorkers('fuzz');
const records = recordsOf(options['record-folder']);
const sum = sumOf(records, engineHash());
writePage(options.page, records, sum);
const { programs, seconds, cpuSeconds, disagreements } = sum;
for (const { fault, program } of disagreements) console.log(`${fault}\n${JSON.stringify(program)}`);
const per = (time) => (programs / Math.max(1, time)).toFixed(1);
console.log(JSON.stringify(sum.answers));
console.log(
  `${programs} programs, ${disagreements.length} disagreements, ${per(seconds)} programs per second and process, ` +
    `${per(cpuSeconds)} per second of CPU time`,
);
process.exitCode = disagreements.length > 0 || !isEnded ? 1 : 0;
