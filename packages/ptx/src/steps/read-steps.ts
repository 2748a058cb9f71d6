// Reads a steps file: what each warp of a cluster did, from a reference run or from hardware.
import { isAssumption } from '@poundlock/core/internal/finding';
import { effectOfOpcode } from '../isa/decode.ts';
import { Field } from '../launch/json-fields.ts';
import { COMMON_FIELDS, STEP_FIELDS, STEP_MEMBERS, type ReadField, type Scope } from './fields.ts';
import { namer, NOWHERE } from './names.ts';
import type { GlobalPlaces, SharedVariable } from './names.ts';
import { MAX_PAGES } from './pages.ts';
import type { Place } from '../places/place.ts';
import type { Assumption, Counted, Counter, Counters, Coverage } from './run.ts';
import type { PlacedNote, ReferenceRun, RunFault } from './run.ts';
import { GLOBAL, RANK_SIZE, STEPS_VERSION, type Step } from './step.ts';
import { STEPS_FORMAT } from './write-steps.ts';

const MAX_CTAS = 64;
/** Warps of a CTA, and of a cluster. */
const MAX_WARPS = 32;
const MAX_THREADS = 32;
/** The most lines of a file. */
const MAX_LINES = 4_000_000;
/** How deep steps contain steps. */
const MAX_DEPTH = 2;
const MAX_INSTRUCTIONS = 1 << 24;
const MAX_LINE_NUMBER = 2 ** 31 - 1;

const RULES: { readonly [R in RunFault['rule']]: true } = {
  'over-arrival': true,
  'out-of-bounds': true,
  misaligned: true,
  'barrier-count': true,
  'cluster-mask': true,
  'non-coherent': true,
  'named-barrier': true,
  'member-mask': true,
  trap: true,
  'uninitialized-barrier': true,
  'tensor-map': true,
  'register-in-flight': true,
  'missing-wgmma-fence': true,
  'tensor-memory': true,
  'unjoined-lanes': true,
};

/** Members of the header. */
const HEAD = [
  '$schema',
  'format',
  'version',
  'kernel',
  'ptx',
  'ctas',
  'clusterSize',
  'registers',
  'mostRegisters',
  'warps',
  'places',
  'variables',
  'assumptions',
  'faults',
  'unwritten',
  'openFences',
  'undecided',
  'solvedBoxes',
  'counts',
  'counters',
  'earlier',
  'global',
  'coverage',
];
const OF_NOTE = ['text', 'at'];

/** One warp of the file while it is read. */
interface ReadWarp {
  readonly cta: number;
  readonly warp: number;
  readonly threads: number;
  readonly steps: Step[];
  stuck: Step | null;
}

/** Parses one line. */
export function lineField(file: string, number: number, text: string): Field {
  const name = `${file}:${number}`;
  try {
    return new Field(name, '', JSON.parse(text));
  } catch {
    return new Field(name, '', undefined).fail('is not JSON');
  }
}

/** The lines of a file with their numbers, without empty ones. */
export function linesOf(text: string, file: string): Field[] {
  const lines = text.split('\n');
  if (lines.length > MAX_LINES)
    new Field(file, '', null).fail(`has more than ${MAX_LINES} lines: choose smaller sizes`);
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [lineField(file, at + 1, line)]));
}

/**
 * Reads a steps file.
 *
 * @throws InputError that names the line and the field that cannot be used.
 */
