// The table of bench/real.mjs: predictions beside times, and the errors that `simulate` prints.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quantile } from '../measured-errors.mjs';
import { putIntoPage } from '../page.mjs';
import { rankLines } from './rank.mjs';

const room = import.meta.resolve('poundlock/simulate').replace('public.', 'index.');
const { MODELS, simulate } = await import(room);
const { ptxKernel } = await import('poundlock/ptx');

/** Seconds after which the run of a launch ends. */
const MOST_SECONDS = '20';
const simulated = (file) =>
  new URL(`../../packages/poundlock/src/simulate/${file}`, import.meta.url);
/** By part of the page: where the errors are that `simulate` prints. */
const ERRORS = {
  unseen: simulated('issue/issued-errors.ts'),
  pipelines: simulated('pipeline-errors.ts'),
  'one-role': simulated('one-role-errors.ts'),
  attention: simulated('attention-errors.ts'),
};

/** From the end of a launch to the next one: the time of roles begins with their first instruction. */
function launchMicroseconds({ parameters }) {
  return parameters.nextLaunchNanoseconds.value / 1000;
}

/** What a launch is predicted to take, in microseconds; a text where it has no time. */
function predicted({ file, launch }, model, seconds) {
  const end = performance.now() + Number(seconds) * 1000;
  try {
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text: readFileSync(join(dirname(file), launch.ptx.file), 'utf8') },
      launch: { file, text: readFileSync(file, 'utf8') },
      shouldStop: () => performance.now() > end,
    });
    const { device } = simulate(kernel, { model, maxSpans: 0 });
    return device.microseconds + (device.timed === 'roles' ? launchMicroseconds(model) : 0);
  } catch (error) {
    if (error.name === 'NotTimedError') return error.message.split(':').slice(1).join(':').trim();
    return error.message.split('\n')[0];
  }
}

const percent = (value) => `${(100 * value).toFixed(0)} %`;

function rowOf(title, rows) {
  const timed = rows.filter(({ got }) => typeof got === 'number');
  const errors = timed.map(({ time, got }) => Math.abs(got / time - 1));
  const far = timed.filter(({ time, got }) => got > 2 * time || got < time / 2).length;
  const cells =
    timed.length === 0
      ? ['–', '–', '–']
      : [0.5, 0.75, 0.9].map((at) => percent(quantile(errors, at)));
  return `| ${title} | ${rows.length} | ${timed.length} | ${cells.join(' | ')} | ${far} |`;
}

/** Prints the table of launches, and writes it into a part of bench/results/real.md. */
export function table(launches, times, options) {
  const { model: name = 'h200', part, rows: isLong } = options;
  const { every = '1', seconds = MOST_SECONDS } = options;
  const model = MODELS[name];
  const rows = [];
  const known = launches.filter((launch) => times.has(launch.name));
  for (const launch of known.filter((_, index) => index % Number(every) === 0)) {
    const got = predicted(launch, model, seconds);
    rows.push({ ...launch, time: times.get(launch.name), got });
    if (isLong === true) console.log(launch.name, times.get(launch.name), got);
  }
  if (part === 'rank' || part === 'spaces')
    return putIntoPage('real', part, rankLines(rows).join('\n'));
  const groups = Map.groupBy(rows, ({ name: of }) => of.split('_')[0]);
  const lines = [
    '| launches | n | timed | median error | 75 % | 90 % | beyond 2 × |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...(groups.size > 1 ? [...groups].map(([group, of]) => rowOf(group, of)) : []),
    rowOf('all', rows),
  ].join('\n');
  console.log(lines);
  if (part === undefined) return;
  putIntoPage('real', part, lines);
  if (ERRORS[part] !== undefined) writeErrors(ERRORS[part], name, rows);
}

/** Writes what `simulate` says of its error. */
function writeErrors(file, model, rows) {
  const timed = rows.filter(({ got }) => typeof got === 'number');
  const errors = timed.map(({ time, got }) => Math.abs(got / time - 1));
  const [median, most] = [0.5, 0.9].map((at) => Math.round(100 * quantile(errors, at)));
  const row = `${model}: { launches: ${errors.length}, medianPercent: ${median}, mostPercent: ${most} }`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(new RegExp(`${model}: \\{[^}]*\\}`), row));
}
