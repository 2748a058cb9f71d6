// Strings built from a handle that is a string: `url + '#'` holds the handle of `url`.
import { instanceOf } from './lifetime.ts';
import type { FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

/** The value of a string concatenated from these values. */
export function textWith(state: FlowState, values: readonly Value[]): Value {
  return values.find((value) => instanceOf(state, value)?.contract.isCopied) ?? UNKNOWN;
}

/** A template, or one of its spans; other opaque nodes are not strings. */
export function isTemplate(text: string, { start, end }: { start: number; end: number }): boolean {
  return text[start] === '`' || /(\$\{|`)$/.test(text.slice(end - 2, end));
}
