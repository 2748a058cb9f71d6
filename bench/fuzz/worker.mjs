// One process of bench/fuzz.mjs: draws programs of every kind, looks at each, and keeps a record.
import process from 'node:process';
import { KINDS } from '../../packages/poundlock/test/fuzz/kinds.ts';
import { isDecided } from '../../packages/poundlock/test/fuzz/looked.ts';
import { isOver, record, run, save, saveSometimes } from './recording.mjs';

/** Chunks of programs so far, each with its seed. */
run.chunks = 0;

async function lookAt(kind, look, program) {
  const answers = (record.answers[kind] ??= {});
  let looked;
  try {
    looked = await look(program);
  } catch (error) {
    looked = { verdict: 'thrown', fault: String(error.stack) };
  }
  const { verdict, fault } = looked;
  answers[verdict] = (answers[verdict] ?? 0) + 1;
  if (isDecided(looked)) record.programs++;
  if (fault === '') return;
  record.disagreements.push({ fault: `${kind}: ${fault}`, program });
  save();
}

/** The kinds take turns, so that a chunk that is cut short has some of each. */
function chunk(seed) {
  const drawn = Object.entries(KINDS).flatMap(([kind, { draw, look, share }]) =>
    draw(seed, share).map((program, at) => ({ kind, look, program, order: (at + 0.5) / share })),
  );
  return drawn.toSorted((a, b) => a.order - b.order);
}

while (!isOver()) {
  for (const { kind, look, program } of chunk(run.seed + run.chunks++)) {
    if (isOver()) break;
    saveSometimes();
    await lookAt(kind, look, program);
  }
}
save();
process.exitCode = record.disagreements.length > 0 ? 1 : 0;
