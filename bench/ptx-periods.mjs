// For how many numbers of launches is it proved that what the warps do repeats itself?
//
//   node --conditions=poundlock-source bench/ptx-periods.mjs [FOLDER]
//
// FOLDER has launches/NAME.json and ptx/NAME.ptx.gz; without it, the kernels of examples/ptx are looked at.
// It prints a table in Markdown, and the cases below it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { ptxKernel } from 'poundlock/ptx';

/** Seconds for one number of a launch. */
const MOST_SECONDS = 20;
/** Names of numbers that a loop may be counted by: no sizes of tensors. */
const isCount = (name) => !name.endsWith('.shape');

const [folder] = process.argv.slice(2);
const texts = new Map();

function* launches() {
  if (folder === undefined) {
    const own = join(import.meta.dirname, '..', 'examples', 'ptx');
    for (const file of readdirSync(own).filter((name) => name.endsWith('launch.json'))) {
      const launch = readFileSync(join(own, file), 'utf8');
      const { ptx, kernel } = JSON.parse(launch);
      const name = ptx?.file ?? 'tile-sum.sm90a.ptx';
      const text = readFileSync(join(own, name), 'utf8');
      yield { id: file, text, launch, ...(kernel === undefined ? {} : { entry: kernel }) };
    }
    return;
  }
  const right = new Set(
    readFileSync(join(folder, 'labels.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ verdict }) => verdict === 'ok')
      .map(({ id }) => id),
  );
  for (const id of right) {
    const ptx = join(folder, 'ptx', `${id}.ptx.gz`);
    if (!existsSync(ptx)) continue;
    const text = gunzipSync(readFileSync(ptx)).toString();
    yield { id, text, launch: readFileSync(join(folder, 'launches', `${id}.json`), 'utf8') };
  }
}

/** Whether the operations of a kernel depend on a number at all. */
function grows(kernel, name) {
  try {
    const [one, other] = [4, 5].map((value) => kernel.runText({ [name]: value }));
    return one.replaceAll(/"phase":\d+/g, '') !== other.replaceAll(/"phase":\d+/g, '');
  } catch {
    return null;
  }
}

function ofBlocks({ step, most }) {
  return { period: step, most };
}

function outcome(kernel, name) {
  const isGrowing = grows(kernel, name);
  if (isGrowing === null) return { kind: 'the run stands for no other number' };
  if (!isGrowing) return null;
  const end = performance.now() + MOST_SECONDS * 1000;
  const periods = kernel.periods(name, {}, () => performance.now() > end);
  if (periods === null) return { kind: 'no period is seen' };
  if (periods.isOneRest) return { kind: 'proved for each block', ...ofBlocks(periods) };
  if (periods.unproved === null)
    return { kind: 'proved', period: periods.step, most: periods.most };
  return { kind: `seen, not proved: ${periods.unproved.text}`, period: periods.step };
}

const rows = [];
for (const { id, text, launch, entry } of launches()) {
  let kernel;
  try {
    const options = entry === undefined ? {} : { entry };
    kernel = ptxKernel({
      ptx: { file: `${id}.ptx`, text },
      launch: { file: `${id}.json`, text: launch },
      launchIndex: 0,
      maxInstructions: 5_000_000,
      ...options,
    });
  } catch (error) {
    process.stderr.write(`${id}: ${error.message}\n`);
    continue;
  }
  for (const name of Object.keys(kernel.defaults).filter(isCount)) {
    const found = outcome(kernel, name);
    if (found === null) continue;
    rows.push({ id, name, ...found });
    process.stderr.write(
      `${id} ${name}: ${found.kind} ${found.period ?? ''} ${found.most ?? ''}\n`,
    );
  }
}
for (const { kind } of rows) texts.set(kind, (texts.get(kind) ?? 0) + 1);
const table = [...texts].toSorted(([, one], [, other]) => other - one);
process.stdout.write(
  `| what comes of a number that loops are counted by | launches |\n|---|---:|\n${table
    .map(([kind, count]) => `| ${kind} | ${count} |\n`)
    .join('')}`,
);
