// The reporter for programs: one document with a schema name in it.
import { isChecked, type Outcome, type Reporter } from './report.ts';

export const CHECK_SCHEMA = 'poundlock/check@2';

function entry(outcome: Outcome): object {
  if (!isChecked(outcome)) return outcome;
  const { file, result } = outcome;
  const { kernel, params, verdict, reason, scope, notes, findings, example, stats } = result;
  return { file, kernel, params, verdict, reason, scope, notes, findings, example, stats };
}

/** Results as one JSON document: `poundlock/check@2`. */
export const json: Reporter = {
  name: 'json',
  render({ outcomes, many, skipped }) {
    const schema = CHECK_SCHEMA;
    const [only] = outcomes;
    const document =
      many || only === undefined
        ? { schema, results: outcomes.map(entry), ...(skipped > 0 && { skipped }) }
        : { schema, ...entry(only) };
    return `${JSON.stringify(document, null, 2)}\n`;
  },
};
