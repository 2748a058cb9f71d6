// `name=value`, the shape of --set and --sweep.
import { InputError } from '@poundlock/core/internal/base';

/** Splits at the first `=`; throws an InputError that quotes the option. */
export function assignment(option: string, text: string, shape: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InputError(`${option} ${text}: write it as ${shape}`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
