// Rows of equal tries: how often they may fail, and which are polls by the program's text (P07).
import type { Position } from '../base/index.ts';
import { isTry, OpKind } from '../op/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { Kernel } from './kernel.ts';
import { PollLoop, PollText } from './text/poll-loop.ts';

/** So many tries of a row may fail, where no integer of the kernel is greater. */
const FEWEST_FAILURES = 64;
/** The greatest integer that counts. */
const MAX_INTEGER = 4_096;
/** The most characters of a kernel's text in which integers are looked for. */
const MAX_TEXT = 100_000;

/** Whether an answer says that a try has failed. */
export function isFailure({ kind }: Instruction, answer: number): boolean {
  if (!isTry(kind)) return false;
  return kind === OpKind.tryClaim ? answer < 0 : answer === 0;
}

/** What the text of a kernel says about its tries, and which rows were cut off without it. */
export class RowsOfTries {
  /** R: the failures of a row after which the next try is taken for a poll. */
  readonly most: number;
  /** Tries that were taken for polls, and the text does not show that they are. */
  readonly assumed = new Map<
    string,
    { readonly role: number; readonly place: Position | undefined }
  >();
  /** Whether texts are read: a real run makes all tries of a row, also where nothing follows. */
  areTextsRead = true;
  readonly #kernel: Kernel;
  #build: PollText | null = null;
  readonly #texts = new Map<string, PollText | null>();
  readonly #loops = new Map<string, PollLoop>();

  constructor(kernel: Kernel, values: Readonly<Record<string, unknown>>) {
    this.#kernel = kernel;
    const integers = [...Object.values(values).filter(Number.isInteger), ...integersOf(kernel)];
    const known = integers.map(Number).filter((one) => one <= MAX_INTEGER);
    this.most = Math.max(FEWEST_FAILURES, ...known.map((one) => one + 1));
  }

  /** Whether failures of a try leave nothing behind: then it is a poll at once. */
  isTraceless(instruction: Instruction, place: Position | undefined): boolean {
    return this.#loopOf(instruction, place) === PollLoop.traceless;
  }

  /** Notes that a row of {@link most} failures is followed by a try that is taken for a poll. */
  cutOff(instruction: Instruction, place: Position | undefined): void {
    if (this.#loopOf(instruction, place) !== PollLoop.unknown) return;
    const { role } = instruction;
    this.assumed.set(`${role} ${keyOf(place)}`, { role, place });
  }

  #loopOf(instruction: Instruction, place: Position | undefined): PollLoop {
    if (place === undefined || !this.areTextsRead) return PollLoop.unknown;
    const miss = instruction.kind === OpKind.tryClaim ? null : false;
    const key = `${miss} ${keyOf(place)}`;
    let loop = this.#loops.get(key);
    if (loop === undefined) this.#loops.set(key, (loop = this.#read(place, miss)));
    return loop;
  }

  #read({ file, line, column }: Position, miss: false | null): PollLoop {
    const own = this.#textOf(file);
    if (own !== null) return own.at(own.offsetOf(line, column), miss) ?? PollLoop.unknown;
    // The text of a function does not say where it is: all that may be meant have to be polls.
    const text = (this.#build ??= new PollText(String(this.#kernel.build)));
    const loops = text.offsetsAt(column).flatMap((offset) => text.at(offset, miss) ?? []);
    return loops.length === 0 ? PollLoop.unknown : (Math.min(...loops) as PollLoop);
  }

  #textOf(file: string): PollText | null {
    let text = this.#texts.get(file);
    if (text === undefined) {
      const source = this.#kernel.sourceOf?.(file);
      this.#texts.set(file, (text = source === undefined ? null : new PollText(source)));
    }
    return text;
  }
}

function keyOf(place: Position | undefined): string {
  return place === undefined ? '' : `${place.file}:${place.line}:${place.column}`;
}

/** The integers in the text of a kernel and in its defaults. */
function integersOf({ build, defaults }: Kernel): number[] {
  const functions = [build, ...Object.values(defaults).filter((one) => typeof one === 'function')];
  return functions.flatMap((one) => {
    const text = String(one).slice(0, MAX_TEXT);
    const found = text.match(/(?<![\w.])\d[\d_]*(?![\w.])/g) ?? [];
    return found.map((digits) => Number(digits.replaceAll('_', '')));
  });
}
