// An error as one line: the user's mistake with its place, or a bug of poundlock.
import { inspect } from 'node:util';
import {
  displayText,
  InputError,
  InvariantError,
  positionInStack,
  type Position,
} from '../base/index.ts';
import { fileName } from './file-name.ts';
import type { Host } from './host.ts';
import { isAboutFile, systemMessage } from './system-error.ts';

/** Text as one line. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

/** The message of an error, whatever was thrown. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return oneLine(inspect(thrown, { depth: 1 }));
  return oneLine(thrown.message === '' ? thrown.name : thrown.message);
}

/** `TypeError: x is not a function`; plain errors are their message. */
export function nameAndMessage(thrown: unknown): string {
  if (!(thrown instanceof Error) || thrown.name === 'Error') return messageOf(thrown);
  return thrown.message === '' ? thrown.name : `${thrown.name}: ${messageOf(thrown)}`;
}

/** Where a user's own code threw: the first frame of the stack is not poundlock's. */
function thrownAt(error: Error): Position | undefined {
  const stack = error.stack ?? '';
  const first = /^\s+at .*$/m.exec(stack)?.[0];
  return error instanceof InvariantError ? undefined : positionInStack(first);
}

/**
 * Turns what the user can cause into an {@link InputError}: an error that their code threw becomes
 * one with its place. Anything else is `undefined`: a bug of poundlock.
 */
export function asInputError(thrown: unknown): InputError | undefined {
  if (thrown instanceof InputError) return thrown;
  if (!(thrown instanceof Error)) return new InputError(`throws ${messageOf(thrown)}`);
  const position = thrownAt(thrown);
  if (position === undefined && isAboutFile(thrown))
    return new InputError(`${thrown.path}: ${systemMessage(thrown)}`);
  return position && new InputError(`throws ${nameAndMessage(thrown)}`, position);
}

/** `file:line:col: message`, `file: message` where only the file is known. */
export function inputErrorText(error: InputError, cwd: string, file?: string): string {
  const { position } = error;
  const message = displayText(oneLine(error.message));
  if (position !== undefined) {
    const { line, column } = position;
    return `${displayText(fileName(position.file, cwd))}:${line}:${column}: ${message}`;
  }
  const before = file === undefined ? '' : `${displayText(file)}:`;
  // A line of a file that was read is named by its reader.
  return message.startsWith(before) ? message : `${before} ${message}`;
}

/** One line for stderr, with the stack below it when POUNDLOCK_DEBUG is set. */
export function failureLines(thrown: unknown, host: Host, file?: string): string {
  const input = asInputError(thrown);
  const text =
    input === undefined
      ? `internal error (please report): ${displayText(nameAndMessage(thrown))}`
      : inputErrorText(input, host.cwd, file);
  const stack = thrown instanceof Error && host.env['POUNDLOCK_DEBUG'] ? `${thrown.stack}\n` : '';
  return `poundlock: ${text}\n${stack}`;
}