export function readSteps(text: string, file: string): ReferenceRun {
  const [head, ...lines] = linesOf(text, file);
  if (head === undefined) return new Field(file, '', null).fail('has no line');
  if (head.at('format').text('') !== STEPS_FORMAT)
    head.at('format').fail(`has to be "${STEPS_FORMAT}"`);
  const version = head.at('version').integer(0, MAX_LINE_NUMBER);
  if (version !== STEPS_VERSION)
    head.at('version').fail(`is ${version}: only version ${STEPS_VERSION} can be read`);
  head.only(HEAD);
  const ctas = head.at('ctas').integer(1, MAX_CTAS, 1);
  const places = new ReadPlaces(head);
  const warps = readWarps(head, ctas);
  const scope: Scope = { ctas, steps: (field) => nested(field, places, ctas, 1) };
  for (const line of lines) {
    const warp = warps.get(keyOf(line.at('cta').integer(0, ctas - 1, 0), warpOf(line)));
    if (warp === undefined) return line.at('warp').fail('is not a warp of the header');
    if (warp.stuck !== null) line.fail(`follows the step that warp ${warp.warp} is stuck in`);
    const step = readStep(line, places, scope);
    if (line.at('stuck').flag()) warp.stuck = step;
    else warp.steps.push(step);
  }
  const variables = head.at('variables').elements().map(readVariable);
  const global = readGlobal(head.at('global'));
  return {
    version,
    kernel: head.at('kernel').text('kernel'),
    ptx: head.at('ptx').text(''),
    ctas,
    clusterSize: head.at('clusterSize').integer(1, ctas, ctas),
    registers: head.at('registers').isMissing ? null : head.at('registers').integer(1, 256),
    mostRegisters: head.at('mostRegisters').isMissing
      ? null
      : head.at('mostRegisters').integer(1, 256),
    warps: [...warps.values()],
    variables,
    places: (at) => places.of(at),
    effectOf: (at) => effectOfOpcode(places.of(at).opcode),
    nameOf: namer(variables, ctas, global),
    ...notesOf(head, places),
    solvedBoxes: readBoxes(head.at('solvedBoxes')),
    counts: new Map(
      head
        .at('counts')
        .elements()
        .map((each) => readCount(each, ctas)),
    ),
    counters: readCounters(head.at('counters'), places),
    earlier: placesIn(head.at('earlier')),
    global,
    coverage: readCoverage(head.at('coverage'), places),
  };
}

/** What is remarked of the run. */
function notesOf(
  head: Field,
  places: ReadPlaces,
): Pick<ReferenceRun, 'assumptions' | 'faults' | 'openFences' | 'undecided' | 'unwritten'> {
  const of = (name: string): readonly Field[] => head.at(name).elements();
  const notes = (name: string): PlacedNote[] =>
    of(name).map((each) => note(each.only(OF_NOTE), places));
  return {
    assumptions: of('assumptions').map((each) => assumption(each, places)),
    faults: of('faults').map((each) => readFault(each, places)),
    unwritten: notes('unwritten'),
    openFences: notes('openFences'),
    undecided: notes('undecided'),
  };
}

/** Places of global memory. */
function placesIn(field: Field): number[] {
  return field.elements().map((each) => each.integer(GLOBAL, 2 ** 32));
}

/** Words of global memory that warps poll. */
function readCounters(field: Field, places: ReadPlaces): Counters {
  if (field.isMissing) return { words: new Map(), guards: 0 };
  const words = field
    .only(['words', 'guards'])
    .at('words')
    .elements()
    .map((each) => {
      each.only(['word', 'name', 'arrivals', 'isExact', 'writers', 'at']);
      const counter: Counter = {
        name: each.at('name').text(),
        arrivals: each.at('arrivals').integer(1, MAX_LINE_NUMBER),
        isExact: each.at('isExact').flag(),
        writers: each
          .at('writers')
          .elements()
          .map((writer) => ({
            role: writer.only(['role', 'count']).at('role').text(),
            count: writer.at('count').integer(1, MAX_THREADS),
          })),
        at: places.read(each.at('at')),
      };
      return [each.at('word').integer(GLOBAL, 2 ** 32), counter] as const;
    });
  return { words: new Map(words), guards: field.at('guards').integer(0, MAX_LINE_NUMBER, 0) };
}

