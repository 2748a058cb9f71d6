// Model files: a GPU model as JSON, as `calibrate` writes it.
import type { GpuModel } from '../model.ts';
import { PARAMETER_NAMES, PARAMETERS } from '../parameters.ts';

/** What a model file says that it is: docs/schema/model.json. */
export const MODEL_SCHEMA = 'poundlock/model@1';

/** Digits that are kept: more than any measurement has. */
const DIGITS = 6;

/** The text of a model file that has every parameter. */
export function modelText({ name, title, caveat, errors, parameters }: GpuModel): string {
  const entries = PARAMETER_NAMES.map((one) => {
    const { value, source } = parameters[one];
    const { unit } = PARAMETERS[one];
    return [one, { value: Number(value.toPrecision(DIGITS)), unit, source }];
  });
  const document = {
    schema: MODEL_SCHEMA,
    name,
    title,
    caveat,
    ...(errors !== undefined && { errors }),
    parameters: Object.fromEntries(entries) as unknown,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
