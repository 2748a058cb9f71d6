// Checks the memory of random programs against all their executions, in several processes, and
// writes the table.
//
//   node bench/memory-fuzz.mjs [--jobs 2] [--seconds 600] [--programs 150000] [--seed 1]
//     [--record-folder bench/memory-fuzz] [--page bench/results/memory-fuzz.md]
//
// Each program is checked in both profiles. As with bench/fuzz.mjs, each process has a record of its
// own and continues it as long as the engines are unchanged; the page is the sum of all records. A
// disagreement is recorded with the smallest program that shows it, and the exit code is 1.
// --programs is for each process. A process that does not end is ended, and named.
import process from 'node:process';
import { engineHash, recordsOf, sumOf } from './fuzz/record.mjs';
import { runWorkers } from './fuzz/workers.mjs';
import { writePage } from './memory-fuzz/page.mjs';

const { options, isEnded } = await runWorkers('memory-fuzz');
const sum = sumOf(recordsOf(options['record-folder']), engineHash());
writePage(options.page, sum);
const { programs, cpuSeconds, disagreements } = sum;
for (const complaint of disagreements) console.log(complaint);
console.log(JSON.stringify(sum.answers));
console.log(
  `${programs} programs, ${disagreements.length} disagreements, ` +
    `${(programs / Math.max(1, cpuSeconds)).toFixed(1)} programs per second of CPU time`,
);
process.exitCode = disagreements.length > 0 || !isEnded ? 1 : 0;
