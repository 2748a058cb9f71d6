// Simulations for pull requests and job summaries: tables of one run, or one table of many.
import {
  completedResults,
  type ModelSummary,
  type Report,
  type ReportedSimulation,
} from '@poundlock/core/internal/finding';
import {
  cyclesText,
  detailedRun,
  deviceLines,
  kneeIndex,
  pathTable,
  ringLines,
  roleTable,
  roofTable,
  stallTable,
  sweepTable,
  type DetailedRun,
} from '../simulation.ts';
import { nextChange } from '../next-change.ts';
import { titleOf } from '../summary.ts';
import type { Table } from '../table-data.ts';
import { joined } from './finding.ts';
import { codeSpan, escaped, escapedTable, failureLines } from './text.ts';

const MAX_ROWS = 200;

/** Simulations as a Markdown document. */
export function simulationMarkdown(report: Report<'simulate'>): string {
  const runs = completedResults(report);
  const one = detailedRun(report);
  const lines = one === null ? batchLines(report, runs) : detailLines(one);
  return joined(['## poundlock simulate', '', ...lines, ...failureLines(report)]);
}

function detailLines(run: DetailedRun): string[] {
  const tables = [roleTable(run), roofTable(run), pathTable(run), stallTable(run)];
  return [
    `**${escaped(nextChange(run))}**`,
    '',
    `${codeSpan(run.file)}: ${escaped(`${titleOf(run)}: ${cyclesText(run)}`)}`,
    '',
    modelLine(run.model),
    '',
    ...run.limits.map((limit) => `* ${escaped(limit)}`),
    ...[...ringLines(run), ...deviceLines(run)].map((line) => `* ${escaped(line)}`),
    ...tables.flatMap((table) => (table.rows.length === 0 ? [] : ['', ...escapedTable(table)])),
  ];
}

function modelLine({ title, caveat }: ModelSummary): string {
  return `Model: ${escaped(caveat === null ? title : `${title} (${caveat})`)}`;
}

function batchLines(report: Report<'simulate'>, runs: readonly ReportedSimulation[]): string[] {
  const [first] = runs;
  if (first === undefined) return [];
  const table = marked(sweepTable(runs), kneeIndex(report, runs));
  const more = runs.length - MAX_ROWS;
  return [
    `${codeSpan(first.file)}: ${escaped(first.kernel)}`,
    '',
    modelLine(first.model),
    '',
    ...escapedTable({ ...table, rows: table.rows.slice(0, MAX_ROWS) }),
    ...(more > 0 ? ['', `${more} more runs not shown here.`] : []),
  ];
}

/** A table with a column that marks the knee. */
function marked({ heading, rows }: Table, knee: number): Table {
  if (knee < 0) return { heading, rows };
  const mark = (at: number) => (at === knee ? 'knee: within 1 % of the best' : '');
  return {
    heading: [...heading, { title: '', isNumber: false }],
    rows: rows.map((row, at) => [...row, mark(at)]),
  };
}
