// Texts that are made of a handle which is a text itself: `url + '#'` holds what `url` holds.
import { instanceOf } from './lifetime.ts';
import type { FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

/** What a text made of these values holds. */
export function textWith(state: FlowState, values: readonly Value[]): Value {
  return values.find((value) => instanceOf(state, value)?.contract.isCopied) ?? UNKNOWN;
}

/** A template, or one of its spans; what is opaque in other ways is no text. */
export function isTemplate(text: string, { start, end }: { start: number; end: number }): boolean {
  return text[start] === '`' || /(\$\{|`)$/.test(text.slice(end - 2, end));
}
