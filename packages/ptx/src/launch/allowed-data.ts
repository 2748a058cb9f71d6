// Which values the words of a buffer may hold: its field `values`.
import type { Field } from './json-fields.ts';

/** Values of the 32-bit words of a buffer. */
export interface AllowedData {
  readonly type: 'i32' | 'u32' | 'f32';
  readonly from: number;
  readonly to: number;
  readonly not: readonly number[];
}

const MAX_LISTED = 256;

function numberOf(field: Field, missing: number): number {
  if (field.isMissing) return missing;
  return typeof field.value === 'number' ? field.value : field.fail('has to be a number');
}

/** Reads `{ "type": "i32", "from": 1, "to": 8, "not": [0] }`; `null` where it is missing. */
export function readAllowed(field: Field): AllowedData | null {
  if (field.isMissing) return null;
  field.only(['type', 'from', 'to', 'not']);
  const type = (field.at('type').word(['i32', 'u32', 'f32']) ?? 'i32') as AllowedData['type'];
  const from = numberOf(field.at('from'), -Infinity);
  const to = numberOf(field.at('to'), Infinity);
  if (to < from) field.fail(`ends at ${to}, before it begins at ${from}`);
  const list = field.at('not').elements();
  if (list.length > MAX_LISTED) field.at('not').fail(`has more than ${MAX_LISTED} values`);
  return { type, from, to, not: list.map((each) => numberOf(each, 0)) };
}
