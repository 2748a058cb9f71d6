// From a log of barrier operations of a real launch to the steps of its warps.
import type { AssumptionName } from '@poundlock/core/internal/finding';
import type { Field } from '../launch/json-fields.ts';
import { linesOf } from '../steps/read-steps.ts';
import { namer, NOWHERE, type SharedVariable } from '../steps/names.ts';
import type { PlacedNote, ReferenceRun } from '../steps/run.ts';
import { STEPS_VERSION } from '../steps/step.ts';
import { readRecord, type TraceRecord } from './records.ts';
import { WarpLog } from './warp-log.ts';

/** The name of the format. */
export const TRACE_FORMAT = 'poundlock-trace';

const LANES = 32;
const MAX_THREADS = 1024;
const MAX_CTAS = 16;
const MAX_RECORDS = 2 ** 40;
/** Characters of a name in one word of a record. */
const CHARACTERS = 4;
/** In the second word of a name: bytes below, the size of an element above. */
const SIZE_BITS = 24;

/** What a verdict from a log rests on. */
const ASSUMPTIONS: readonly (readonly [AssumptionName, string])[] = [
  [
    'seen-once',
    'this launch was seen once: which operations a thread makes depends neither on the order of ' +
      'operations of others nor on data that another launch has',
  ],
  ['whole-log', 'the kernel logs each operation on barriers and each access to shared memory'],
  ['whole-log', 'the lanes of a warp are joined between their operations'],
];

/**
 * Reads a log.
 *
 * @throws InputError that names the line and the field that cannot be used.
 */
export function readTrace(text: string, file: string): ReferenceRun {
  const [head, ...lines] = linesOf(text, file);
  if (head === undefined) throw new TypeError('a log has at least its header');
  const version = head.at('version').integer(0, 2 ** 31 - 1);
  if (version !== 1) head.at('version').fail(`is ${version}: only version 1 can be read`);
  const threads = product(head.at('block'), MAX_THREADS);
  const ctas = product(head.at('cluster'), MAX_CTAS);
  const source = head.at('file').text('');
  const places = new Lines();
  const variables: SharedVariable[] = [];
  const warps = Array.from({ length: ctas }, (_, cta) =>
    Array.from({ length: Math.ceil(threads / LANES) }, (_each, warp) => {
      return new WarpLog(cta, warp, Math.min(LANES, threads - warp * LANES), ctas);
    }),
  );
  for (const line of lines) {
    const record = readRecord(line, ctas, threads);
    if (record.kind === 'name') addName(variables, record);
    else warps[record.cta]![Math.floor(record.thread / LANES)]!.add(record, places.of(record.line));
  }
  const runs = warps.flat().map((warp) => warp.result());
  const hasStuck = runs.some(({ stuck }) => stuck !== null);
  const reason = whyPartial(head, lines.length, hasStuck);
  const undecided: PlacedNote[] = reason === null ? [] : [{ at: -1, text: reason }];
  variables.sort((one, other) => one.offset - other.offset);
  return {
    version: STEPS_VERSION,
    kernel: head.at('kernel').text('kernel'),
    ptx: '',
    ctas,
    registers: null,
    mostRegisters: null,
    warps: runs,
    variables,
    places: (at) => {
      const line = places.line(at);
      return { file: source, line, column: 1, ptxLine: line, opcode: '' };
    },
    effectOf: () => null,
    nameOf: namer(variables, ctas, NOWHERE),
    assumptions: ASSUMPTIONS.map(([name, text]) => ({ name, at: -1, text })),
    faults: [],
    unwritten: [],
    openFences: [],
    undecided,
    solvedBoxes: new Map(),
    clusterSize: ctas,
    counters: { words: new Map(), guards: 0 },
    earlier: [],
    global: NOWHERE,
    counts: new Map(),
    coverage: null,
  };
}

/** Why a log is not all that the launch did; `null` if nothing shows that. */
function whyPartial(head: Field, records: number, hasStuck: boolean): string | null {
  if (!head.at('complete').flag()) return 'the log is full: give poundlock::Trace more records';
  // Logs of older headers have no count.
  const written = head.at('records').integer(0, MAX_RECORDS, records);
  if (written !== records)
    return `the log has ${records} of the ${written} records it was written with`;
  if (records === 0) return 'nothing was logged: was the kernel compiled with POUNDLOCK_TRACE?';
  if (!head.at('ended').flag() && !hasStuck)
    return 'the kernel did not end, and no thread of the log waits';
  return null;
}

function product(field: Field, most: number): number {
  const all = field.elements().reduce((total, each) => total * each.integer(1, most), 1);
  return all <= most ? all : field.fail(`is more than ${most}`);
}

/** A name of up to eight characters, packed in two words. */
function addName(variables: SharedVariable[], { words, field }: TraceRecord): void {
  const [offset, sizes, ...packed] = words;
  const codes = packed.flatMap((word) =>
    Array.from({ length: CHARACTERS }, (_, at) => (word >>> (8 * at)) & 0xff),
  );
  const name = String.fromCharCode(...codes.filter((code) => code !== 0));
  if (!/^\w+$/.test(name)) field.fail('names a variable with other characters than letters');
  if (variables.some((one) => one.offset === offset)) return;
  const size = sizes & (2 ** SIZE_BITS - 1);
  variables.push({ name, offset, size, element: sizes >>> SIZE_BITS });
}

/** Lines of the source, as numbers of places. */
class Lines {
  readonly #lines: number[] = [];
  readonly #numbers = new Map<number, number>();

  of(line: number): number {
    let number = this.#numbers.get(line);
    if (number === undefined) this.#numbers.set(line, (number = this.#lines.push(line) - 1));
    return number;
  }

  line(at: number): number {
    return this.#lines[at] ?? 1;
  }
}
