// What one process of a fuzz bench counts, and how long it goes on: its record is saved as it goes.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { engineHash, readRecord, writeRecord } from './record.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    programs: { type: 'string' },
    record: { type: 'string' },
    seed: { type: 'string' },
  },
});
/** Milliseconds between two saves. */
const SAVE_MS = 5_000;

export const record = readRecord(options.record, engineHash());
const before = { wall: record.seconds, cpu: record.cpuSeconds };
const started = performance.now();
const most = record.programs + Number(options.programs);
const seconds = () => (performance.now() - started) / 1000;
/** Whether the time or the programs of this process are used up. */
export const isOver = () => seconds() >= Number(options.seconds) || record.programs >= most;
/** What this run is of: the seeds from this one on. */
export const run = { seed: Number(options.seed) };
record.runs.push(run);
let saved = -Infinity;

export function save() {
  const { user, system } = process.cpuUsage();
  record.seconds = Math.round(before.wall + seconds());
  record.cpuSeconds = Math.round(before.cpu + (user + system) / 1e6);
  writeRecord(options.record, record);
}

/** Saves the record if the last time was a while ago. */
export function saveSometimes() {
  if (performance.now() - saved < SAVE_MS) return;
  save();
  saved = performance.now();
}
