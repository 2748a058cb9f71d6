// Functions of the program text, as `poundlock operations` and its page describe them.
import { nearest } from '@poundlock/core/internal/base';
import { FUNCTIONS, type FunctionEntry } from '@poundlock/core/internal/pipeline';
import { UNITS, type OpEntry } from '@poundlock/core/internal/op';
import { hanging } from '../report/wrapped.ts';

const ALL = Object.values(FUNCTIONS).flat();

/** What `simulate` takes for an operation, by the cost of its row. */
const COSTS: Readonly<Record<OpEntry['cost'], string>> = {
  issue: 'one instruction',
  wait: 'a wait',
  arrive: 'an arrival',
  copy: 'the issue and the duration of a copy',
  use: 'the issue and the duration of work',
  compute: 'its cycles',
  none: 'nothing',
};

function unique(words: readonly string[]): string {
  return [...new Set(words)].filter((word) => word !== '–').join(', ');
}

/** What blocks takes time where its instruction takes none. */
function costOf({ cost, class: kind, answer }: OpEntry): OpEntry['cost'] {
  return cost === 'none' && kind === 'blocking' && answer === 'none' ? 'wait' : cost;
}

/** An entry as words, for the terminal and the page; an empty one where there is nothing to say. */
export function wordsOf(entry: FunctionEntry) {
  const { call, operations, ptx, cutlass, cute, mojo } = entry;
  const costs = new Set(operations.map(costOf));
  if (costs.size > 1) costs.delete('none');
  return {
    call,
    options: optionsOf(entry),
    PTX: unique([ptx]),
    CUTLASS: unique([cutlass]),
    CuTe: unique([cute]),
    Mojo: unique([mojo]),
    cost: unique([...costs].map((cost) => COSTS[cost])),
    rule: unique(operations.map(({ rule }) => rule)),
  };
}

/** What the argument `unit` may be. */
const UNIT_NAMES = Object.keys(UNITS).map((name) => `UNITS.${name}`);

/** `sem: acquire | relaxed; scope: cta | cluster | gpu | sys`, after the units of the call. */
function optionsOf({ call, options }: FunctionEntry): string {
  const units = /\(unit\b/.test(call) ? [`unit: ${UNIT_NAMES.join(' | ')}`] : [];
  const named = Object.entries(options.values)
    .filter(([, { isInternal }]) => isInternal !== true)
    .map(([name, { words, keys = [] }]) => {
      const values = [...(words ?? []), ...keys.map((key) => `{${key}}`)];
      return values.length === 0 ? name : `${name}: ${values.join(' | ')}`;
    });
  return [...units, ...named].join('; ');
}

/** A line in the columns of a terminal, its continuation below its text. */
function line(label: string, text: string, columns: number | undefined): string {
  return `${label}${hanging(text, { columns, before: label.length }).join('\n')}\n`;
}

const textOf =
  (columns: number | undefined) =>
  (entry: FunctionEntry): string => {
    const lines = Object.entries(wordsOf(entry))
      .filter(([, text]) => text !== '')
      .map(([name, text]) => line(`  ${name.padEnd(8)} `, text, columns));
    const does = hanging(entry.does, { columns, before: entry.name.length + 2, indent: 2 });
    return `${entry.name}: ${does.join('\n')}\n${lines.join('')}`;
  };

/** `named barrier` and `named_barrier` are `namedBarrier`. */
function compact(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Whether a name is asked for: `produce` is that of `ab.produce`. */
function isNamed({ name }: FunctionEntry, word: string): boolean {
  const lower = compact(name);
  return lower === compact(word) || lower.endsWith(`.${compact(word)}`);
}

/** Whether a name of another library, or an instruction of PTX, has the word. */
function isElsewhere(entry: FunctionEntry, word: string): boolean {
  const { PTX, CUTLASS, CuTe, Mojo } = wordsOf(entry);
  return [PTX, CUTLASS, CuTe, Mojo].some((text) => text.toLowerCase().includes(word));
}

/** The word that is asked for: `wait()` is `wait`. */
const wordOf = (text: string): string => text.toLowerCase().replace(/\(.*\)$/, '');

/** The functions of a name, else those that another library or PTX calls so; `null` for none. */
export function describeFunctions(word: string, columns?: number): string | null {
  const lower = wordOf(word);
  if (lower === '') return null;
  const found = [
    ALL.filter((entry) => isNamed(entry, lower)),
    ALL.filter((entry) => isElsewhere(entry, lower)),
  ].find((entries) => entries.length > 0);
  return found === undefined ? null : found.map(textOf(columns)).join('\n');
}

/** Shorter words are in too many descriptions. */
const MIN_WORD = 3;

/**
 * What `poundlock operations WORD` prints: beside the functions that a name describes, those whose
 * names elsewhere or descriptions have the word; `null` for none.
 */
export function findFunctions(word: string, columns?: number): string | null {
  const described = describeFunctions(word, columns);
  const lower = wordOf(word);
  if (described !== null && !ALL.some((entry) => isNamed(entry, lower))) return described;
  const others = ALL.filter((entry) => {
    const isOf = isElsewhere(entry, lower) || entry.does.toLowerCase().includes(lower);
    return isOf && !isNamed(entry, lower);
  });
  if (lower.length < MIN_WORD || others.length === 0) return described;
  const texts = others.map(({ name, does }) => line(`  ${name}: `, does, columns));
  const more = `the word is also in\n${texts.join('')}`;
  return described === null ? more.replace(' also', '') : `${described}\n${more}`;
}

/** The function with exactly this name; `null` where there is none. */
export function describeFunction(name: string): string | null {
  const found = ALL.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  return found === undefined ? null : textOf(undefined)(found);
}

/** The word of a name that was probably meant. */
export function functionMeantBy(word: string): string | undefined {
  const others = ALL.flatMap(({ cutlass, cute, mojo }) =>
    `${cutlass} ${cute} ${mojo}`.split(/\W+/),
  );
  const own = ALL.flatMap(({ name }) => [name, name.split('.').at(-1)!]);
  return nearest(word, [...own, ...others.filter((name) => name.length > 3)]);
}

/** All functions with what they do, by section. */
export function listFunctions(columns?: number): string {
  const width = Math.max(...ALL.map(({ name }) => name.length));
  const sections = Object.entries(FUNCTIONS).map(([title, entries]) => {
    const lines = entries.map(({ name, does }) => line(`  ${name.padEnd(width)}  `, does, columns));
    return `${title}\n${lines.join('')}`;
  });
  const help = 'poundlock operations WORD describes one, by its name here or in a library\n';
  return `${sections.join('\n')}\n${help}`;
}
