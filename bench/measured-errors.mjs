// Writes the errors of the models on measured tables where `simulate` prints its error bars from.
import { writeFileSync } from 'node:fs';

const FILE = new URL('../packages/poundlock/src/simulate/measured-errors.ts', import.meta.url);

/** The value that a share of the values is not above. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** Notes the errors of some tables, `{ chip: { table: [median, p95] } }`; the others stay. */
export async function noteErrors(found) {
  const { MEASURED_ERRORS: before } = await import(FILE.href);
  const chips = Object.entries(before).map(([chip, tables]) => {
    const all = Object.entries({ ...tables, ...found[chip] }).map(([table, errors]) => {
      const [median, p95] = errors.map((percent) => Number(percent.toFixed(2)));
      return `    ${table}: [${median}, ${p95}],`;
    });
    return [`  ${chip}: {`, ...all, '  },'].join('\n');
  });
  writeFileSync(
    FILE,
    `// Errors of the models on measured tables: bench/accuracy.mjs and bench/unfitted.mjs write this.

/** By model and table, in percent: the median and the 95th percentile over all rows. */
export const MEASURED_ERRORS = {
${chips.join('\n')}
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
`,
  );
}
