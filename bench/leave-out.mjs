// Leaves each fitted program out of the fit, and predicts it: the part `leave-out` of calibration.md.
//
//   node bench/leave-out.mjs [ROUNDS]     10 minutes of processor time
import { casesOf } from './measured-cases.mjs';
import { putIntoPage } from './page.mjs';

const room = import.meta.resolve('poundlock/simulate').replace('public.', 'index.');
const { leaveOut, MODELS, summarizeErrors } = await import(room);

const PROGRAMS = ['two-role', 'three-role', 'release-order', 'tensor-core'];
/** Numbers that were once set by hand: what each fit finds for them. */
const SHOWN = ['overlapCycles', 'laneArriveCycles'];
const rounds = Number(process.argv[2] ?? 2);

const programs = new Map();
for (const name of PROGRAMS) {
  const table = name.replace('-', '_');
  programs.set(table, await casesOf('h200', name, table));
}
const percent = (value) => `${value.toFixed(2)} %`;
const lines = [
  `| left out | rows | median | p95 | worst | ${SHOWN.map((name) => `\`${name}\``).join(' | ')} |`,
  `|---|---:|---:|---:|---:|${SHOWN.map(() => '---:|').join('')}`,
];
for (const { table, model, cases, errors } of leaveOut(programs, MODELS.h200, { rounds })) {
  const [{ runs, medianPercent, p95Percent, worstPercent }] = summarizeErrors(cases, errors);
  const figures = [medianPercent, p95Percent, worstPercent].map(percent);
  const found = SHOWN.map((name) => model.parameters[name].value.toFixed(3));
  lines.push(`| ${[table, runs, ...figures, ...found].join(' | ')} |`);
}
console.log(lines.join('\n'));
putIntoPage('calibration', 'leave-out', lines.join('\n'));
