// The table of bench/real.mjs: predictions beside times, and the errors that `simulate` prints.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quantile } from '../measured-errors.mjs';
import { putIntoPage } from '../page.mjs';

const room = import.meta.resolve('poundlock/simulate').replace('public.', 'index.');
const { MODELS, predict, timedProgram } = await import(room);
const { ptxKernel } = await import('poundlock/ptx');

/** Of so many launches one was looked at when the numbers of the model were fitted. */
const FITTED_TO = 5;
/** Seconds after which the run of a launch ends. */
const MOST_SECONDS = 20;
const ERRORS = new URL(
  '../../packages/poundlock/src/simulate/issue/issued-errors.ts',
  import.meta.url,
);

/** What a launch is predicted to take, in microseconds; a text where it has no time. */
function predicted({ file, launch }, model) {
  const end = performance.now() + MOST_SECONDS * 1000;
  try {
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text: readFileSync(join(dirname(file), launch.ptx.file), 'utf8') },
      launch: { file, text: readFileSync(file, 'utf8') },
      shouldStop: () => performance.now() > end,
    });
    const cycles = predict(timedProgram(kernel, model), model);
    return cycles / model.parameters.idleMegahertz.value;
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

/** Writes bench/results/real.md and the errors of the model. */
export function table(
  launches,
  times,
  { model: name = 'h200', rows: isLong = false, every = '1' },
) {
  const model = MODELS[name];
  const rows = [];
  for (const [index, launch] of launches.entries()) {
    const time = times.get(launch.name);
    if (time === undefined || index % Number(every) !== 0) continue;
    const isFitted = index % FITTED_TO === 0;
    rows.push({ name: launch.name, time, isFitted, got: predicted(launch, model) });
    const { got } = rows.at(-1);
    if (isLong) console.log(launch.name, time, typeof got === 'number' ? got.toFixed(2) : got);
  }
  const others = rows.filter(({ isFitted }) => !isFitted);
  const groups = Map.groupBy(others, ({ name: of }) => of.split('/')[0].split('_')[0]);
  const lines = [
    '| launches | n | timed | median error | 75 % | 90 % | beyond 2 × |',
    '|---|---:|---:|---:|---:|---:|---:|',
    rowOf(
      'looked at while the model was fitted',
      rows.filter(({ isFitted }) => isFitted),
    ),
    rowOf('all others', others),
    ...[...groups].map(([group, of]) => rowOf(`of these, ${group}`, of)),
  ];
  console.log(lines.join('\n'));
  putIntoPage('real', `errors ${name}`, lines.join('\n'));
  const errors = others
    .filter(({ got }) => typeof got === 'number')
    .map(({ time, got }) => Math.abs(got / time - 1));
  const [median, most] = [0.5, 0.9].map((at) => Math.round(100 * quantile(errors, at)));
  const text = readFileSync(ERRORS, 'utf8');
  const row = `${name}: { launches: ${errors.length}, medianPercent: ${median}, mostPercent: ${most} }`;
  writeFileSync(ERRORS, text.replace(new RegExp(`${name}: \\{[^}]*\\}`), row));
}
