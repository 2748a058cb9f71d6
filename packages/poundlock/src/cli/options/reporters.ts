// --json and --reporter NAME[=FILE]: who renders the results, and where they go.
import { InputError, nearest } from '@poundlock/core/internal/base';

interface Named {
  readonly name: string;
}

/** One rendering; without a file it goes to stdout. */
export interface Target<R> {
  readonly reporter: R;
  readonly file?: string;
}

function readTarget<R extends Named>(reporters: readonly R[], text: string): Target<R> {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const names = reporters.map((reporter) => reporter.name);
  const reporter = reporters.find((one) => one.name === name);
  if (reporter === undefined) {
    const guess = nearest(name, names);
    const help = guess === undefined ? `there are ${names.join(', ')}` : `did you mean ${guess}?`;
    throw new InputError(`there is no reporter ${name}: ${help}`);
  }
  const file = text.slice(at + 1);
  if (at >= 0 && file === '') throw new InputError(`--reporter ${text} needs a file after the =`);
  return at < 0 ? { reporter } : { reporter, file };
}

/** Reads the options; without any the terminal reporter writes to stdout. */
export function readTargets<R extends Named>(
  reporters: readonly R[],
  texts: readonly string[],
  asJson: boolean,
): Target<R>[] {
  const all = [...texts, ...(asJson ? ['json'] : [])];
  const targets = [...new Set(all.length === 0 ? ['terminal'] : all)].map((text) => {
    return readTarget(reporters, text);
  });
  const places = targets.map((target) => target.file ?? 'stdout');
  const shared = places.find((place, index) => places.indexOf(place) !== index);
  if (shared !== undefined) {
    throw new InputError(`two reporters write to ${shared}: give one of them another =FILE`);
  }
  return targets;
}
