// --set name=value: one parameter of a kernel.
import { InputError } from '@poundlock/core/internal/base';
import { assignment } from './assignment.ts';

/** Reads all --set options. Throws if a name is set twice, which is a mistake. */
export function readSets(texts: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = assignment('--set', text, 'name=value');
    const before = values.get(name);
    if (before !== undefined) {
      const help = `to check both, write --sweep ${name}=${before},${value}`;
      throw new InputError(`--set gives ${name} twice: ${help}`);
    }
    values.set(name, value);
  }
  return values;
}
