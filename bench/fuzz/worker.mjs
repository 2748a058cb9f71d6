// One process of bench/fuzz.mjs: draws programs of every kind, looks at each, and keeps a record.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { KINDS } from '../../packages/poundlock/test/fuzz/kinds.ts';
import { isDecided } from '../../packages/poundlock/test/fuzz/looked.ts';
import { engineHash, readRecord, writeRecord } from './record.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    programs: { type: 'string' },
    record: { type: 'string' },
    seed: { type: 'string' },
  },
});
const SAVE_MS = 5_000;

const record = readRecord(options.record, engineHash());
const before = { wall: record.seconds, cpu: record.cpuSeconds };
const started = performance.now();
const most = record.programs + Number(options.programs);
const seconds = () => (performance.now() - started) / 1000;
const isOver = () => seconds() >= Number(options.seconds) || record.programs >= most;
/** The chunks of a run have the seeds from this one on. */
const run = { seed: Number(options.seed), chunks: 0 };
record.runs.push(run);

function save() {
  const { user, system } = process.cpuUsage();
  record.seconds = Math.round(before.wall + seconds());
  record.cpuSeconds = Math.round(before.cpu + (user + system) / 1e6);
  writeRecord(options.record, record);
}

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

let saved = -Infinity;
while (!isOver()) {
  for (const { kind, look, program } of chunk(run.seed + run.chunks++)) {
    if (isOver()) break;
    if (performance.now() - saved > SAVE_MS) {
      save();
      saved = performance.now();
    }
    await lookAt(kind, look, program);
  }
}
save();
process.exitCode = record.disagreements.length > 0 ? 1 : 0;
