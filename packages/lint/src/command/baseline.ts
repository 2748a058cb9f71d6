// The baseline: known findings of an existing code base that are not reported again.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { Finding } from '@poundlock/core/internal/finding';
import { systemMessage } from '@poundlock/core/internal/host';

const BASELINE_SCHEMA = 'poundlock/lint-baseline@1';

/** The number of findings of each rule, file and message; line numbers may change. */
export type Baseline = Map<string, number>;

function keyOf({ rule, message, primary }: Finding): string {
  return `${rule}|${primary.file}|${message}`;
}

export function readBaseline(file: string, cwd: string): Baseline {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    const help = 'write it with --update-baseline';
    throw new InputError(`cannot read the baseline ${file}: ${systemMessage(error)}; ${help}`);
  }
  try {
    const { schema, findings } = JSON.parse(text) as { schema: string; findings: object };
    if (schema === BASELINE_SCHEMA) return new Map(Object.entries(findings));
  } catch {
    // Reported below: not a baseline.
  }
  throw new InputError(`${file} is not a baseline of poundlock lint`);
}

export function baselineText(findings: readonly Finding[]): string {
  const counts: Baseline = new Map();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  const sorted = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ schema: BASELINE_SCHEMA, findings: sorted }, null, 2)}\n`;
}

/** The findings that exceed the baseline's count of equal findings. */
export function beyond<F extends Finding>(findings: readonly F[], baseline: Baseline): F[] {
  const remaining = new Map(baseline);
  return findings.filter((finding) => {
    const key = keyOf(finding);
    const count = remaining.get(key) ?? 0;
    remaining.set(key, count - 1);
    return count <= 0;
  });
}
