// Writes the table of bench/results/accuracy.md: errors of the models on every measured row, and choices.
//
//   node bench/accuracy.mjs            the tables in bench/h200 and bench/h100: half a minute
import { casesOf } from './measured-cases.mjs';
import { noteErrors } from './measured-errors.mjs';
import { putIntoPage } from './page.mjs';

const room = import.meta.resolve('poundlock/simulate').replace('public.', 'index.');
const { agreement, choiceSummary, costsOf, errorsOf, MODELS } = await import(room);
const { occupancyOf, pairsOf, summarizeErrors } = await import(room);

const PROGRAMS = [
  ['two-role', 'two_role'],
  ['three-role', 'three_role'],
  ['release-order', 'release_order'],
  ['tensor-core', 'tensor_core'],
  ['tensor-core', 'tensor_core_2'],
  ['tensormap', 'tensormap'],
  ['styles', 'styles'],
  ['store', 'store'],
  ['multicast', 'multicast'],
  ['waves', 'waves'],
  ['store', 'resident_store'],
  ['tensor-core', 'resident_tensor_core'],
  ['cp-async', 'cp_async'],
  ['cp-async', 'resident_cp_async'],
];
const percent = (value) => `${value.toFixed(2)} %`;
const share = (part, all) =>
  all === 0 ? '–' : `${part} of ${all}, ${percent((100 * part) / all)}`;
const lines = [
  '| chip, table | rows | median | p95 | worst | scoped or linear right | best stages within 2 % |',
  '|---|---:|---:|---:|---:|---:|---:|',
];
const found = { h200: {}, h100: {} };
for (const chip of ['h200', 'h100']) {
  const costs = costsOf(MODELS[chip]);
  for (const [name, table] of PROGRAMS) {
    const all = await casesOf(chip, name, table);
    if (all === null) continue;
    // Rows have the cycles of a CTA, a launch in waves those of all: bench/waves.mjs has these.
    const cases = all.filter(({ program }) => occupancyOf(program, costs).waves === 1);
    const errors = errorsOf(cases, costs);
    const [{ runs, medianPercent, p95Percent, worstPercent }] = summarizeErrors(cases, errors);
    found[chip][table] = [medianPercent, p95Percent];
    const pairs = pairsOf(cases, 'order');
    const right = pairs.filter((pair) => agreement(cases, errors, pair) > 0);
    const { groups, nearBest } = choiceSummary(cases, errors, ['stages']);
    const figures = [medianPercent, p95Percent, worstPercent].map(percent);
    const choices = [share(right.length, pairs.length), share(nearBest, groups)];
    lines.push(`| ${chip}, ${table} | ${[runs, ...figures, ...choices].join(' | ')} |`);
  }
}
console.log(lines.join('\n'));
putIntoPage('accuracy', 'errors', lines.join('\n'));
await noteErrors(found);
