// The columns of a sweep: those that its verbs have, in the terminal, in CSV and in a page.
import { grouped } from '@poundlock/core/internal/base';
import { fits, type SweepReport, type SweptRow } from './sweep.ts';

/** One column: its title, its text for people, and its value for programs. */
export interface SweepColumn {
  readonly title: string;
  /** The name of the column in CSV. */
  readonly name: string;
  readonly isNumber: boolean;
  readonly shown: (row: SweptRow) => string;
  readonly value: (row: SweptRow) => string | number;
}

/** A number with few digits. */
function short(number: number): string {
  return number >= 1000 ? grouped(Math.round(number)) : String(Number(number.toPrecision(3)));
}

/** `64 KiB`. */
export function kibibytes(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${short(bytes / 1024)} KiB`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

const number = (
  title: string,
  name: string,
  of: (row: SweptRow) => number | null | undefined,
  show: (value: number) => string = short,
): SweepColumn => ({
  title,
  name,
  isNumber: true,
  shown: (row) => {
    const value = of(row);
    return value === null || value === undefined ? '' : show(value);
  },
  value: (row) => of(row) ?? '',
});

const text = (
  title: string,
  name: string,
  shown: (row: SweptRow) => string,
  value = shown,
): SweepColumn => ({ title, name, isNumber: false, shown, value });

const OF_CHECK: readonly SweepColumn[] = [
  text('verdict', 'verdict', (row) => row.check?.verdict ?? ''),
  text('rule', 'rule', (row) => row.check?.rule ?? ''),
];

function ofSimulate({ per }: SweepReport): SweepColumn[] {
  const time = number('cycles', 'cycles', ({ simulate }) => simulate?.totalCycles);
  return [
    time,
    ...(per === null
      ? []
      : [number(`cycles/(${per})`, 'cycles_per_work', ({ simulate }) => simulate?.perWork)]),
    number('µs', 'microseconds', ({ simulate }) => simulate?.microseconds),
    number('shared', 'shared_bytes', ({ simulate }) => simulate?.sharedBytes, kibibytes),
    text(
      'most of the time',
      'bottleneck',
      ({ simulate }) => {
        const bottleneck = simulate?.bottleneck;
        return bottleneck ? `${bottleneck.what}, ${percent(bottleneck.share)}` : '';
      },
      ({ simulate }) => simulate?.bottleneck?.what ?? '',
    ),
    text(
      'nearest limit',
      'nearest_limit',
      ({ simulate }) => {
        const roof = simulate?.nearestRoof;
        return roof ? `${roof.name}, ${percent(roof.share)}` : '';
      },
      ({ simulate }) => simulate?.nearestRoof?.name ?? '',
    ),
  ];
}

const OF_ADVISE: readonly SweepColumn[] = [
  text('best change', 'best_change', (row) => row.advise?.change ?? ''),
  number(
    'gain',
    'gain',
    ({ advise }) => advise?.speedup,
    (value) => `${value.toFixed(2)}×`,
  ),
];

/** Remarks on a row: what is wrong with it, or that it is on the front. */
export function remarkOf(row: SweptRow): string {
  if (row.isMissing) return 'not run';
  if (row.error !== undefined) return row.error;
  const { check, simulate, isFront } = row;
  if (check?.verdict === 'inconclusive') return check.why ?? '';
  if (simulate !== undefined && simulate.limits.length > 0) return simulate.limits[0]!;
  if (simulate !== undefined && !fits(simulate)) {
    return `does not fit: the GPU has ${kibibytes(simulate.mostSharedBytes)} for a CTA`;
  }
  return isFront ? 'on the Pareto front' : '';
}

/** All columns of a report; those that are empty everywhere are left out. */
export function columnsOfSweep(report: SweepReport): SweepColumn[] {
  const columns = [
    ...report.swept.map((name) => parameter(report, name)),
    ...(report.verbs.includes('check') ? OF_CHECK : []),
    ...(report.verbs.includes('simulate') ? ofSimulate(report) : []),
    ...(report.verbs.includes('advise') ? OF_ADVISE : []),
    text('', 'remark', remarkOf),
  ];
  return columns.filter(({ shown }) => report.rows.some((row) => shown(row) !== ''));
}

function parameter({ rows }: SweepReport, name: string): SweepColumn {
  const value = (row: SweptRow) => row.params[name] ?? row.swept[name] ?? '';
  const isNumber = rows.every((row) => Number.isFinite(Number(value(row))));
  return {
    title: name,
    name,
    isNumber,
    shown: (row) => String(value(row)),
    value: (row) => {
      const each = value(row);
      return typeof each === 'number' ? each : String(each);
    },
  };
}
