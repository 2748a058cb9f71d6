// What the playground opens: the program of its address, an example, or the first example.
import {
  readProgram,
  writeProgram,
  type BuiltChoice,
  type SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';
import { filesOfExample, FIRST_EXAMPLE, type Example } from './gallery.ts';

/** A program that is open. */
export interface Opened {
  readonly files: readonly SharedFile[];
  /** The example that it is, while it is not changed; `null` for a program of its own. */
  readonly example: string | null;
  /** Which kernel and launch of PTX. */
  readonly choice: BuiltChoice;
}

/** The words of the address that name a program. */
const WORDS = ['program', 'example', 'entry', 'launch'];

/** The part of a fragment that names a program. */
export function programWords(fragment: string): string {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  return WORDS.map((name) => words.get(name) ?? '').join(' ');
}

/** Reads what a fragment names. */
export async function open(fragment: string, gallery: readonly Example[]): Promise<Opened> {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  const program = words.get('program');
  const choice = choiceOf(words);
  if (program !== null) return { files: await readProgram(program), example: null, choice };
  const id = words.get('example') ?? FIRST_EXAMPLE;
  const example = gallery.find((one) => one.id === id);
  if (example === undefined) throw new Error(`there is no example ${id}`);
  return { files: await filesOfExample(example), example: id, choice };
}

/** The kernel by its name, and the launch by its number, from 1. */
function choiceOf(words: URLSearchParams): BuiltChoice {
  const [entry, launch] = [words.get('entry'), Number(words.get('launch') ?? 0)];
  return {
    ...(entry !== null && { entry }),
    ...(Number.isInteger(launch) && launch > 0 && { launch: launch - 1 }),
  };
}

/** A fragment that opens a program; what else was in the one before is preserved. */
export async function fragmentOf(
  { files, example, choice }: Opened,
  before: string,
): Promise<string> {
  const words = new URLSearchParams(before.replace(/^#/, ''));
  for (const name of WORDS) words.delete(name);
  const own = new URLSearchParams(
    example === null ? { program: await writeProgram(files) } : { example },
  );
  if (choice.entry !== undefined) own.set('entry', choice.entry);
  if (choice.launch !== undefined) own.set('launch', String(choice.launch + 1));
  for (const [name, value] of words) own.set(name, value);
  return `#${own.toString()}`;
}

/** The fragment of what is shown; a program that was edited has no schedule yet. */
export function fragmentNow(program: Opened, isEdited: boolean): Promise<string> {
  const words = new URLSearchParams(location.hash.slice(1));
  if (isEdited) for (const name of SCHEDULE) words.delete(name);
  return fragmentOf(program, `#${words.toString()}`);
}

/** The words of the address that are of a schedule. */
const SCHEDULE = ['path', 'at'];

/** A fragment without the schedule of another program, and with the parameters that remain. */
export function restarted(fragment: string, known: Readonly<Record<string, unknown>>): string {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  for (const name of SCHEDULE) words.delete(name);
  const params = paramsOf(words.get('params'));
  const left = Object.entries(params).filter(([name]) => Object.hasOwn(known, name));
  words.delete('params');
  if (left.length > 0) words.set('params', JSON.stringify(Object.fromEntries(left)));
  return `#${words.toString()}`;
}

function paramsOf(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
