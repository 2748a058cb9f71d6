// The record of one process: which engines, how many programs of each kind, and what was wrong.
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The source files of the engines. */
const ENGINES = ['core/src/{base,op,machine,program,system}', 'poundlock/src/check'];
const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

export function engineHash() {
  const hash = createHash('sha256');
  const files = ENGINES.flatMap((rooms) => globSync(`${rooms}/**/*.ts`, { cwd: PACKAGES }));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(PACKAGES + file));
  return hash.digest('hex').slice(0, 16);
}

/** The record of a file if it is of these engines; otherwise a fresh one, which keeps a line of it. */
export function readRecord(file, engines) {
  const fresh = {
    engines,
    programs: 0,
    seconds: 0,
    cpuSeconds: 0,
    runs: [],
    answers: {},
    disagreements: [],
  };
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'));
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
export function writeRecord(file, record) {
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 1)}\n`);
  renameSync(`${file}.new`, file);
}

export function recordsOf(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Adds numbers of equal names, in nested tables. */
function add(into, from) {
  for (const [name, value] of Object.entries(from)) {
    if (typeof value === 'number') into[name] = (into[name] ?? 0) + value;
    else add((into[name] ??= {}), value);
  }
}

/** The sum of the records of one version of the engines. */
export function sumOf(records, engines) {
  const same = records.filter((record) => record.engines === engines);
  const sum = { engines, programs: 0, seconds: 0, cpuSeconds: 0, answers: {} };
  for (const { programs, seconds, cpuSeconds, answers } of same) {
    add(sum, { programs, seconds, cpuSeconds, answers });
  }
  return { ...sum, disagreements: same.flatMap((record) => record.disagreements) };
}