/** What names places of global memory. */
function readGlobal(field: Field): GlobalPlaces {
  if (field.isMissing) return NOWHERE;
  const pages = field.only(['pages', 'pointers']).at('pages').elements();
  if (pages.length > MAX_PAGES) field.fail(`has more than ${MAX_PAGES} pages`);
  return {
    pages: pages.map((page) => page.integer(0, Number.MAX_SAFE_INTEGER)),
    pointers: field
      .at('pointers')
      .elements()
      .map((each) => ({
        name: each.only(['name', 'address']).at('name').text(),
        address: each.at('address').integer(0, Number.MAX_SAFE_INTEGER),
      })),
  };
}

function keyOf(cta: number, warp: number): number {
  return cta * MAX_WARPS + warp;
}

function warpOf(field: Field): number {
  return field.at('warp').integer(0, MAX_WARPS - 1);
}

function readWarps(head: Field, ctas: number): Map<number, ReadWarp> {
  const warps = new Map<number, ReadWarp>();
  for (const each of head.at('warps').elements()) {
    const cta = each
      .only(['cta', 'warp', 'threads'])
      .at('cta')
      .integer(0, ctas - 1, 0);
    const warp = warpOf(each);
    const threads = each.at('threads').integer(1, MAX_THREADS, MAX_THREADS);
    if (warps.has(keyOf(cta, warp))) each.fail('is a warp that the header already has');
    warps.set(keyOf(cta, warp), { cta, warp, threads, steps: [], stuck: null });
  }
  if (warps.size === 0) head.at('warps').fail('has no warp');
  return warps;
}

function readStep(line: Field, places: ReadPlaces, scope: Scope): Step {
  const op = line.at('op').text();
  if (!Object.hasOwn(STEP_FIELDS, op)) line.at('op').fail(`is not a step: '${op}'`);
  line.only(STEP_MEMBERS[op]!);
  const fields: Readonly<Record<string, ReadField>> = STEP_FIELDS[op as Step['op']];
  const step: Record<string, unknown> = { op, at: places.read(line.at('at')) };
  for (const [name, read] of [...Object.entries(COMMON_FIELDS), ...Object.entries(fields)]) {
    const value = read(line.at(name), scope);
    if (value !== undefined) step[name] = value;
  }
  // The table has a reader for each field of the step.
  return step as unknown as Step;
}

function nested(field: Field, places: ReadPlaces, ctas: number, depth: number): Step[] {
  if (depth > MAX_DEPTH) field.fail('is nested too deeply');
  const scope: Scope = { ctas, steps: (inner) => nested(inner, places, ctas, depth + 1) };
  return field.elements().map((each) => readStep(each, places, scope));
}

/** The places of the header, and those that steps name in words. */
class ReadPlaces {
  readonly #list: Place[];
  readonly #byText = new Map<string, number>();

  constructor(head: Field) {
    this.#list = head
      .at('places')
      .elements()
      .map((each) => {
        each.only(['file', 'line', 'column', 'ptxFile', 'ptxLine', 'opcode']);
        const line = each.at('line').integer(0, MAX_LINE_NUMBER);
        const ptxFile = each.at('ptxFile').text('');
        return {
          file: each.at('file').text(),
          line,
          column: each.at('column').integer(0, MAX_LINE_NUMBER, 1),
          ptxLine: each.at('ptxLine').integer(0, MAX_LINE_NUMBER, line),
          ...(ptxFile !== '' && { ptxFile }),
          opcode: each.at('opcode').text(''),
        };
      });
  }

  of(at: number): Place {
    const place = this.#list[at] ?? { file: '', line: 1, column: 1, ptxLine: 1, opcode: '' };
    return { ...place, index: at };
  }

  /** A number of the header's list, or `file:line` or `file:line:column`. */
  read(field: Field): number {
    if (typeof field.value === 'string') return this.#named(field, field.value);
    return field.integer(0, this.#list.length - 1);
  }

  #named(field: Field, text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const [, file, line, column] = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/.exec(text) ?? [];
    if (file === undefined) return field.fail('has to be a place of the header, or FILE:LINE');
    const place = { file, line: Number(line), column: Number(column ?? 1) };
    const number = this.#list.push({ ...place, ptxLine: place.line, opcode: '' }) - 1;
    this.#byText.set(text, number);
    return number;
  }
}

