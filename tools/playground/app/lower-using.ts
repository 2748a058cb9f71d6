// `using` for browsers that do not know it: the same text with a try block, on the same lines.
//
// `using x = E;` becomes `const x = E; const u = using(x); try {`, and the end of its block
// `} catch (e) { u.fail(e); } finally { u.end(); } }`. What is before it keeps its line and column.
import { usingDeclarations } from './using-declarations.ts';

/** A piece of text that takes the place of another one. */
interface Insertion {
  readonly at: number;
  readonly remove: number;
  readonly text: string;
}

/** The name of the helper among the globals of a program's thread. */
export const USING = '__poundlockUsing';

/** A text without `using`; `null` where it cannot be written in another way. */
export function lowerUsing(text: string): string | null {
  const declarations = usingDeclarations(text);
  if (declarations === null) return null;
  // In the order in which they are made where several are at one place: what is inserted last is
  // first in the text, and of several resources of a block the last one is released first.
  const closes: Insertion[] = [];
  const opens: Insertion[] = [];
  for (const [number, { at, name, end, blockEnd }] of declarations.entries()) {
    const held = `__used${number}`;
    const semicolon = text[end - 1] === ';' ? '' : ';';
    const close = `} catch (__error) { ${held}.fail(__error); } finally { ${held}.end(); }`;
    closes.push({ at: blockEnd, remove: 0, text: close });
    opens.push(
      { at: end, remove: 0, text: `${semicolon} const ${held} = ${USING}(${name}); try {` },
      { at, remove: 'using'.length, text: 'const' },
    );
  }
  const sorted = [...closes, ...opens].toSorted((one, other) => other.at - one.at);
  let lowered = text;
  for (const { at, remove, text: inserted } of sorted)
    lowered = lowered.slice(0, at) + inserted + lowered.slice(at + remove);
  return lowered;
}

/** A resource of a block. */
export interface Used {
  /** Notes that the block threw, and throws it on. */
  readonly fail: (error: unknown) => never;
  /** Releases the resource, at the end of the block. */
  readonly end: () => void;
}

/** What a lowered block does with its resource: as the language defines it. */
export function used(value: unknown): Used {
  const isNone = value === null || value === undefined;
  const dispose: unknown = isNone ? null : (value as Partial<Disposable>)[Symbol.dispose];
  if (!isNone && typeof dispose !== 'function')
    throw new TypeError('Symbol(Symbol.dispose) is not a function');
  let failure: { readonly error: unknown } | null = null;
  return {
    fail: (error) => {
      failure = { error };
      throw error;
    },
    end: () => {
      if (typeof dispose !== 'function') return;
      try {
        dispose.call(value);
      } catch (error) {
        if (failure === null) throw error;
        throw suppressed(error, failure.error);
      }
    },
  };
}

/** The language's own error of two errors, which such a browser does not have either. */
function suppressed(error: unknown, first: unknown): Error {
  const both = new Error('An error was suppressed during disposal');
  both.name = 'SuppressedError';
  return Object.assign(both, { error, suppressed: first });
}
