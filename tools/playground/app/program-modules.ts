// The modules of a program: files by their names, with poundlock's own modules as imports.
import { parse } from 'es-module-lexer/js';
import { InputError, positionInStack } from '@poundlock/core/internal/base';
import { kernelOf, type Kernel } from '@poundlock/core/internal/program';
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';
import { OWN_MODULES, ownModuleText } from './own-modules.ts';
import { lowerUsing, used, USING } from './lower-using.ts';
import { stripTypes } from './strip-types.ts';

/** Where the files of a program are, for the positions of its lines. */
export const PROGRAM = 'file:///program/';

/** Loads the first file as a module; another call loads everything anew. */
export async function loadProgram(files: readonly SharedFile[]): Promise<Kernel> {
  const urls = new ModuleAddresses(files, await knowsUsing());
  const entry = files[0]!.name;
  const url = urls.of(entry, []);
  const module = await imported(url);
  return kernelOf(module);
}

async function imported(url: string): Promise<Record<string, unknown>> {
  try {
    return (await import(url)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { name, message, stack } = error as Error;
    const what = name === 'SyntaxError' ? 'syntax error' : `throws while it is loaded: ${name}`;
    throw new InputError(`${what}: ${message}`, positionInStack(stack));
  }
}

const NO_USING =
  'this browser does not know `using`, and this one cannot be written with try: Chromium 134, ' +
  'Firefox 141 and newer ones do';

(globalThis as Record<string, unknown>)[USING] = used;

let isKnown: Promise<boolean> | null = null;

/** Whether the browser runs `using`; Safari does not, nor do older ones. */
function knowsUsing(): Promise<boolean> {
  isKnown ??= import(moduleAddress('{ using none = null; }')).then(
    () => true,
    () => false,
  );
  return isKnown;
}

class ModuleAddresses {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #addresses = new Map<string, string>();

  readonly #knowsUsing: boolean;

  constructor(files: readonly SharedFile[], knows: boolean) {
    this.#knowsUsing = knows;
    this.#texts = new Map(files.map(({ name, text }) => [name, text]));
  }

  /** The address of a file, after those of its imports; `within` are the files that import it. */
  of(name: string, within: readonly string[]): string {
    const known = this.#addresses.get(name);
    if (known !== undefined) return known;
    const file = PROGRAM + name;
    const stripped = stripTypes(this.#texts.get(name)!, file);
    const text = this.#knowsUsing ? stripped : lowerUsing(stripped);
    if (text === null) throw new InputError(NO_USING, { file, line: 1, column: 1 });
    const address = moduleAddress(`${this.#linked(text, name, within)}\n//# sourceURL=${file}\n`);
    this.#addresses.set(name, address);
    return address;
  }

  /** The text with the addresses of its imports. */
  #linked(text: string, name: string, within: readonly string[]): string {
    let linked = text;
    const [imports] = parse(text, name);
    for (const found of imports.toReversed()) {
      const specifier = 'specifier' in found ? found.specifier : undefined;
      // It is calculated when it runs: the import fails then.
      if (specifier === undefined || specifier === null) continue;
      const { start, end, type } = found;
      const at = { name, text, start };
      const address = this.#resolved(specifier, at, [...within, name]);
      // The bounds of a dynamic import's specifier are around its quotes.
      const written = type === 'dynamic' ? JSON.stringify(address) : address;
      linked = linked.slice(0, start) + written + linked.slice(end);
    }
    return linked;
  }

  #resolved(specifier: string, at: Place, within: readonly string[]): string {
    if (Object.hasOwn(OWN_MODULES, specifier)) return this.#own(specifier);
    const name = /^\.\.?\//.test(specifier) ? pathOf(specifier, at.name) : null;
    if (name === null || !this.#texts.has(name)) throw missing(specifier, at);
    if (within.includes(name)) {
      throw new InputError(`${specifier} imports this file again`, positionOf(at));
    }
    return this.of(name, within);
  }

  #own(specifier: string): string {
    const known = this.#addresses.get(specifier);
    if (known !== undefined) return known;
    const address = moduleAddress(ownModuleText(specifier));
    this.#addresses.set(specifier, address);
    return address;
  }
}

interface Place {
  readonly name: string;
  readonly text: string;
  readonly start: number;
}

function missing(specifier: string, at: Place): InputError {
  const isOwn = specifier.startsWith('poundlock/');
  const why = isOwn ? `'${specifier}' does not run in a browser` : `cannot find '${specifier}'`;
  return new InputError(why, positionOf(at));
}

function positionOf({ name, text, start }: Place) {
  const before = text.slice(0, start).split('\n');
  return { file: PROGRAM + name, line: before.length, column: before.at(-1)!.length + 1 };
}

/** The name of the file that a relative import of another file means; `null` outside of all. */
function pathOf(specifier: string, from: string): string | null {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

function moduleAddress(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
}