function note(each: Field, places: ReadPlaces): PlacedNote {
  const isPlaced = each.at('at').value !== -1;
  const at = isPlaced ? places.read(each.at('at')) : -1;
  return { text: each.at('text').text(), at };
}

function assumption(each: Field, places: ReadPlaces): Assumption {
  each.only([...OF_NOTE, 'name', 'isOfAddress']);
  const word = each.at('name');
  const name = word.text();
  if (!isAssumption(name)) return word.fail('is no name of an assumption');
  const ofAddress = each.at('isOfAddress').flag() ? { isOfAddress: true } : {};
  return { name, ...note(each, places), ...ofAddress };
}

function readFault(each: Field, places: ReadPlaces): RunFault {
  each.only([...OF_NOTE, 'rule', 'certain', 'isOfIsa']);
  const ofIsa = each.at('isOfIsa').flag() ? { isOfIsa: true } : {};
  const fault = { ...note(each, places), rule: readRule(each.at('rule')), ...ofIsa };
  const certain = each.at('certain');
  if (certain.isMissing) return fault;
  certain.only(['role', 'rule', 'isOrdered', 'isOnEachWay']);
  const role = certain.at('role').value === null ? null : certain.at('role').text();
  const isOrdered = certain.at('isOrdered').flag();
  const rule = certain.at('rule').text();
  const isOnEachWay = certain.at('isOnEachWay').flag();
  const more = { ...(isOrdered ? { isOrdered } : {}), ...(isOnEachWay ? { isOnEachWay } : {}) };
  return { ...fault, certain: { role, rule, ...more } };
}

function readRule(field: Field): RunFault['rule'] {
  const rule = field.text();
  if (!Object.hasOwn(RULES, rule)) field.fail(`is not one of ${Object.keys(RULES).join(', ')}`);
  return rule as RunFault['rule'];
}

function readVariable(each: Field): SharedVariable {
  return {
    name: each.only(['name', 'offset', 'size', 'element']).at('name').text(),
    offset: each.at('offset').integer(0, RANK_SIZE - 1),
    size: each.at('size').integer(0, RANK_SIZE),
    element: each.at('element').integer(0, RANK_SIZE, 0),
  };
}

function readCount(each: Field, ctas: number): [number, Counted] {
  const word = each
    .only(['count', 'word', 'initial'])
    .at('word')
    .integer(0, ctas * RANK_SIZE - 1);
  const initial = each.at('initial').integer(-(2 ** 31), 2 ** 32 - 1);
  return [each.at('count').integer(0, MAX_LINE_NUMBER), { word, initial }];
}

function readBoxes(field: Field): Map<string, number> {
  if (field.isMissing) return new Map();
  return new Map(field.names().map((name) => [name, field.at(name).integer(1, MAX_LINE_NUMBER)]));
}

/** Instructions are numbered like their places, and those without a place follow. */
function readCoverage(field: Field, places: ReadPlaces): Coverage | null {
  if (field.isMissing) return null;
  field.only(['instructions', 'reached', 'synchronizing', 'missed']);
  const instructions = field.at('instructions').integer(0, MAX_INSTRUCTIONS);
  const numbers = (name: string): number[] =>
    field
      .at(name)
      .elements()
      .map((each) => places.read(each));
  const synchronizing = numbers('synchronizing');
  const missed = new Set(numbers('missed'));
  const reached = new Uint8Array(instructions);
  let left = field.at('reached').integer(0, instructions);
  const first = synchronizing.filter((at) => !missed.has(at));
  for (const at of [...first, ...reached.keys()]) {
    if (left === 0) break;
    if (at >= instructions || missed.has(at) || reached[at] === 1) continue;
    reached[at] = 1;
    left--;
  }
  return { reached, synchronizing };
}
