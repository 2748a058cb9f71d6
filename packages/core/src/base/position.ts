// Source positions, read from the stack trace of the JavaScript engine on demand.

/**
 * The number of an instruction of a kernel as built, beside its position: engines compare it, and
 * no report shows it. Several instructions may have one position.
 */
export const INSTRUCTION = Symbol('instruction');

/** A position in the user's source. */
export interface Position {
  /** @internal */
  readonly [INSTRUCTION]?: number;
  /** A path or a file URL. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** Of a kernel as built: the line of its PTX, where that is another file. */
  readonly ptx?: PtxLine;
}

/** A line of a PTX text. */
export interface PtxLine {
  /** A path or a file URL. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
}

// The folders that hold the modules of these packages: their frames are never the user's. The list
// is the process's, because `@poundlock/ring` holds a compiled copy of this module.
const OWN_FOLDERS = Symbol.for('poundlock.ownFolders');
const shared = globalThis as { [OWN_FOLDERS]?: string[] };
const folders = (shared[OWN_FOLDERS] ??= []);

/**
 * Declares that the modules in the folder with the URL `folder` are a library's: findings show the
 * line of the user's code that called them.
 *
 * @example
 * import { registerOwnFolder } from '@poundlock/core/dialect';
 *
 * registerOwnFolder(new URL('./my-dialect/', import.meta.url).href);
 */
export function registerOwnFolder(folder: string): void {
  if (!folders.includes(folder)) folders.push(folder);
}
registerOwnFolder(new URL('..', import.meta.url).href);

/** The URLs of the folders whose modules are poundlock's own. */
export function ownFolders(): readonly string[] {
  return folders;
}

/** Whether a module, by its URL or path, is poundlock's own. */
export function isOwnModule(file: string): boolean {
  return folders.some(
    (folder) => file.startsWith(folder) || file.startsWith(folder.slice('file://'.length)),
  );
}

// Resumes the user's generators: what called it is none of the user's code.
const DRIVER = /\/program\/cursor\.[jt]s$/;
/** A frame of V8, or of the engines of other browsers: `name@file:line:column`. */
const FRAME =
  /^(?:\s*at (?:.*? \()?|[^@\s]*@)((?:file:|https?:|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;
/** Frames of a stack that are looked at: the user's is mostly near its top, and each costs. */
const FEW_FRAMES = 12;
const STACK_FRAMES = 60;

/** The first frame of a stack trace that is the user's, or `undefined` when there is none. */
export function positionInStack(stack: string | undefined): Position | undefined {
  for (const text of (stack ?? '').split('\n')) {
    const frame = FRAME.exec(text);
    if (frame === null) continue;
    const [, file, line, column] = frame;
    if (file === undefined) continue;
    const isOwn = isOwnModule(file);
    if (isOwn && DRIVER.test(file)) return undefined;
    if (isOwn) continue;
    if (file.startsWith('node:')) continue;
    return { file: file.replace(/\?.*$/, ''), line: Number(line), column: Number(column) };
  }
  return undefined;
}

/**
 * The user's line that is being run now, for an `InputError`. Costs about 10 µs: never call
 * it in a hot loop.
 *
 * @example
 * import { InputError } from 'poundlock';
 * import { currentPosition } from '@poundlock/core/dialect';
 *
 * const error = new InputError('a group has at least 1 thread', currentPosition());
 * console.log(error.message); // a group has at least 1 thread
 */
export function currentPosition(): Position | undefined {
  return positionWithin(FEW_FRAMES) ?? positionWithin(STACK_FRAMES);
}

/** The place that is being run now, for {@link positionInStack}: cheap while it is not read. */
export function callSite(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FEW_FRAMES;
  const site = new Error();
  Error.stackTraceLimit = limit;
  return site;
}

function positionWithin(frames: number): Position | undefined {
  const limit = Error.stackTraceLimit;
  // A program may have fixed it.
  Reflect.set(Error, 'stackTraceLimit', frames);
  const { stack } = new Error();
  Reflect.set(Error, 'stackTraceLimit', limit);
  return positionInStack(stack);
}

/** `file:line:column`, the form that terminals turn into a link. */
export function formatPosition(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`;
}

/** A position of the source as a key: two lines of PTX that have it in common do not differ. */
export function positionKey(position: Position | undefined): string {
  return position === undefined ? '' : formatPosition(position);
}
