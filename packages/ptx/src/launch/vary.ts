// Which values the numbers of a launch may have beside the one it gives: its fields `vary`.
import type { AllowedValues } from '@poundlock/core/internal/program';
import type { Field } from './json-fields.ts';

/** The most values of a list. */
const MAX_LISTED = 256;
const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;

/**
 * Reads the field `vary` of a parameter: `{ "from": 0, "to": 64, "step": 1 }`, where each may be
 * left out, or a list of values.
 *
 * @returns `null` where the parameter has none.
 * @throws InputError that names the field.
 */
export function readVary(parameter: string, field: Field): AllowedValues | null {
  if (field.isMissing) return null;
  if (Array.isArray(field.value)) {
    const listed = field.elements().map((element) => element.integer(LEAST, MOST));
    if (listed.length > MAX_LISTED) field.fail(`has more than ${MAX_LISTED} values`);
    return { parameter, least: LEAST, most: MOST, step: 1, listed };
  }
  field.only(['from', 'to', 'step']);
  const least = field.at('from').integer(LEAST, MOST, 0);
  const most = field.at('to').integer(LEAST, MOST, MOST);
  if (most < least) field.fail(`ends at ${most}, before it begins at ${least}`);
  return { parameter, least, most, step: field.at('step').integer(1, MOST, 1), listed: null };
}
