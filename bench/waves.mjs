// Writes the part `waves` of bench/results/accuracy.md: launches with more CTAs than there are SMs.
//
//   node bench/waves.mjs            bench/h100/waves.csv and bench/h200/waves.csv: a few seconds
//
// A row of one wave has the cycles of its median CTA; the nanoseconds of a launch are from the first
// start of a CTA to the last end, of which launches of one CTA say what the timer adds.
import { readFileSync } from 'node:fs';
import { casesOf } from './measured-cases.mjs';
import { quantile } from './measured-errors.mjs';
import { putIntoPage } from './page.mjs';

const room = import.meta.resolve('poundlock/simulate').replace('public.', 'index.');
const { costsOf, MODELS, prepareInPlace, runLaunch } = await import(room);

const percent = (value) => `${value.toFixed(2)} %`;

/** Nanoseconds of each launch, in the order of the rows. */
function launchTimes(chip) {
  const text = readFileSync(new URL(`${chip}/waves.csv`, import.meta.url), 'utf8');
  const [titles, ...rows] = text.trim().split('\n');
  const at = titles.split(',').indexOf('kernel_ns');
  return rows.map((row) => Number(row.split(',')[at]));
}

/** Each row with what is predicted for it. */
async function runsOf(chip) {
  const costs = costsOf(MODELS[chip]);
  const times = launchTimes(chip);
  return (await casesOf(chip, 'waves', 'waves')).map(({ program, row, measuredCycles }) => {
    const { occupancy, waveCycles, microseconds } = runLaunch(prepareInPlace(program), { costs });
    const { ctasPerSm, waves } = occupancy;
    const { source, ctas } = program.params;
    const [measured, predicted] = [times[row], microseconds * 1000];
    return { ctasPerSm, waves, source, ctas, waveCycles, measuredCycles, measured, predicted };
  });
}

/** The errors of some rows: how many, the median, the 95th percentile, the worst, and the bias. */
function errorCells(errors) {
  const sizes = errors.map(Math.abs);
  const figures = [quantile(sizes, 0.5), quantile(sizes, 0.95), Math.max(...sizes)];
  return [errors.length, ...[...figures, quantile(errors, 0.5)].map(percent)];
}

const lines = [
  '| chip, launch | rows | median | p95 | worst | bias |',
  '|---|---:|---:|---:|---:|---:|',
];
const add = (name, errors) => {
  if (errors.length > 0) lines.push(`| ${[name, ...errorCells(errors)].join(' | ')} |`);
};
for (const chip of ['h200', 'h100']) {
  const runs = await runsOf(chip);
  const alone = runs.filter(({ ctas }) => ctas === 1);
  const timer = quantile(
    alone.map((run) => run.measured - (1000 * run.measuredCycles) / 1980),
    0.5,
  );
  const cyclesError = (run) => 100 * (run.waveCycles / run.measuredCycles - 1);
  const timeError = (run) => 100 * ((run.predicted + timer) / run.measured - 1);
  for (const source of ['l2', 'hbm']) {
    for (const perSm of [1, 2, 3, 4]) {
      const own = runs.filter((run) => {
        return run.waves === 1 && run.source === source && run.ctasPerSm === perSm && run.ctas > 1;
      });
      add(`${chip}, one wave, ${source}, ${perSm} on an SM: cycles of a CTA`, own.map(cyclesError));
    }
  }
  for (const waves of [1, 2, 3, 4, 5]) {
    const own = runs.filter((run) => run.waves === waves);
    add(`${chip}, ${waves} wave${waves > 1 ? 's' : ''}: ns of the launch`, own.map(timeError));
  }
}
console.log(lines.join('\n'));
putIntoPage('accuracy', 'waves', lines.join('\n'));
