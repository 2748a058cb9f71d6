// What a launch has to be: the values of a number that fit, against those that do not.
import { formatPosition, grouped, rangesOf } from '@poundlock/core/internal/base';
import { fits } from './subject.ts';
import type { LaunchRun } from './subject.ts';

/** The largest alignment that is looked for. */
const MAX_MULTIPLE = 1024;
/** Values that are listed in one sentence. */
const MAX_LISTED = 8;

/** The number that a run varied, with its value. */
function variedIn(run: LaunchRun): readonly [string, number] | null {
  return run.special === null ? null : [run.special.slot.name, run.special.value];
}

/** The values of one number that fit, and the runs of those that do not. */
interface Values {
  readonly fitting: number[];
  readonly refused: LaunchRun[];
}

function byNumber(runs: readonly LaunchRun[]): ReadonlyMap<string, Values> {
  const found = new Map<string, Values>();
  const of = (name: string): Values => {
    let own = found.get(name);
    if (own === undefined) found.set(name, (own = { fitting: [], refused: [] }));
    return own;
  };
  for (const run of runs) {
    const varied = variedIn(run);
    if (varied !== null && run.outcome === 'refused') of(varied[0]).refused.push(run);
    if (!fits(run)) continue;
    const values = varied === null ? run.choice.values : [varied];
    for (const [name, value] of values) of(name).fitting.push(value);
  }
  return found;
}

/** The least power of two that divides what fits, and nothing of what is misaligned. */
function multipleOf(fitting: readonly number[], misaligned: readonly number[]): number | null {
  for (let multiple = 2; multiple <= MAX_MULTIPLE; multiple *= 2) {
    const isOfAll = fitting.every((value) => value % multiple === 0);
    if (!isOfAll) return null;
    if (misaligned.every((value) => value % multiple !== 0)) return multiple;
  }
  return null;
}

function whereOf({ fault }: LaunchRun): string {
  const position = fault?.position;
  return position === undefined ? '' : ` (${formatPosition(position)})`;
}

/** What the runs show of the numbers of a launch, a sentence each. */
export function preconditionsOf(runs: readonly LaunchRun[]): string[] {
  return [...byNumber(runs)].flatMap(([name, { fitting, refused }]) => {
    if (refused.length === 0) return [];
    const valueOf = (run: LaunchRun): number => run.special!.value;
    const misaligned = refused.filter(({ fault }) => fault?.rule === 'misaligned');
    const multiple = multipleOf(fitting, misaligned.map(valueOf));
    const isAligned = misaligned.length > 0 && multiple !== null;
    const aligned = isAligned
      ? [`${name} has to be a multiple of ${grouped(multiple)}${whereOf(misaligned[0]!)}`]
      : [];
    const others = isAligned ? refused.filter((run) => !misaligned.includes(run)) : refused;
    if (others.length === 0) return aligned;
    const values = [...new Set(others.map(valueOf))].toSorted((a, b) => a - b);
    const listed = rangesOf(values.slice(0, MAX_LISTED));
    const [first] = others;
    const why = first!.fault?.text ?? 'it does not fit';
    return [...aligned, `${name} is not ${listed}: ${why}${whereOf(first!)}`];
  });
}
