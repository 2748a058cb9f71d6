// Writes a reference run as a steps file: a header, then one line for each step.
import { COMMON_FIELDS, STEP_FIELDS } from './fields.ts';
import type { Place } from '../places/place.ts';
import type { PlacedNote, ReferenceRun, RunFault } from './run.ts';
import type { Step } from './step.ts';

/** The name of the format. */
export const STEPS_FORMAT = 'poundlock-steps';

/** A place without the number of the instruction, which the file gives by its own. */
function written({ index: _index, ...place }: Place): Place {
  return place;
}

/** Places that the file names, renumbered in the order in which they are met. */
class Places {
  readonly list: Place[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #placeOf: (at: number) => Place;

  constructor(placeOf: (at: number) => Place) {
    this.#placeOf = placeOf;
  }

  of(at: number): number {
    if (at < 0) return at;
    let number = this.#numbers.get(at);
    if (number === undefined) {
      number = this.list.push(written(this.#placeOf(at))) - 1;
      this.#numbers.set(at, number);
    }
    return number;
  }

  placed(list: readonly (PlacedNote | RunFault)[]): object[] {
    return list.map(({ at, text, ...rest }) => ({ at: this.of(at), text, ...rest }));
  }
}

/** What the header says of each field of a run; steps and names follow from others. */
type Header = {
  readonly [F in Exclude<keyof ReferenceRun, 'nameOf' | 'effectOf' | 'version'>]: (
    run: ReferenceRun,
    places: Places,
  ) => unknown;
};

const HEADER: Header = {
  kernel: ({ kernel }) => kernel,
  ptx: ({ ptx }) => ptx,
  ctas: ({ ctas }) => ctas,
  clusterSize: ({ clusterSize, ctas }) => (clusterSize === ctas ? undefined : clusterSize),
  registers: ({ registers }) => registers ?? undefined,
  mostRegisters: ({ mostRegisters }) => mostRegisters ?? undefined,
  warps: ({ warps }) => warps.map(({ cta, warp, threads }) => ({ cta, warp, threads })),
  variables: ({ variables }) => variables,
  assumptions: ({ assumptions }, places) => places.placed(assumptions),
  faults: ({ faults }, places) => places.placed(faults),
  unwritten: ({ unwritten }, places) =>
    unwritten.length === 0 ? undefined : places.placed(unwritten),
  openFences: ({ openFences }, places) =>
    openFences.length === 0 ? undefined : places.placed(openFences),
  undecided: ({ undecided }, places) => places.placed(undecided),
  solvedBoxes: ({ solvedBoxes }) => Object.fromEntries(solvedBoxes),
  counts: ({ counts }) => [...counts].map(([count, counted]) => ({ count, ...counted })),
  counters: ({ counters: { words, guards } }, places) => {
    if (words.size === 0) return undefined;
    const list = [...words].map(([word, { at, ...counter }]) => {
      return { word, ...counter, at: places.of(at) };
    });
    return { words: list, guards };
  },
  earlier: ({ earlier }) => (earlier.length === 0 ? undefined : earlier),
  global: ({ global }) => (global.pages.length === 0 ? undefined : global),
  coverage: ({ coverage }, places) => {
    if (coverage === null) return undefined;
    const { reached, synchronizing } = coverage;
    return {
      instructions: reached.length,
      reached: reached.reduce((sum, flag) => sum + flag, 0),
      synchronizing: synchronizing.map((at) => places.of(at)),
      missed: synchronizing.filter((at) => reached[at] === 0).map((at) => places.of(at)),
    };
  },
  // Last, since the others name them.
  places: (_run, { list }) => list,
};

/** The lines of a steps file, without line ends. */
function* stepsLines(run: ReferenceRun): Generator<string> {
  const places = new Places(run.places);
  const steps = run.warps.map(({ cta, warp, steps: all, stuck }) => [
    ...all.map((step) => JSON.stringify({ cta, warp, ...placed(step, places) })),
    ...(stuck === null
      ? []
      : [JSON.stringify({ cta, warp, stuck: true, ...placed(stuck, places) })]),
  ]);
  const fields = Object.entries(HEADER).map(([name, of]) => [name, of(run, places)] as const);
  const head = { format: STEPS_FORMAT, version: run.version, ...Object.fromEntries(fields) };
  yield JSON.stringify(head);
  for (const lines of steps) yield* lines;
}

/** A step with the number that its place has in the file. */
function placed(step: Step, places: Places): object {
  const names = [...Object.keys(COMMON_FIELDS), ...Object.keys(STEP_FIELDS[step.op])];
  const own = step as unknown as Readonly<Record<string, unknown>>;
  const fields = names.flatMap((name) => (name in own ? [[name, own[name]] as const] : []));
  const line = { op: step.op, at: places.of(step.at), ...Object.fromEntries(fields) };
  if (step.op !== 'last') return line;
  return { ...line, steps: step.steps.map((each) => placed(each, places)) };
}

/** A reference run as the text of a steps file. */
export function writeSteps(run: ReferenceRun): string {
  return `${[...stepsLines(run)].join('\n')}\n`;
}
