// A process of `node --permission`: program texts may use a list of Node's modules.
import process from 'node:process';
import { currentPosition, InputError } from '@poundlock/core/internal/base';
import { CALLS_OF_READERS, GLOBALS_OF_READERS, MODULES_OF_READERS } from './admitted.ts';

/** Whether Node's permission model is on, as for the texts that arrive at `poundlock mcp`. */
export const isRestricted = (process as { readonly permission?: unknown }).permission !== undefined;

const WHY = 'the process of this program text may only read';

/** Refuses a module that Node's permission model does not restrict, or not known to. */
export function mustBeAdmitted(module: string): void {
  if (!isRestricted || MODULES_OF_READERS.has(module)) return;
  throw new InputError(`may not use node:${module}: ${WHY}`);
}

function refusal(name: string): () => never {
  return () => {
    throw new InputError(`may not use ${name}: ${WHY}`, currentPosition());
  };
}

/** Takes the functions of `process` and the globals away that reach outside the process. */
export function restrict(language: ReadonlySet<string>): void {
  if (!isRestricted) return;
  for (const key of Object.getOwnPropertyNames(process)) {
    const property = Object.getOwnPropertyDescriptor(process, key)!;
    if (property.configurable !== true || CALLS_OF_READERS.has(key)) continue;
    const name = `process.${key}()`;
    if (typeof property.value === 'function')
      Object.defineProperty(process, key, { ...property, value: refusal(name) });
  }
  // It writes files.
  Object.defineProperty(process, 'report', { configurable: false, value: undefined });
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (language.has(name) || GLOBALS_OF_READERS.has(name)) continue;
    // Node reads some of them: only a call is refused.
    const refuse = refusal(`${name}()`);
    const value = new Proxy(function () {}, { apply: refuse, construct: refuse });
    Reflect.defineProperty(globalThis, name, { configurable: true, value });
  }
}
