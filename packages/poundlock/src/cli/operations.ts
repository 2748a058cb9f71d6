// Functions of the program text, as `poundlock operations` and its page describe them.
import { nearest } from '@poundlock/core/internal/base';
import { FUNCTIONS, type FunctionEntry } from '@poundlock/core/internal/pipeline';
import type { OpEntry } from '@poundlock/core/internal/op';

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

/** `sem: acquire | relaxed; scope: cta | cluster | gpu | sys`. */
function optionsOf({ options }: FunctionEntry): string {
  return Object.entries(options.values)
    .filter(([, { isInternal }]) => isInternal !== true)
    .map(([name, { words, keys = [] }]) => {
      const values = [...(words ?? []), ...keys.map((key) => `{ ${key} }`)];
      return values.length === 0 ? name : `${name}: ${values.join(' | ')}`;
    })
    .join('; ');
}

function textOf(entry: FunctionEntry): string {
  const lines = Object.entries(wordsOf(entry))
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `  ${name.padEnd(8)} ${text}\n`);
  return `${entry.name}: ${entry.does}\n${lines.join('')}`;
}

/** Whether a name is asked for: `produce` is that of `ab.produce`. */
function isNamed({ name }: FunctionEntry, word: string): boolean {
  const lower = name.toLowerCase();
  return lower === word || lower.endsWith(`.${word}`);
}

/** Whether a name of another library, or an instruction of PTX, has the word. */
function isElsewhere(entry: FunctionEntry, word: string): boolean {
  const { PTX, CUTLASS, CuTe, Mojo } = wordsOf(entry);
  return [PTX, CUTLASS, CuTe, Mojo].some((text) => text.toLowerCase().includes(word));
}

/**
 * The functions of a name, else those that another library or PTX calls so, else those whose
 * description has the word; `null` where there is none.
 */
export function describeFunctions(word: string): string | null {
  const lower = word.toLowerCase().replace(/\(.*\)$/, '');
  if (lower === '') return null;
  const found = [
    ALL.filter((entry) => isNamed(entry, lower)),
    ALL.filter((entry) => isElsewhere(entry, lower)),
  ].find((entries) => entries.length > 0);
  return found === undefined ? null : found.map(textOf).join('\n');
}

/** The function with exactly this name; `null` where there is none. */
export function describeFunction(name: string): string | null {
  const found = ALL.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  return found === undefined ? null : textOf(found);
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
export function listFunctions(): string {
  const width = Math.max(...ALL.map(({ name }) => name.length));
  const sections = Object.entries(FUNCTIONS).map(([title, entries]) => {
    const lines = entries.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}\n`);
    return `${title}\n${lines.join('')}`;
  });
  const help =
    'poundlock operations WORD describes one, by its name here, in PTX or in a library\n';
  return `${sections.join('\n')}\n${help}`;
}
