// A counterexample with another size than the requested one: its findings name both.
import { rangesOf } from '@poundlock/core/internal/base';
import type { CheckResult, Finding, Parameters } from '@poundlock/core/internal/finding';

/** `tiles=4`. */
function textOf(params: Parameters): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/**
 * The result of the requested parameters with the errors of other ones, which differ in `changes`.
 */
export function atOtherSize(
  requested: CheckResult,
  found: CheckResult,
  changes: Parameters,
): CheckResult {
  const names = Object.keys(changes);
  const own = Object.fromEntries(names.map((name) => [name, requested.params[name]!]));
  const isRight = requested.verdict === 'certified';
  const note = isRight
    ? `${textOf(own)} itself is certified; ${SWITCH}`
    : `${textOf(own)} itself is undecided: ${requested.reason}; ${SWITCH}`;
  const findings = found.findings
    .filter(({ severity }) => severity === 'error')
    .map((finding): Finding => {
      const message = `at ${textOf(changes)} (requested: ${textOf(own)}): ${finding.message}`;
      return { ...finding, message, params: changes, notes: [...finding.notes, note] };
    });
  const { kernel, params } = requested;
  const scope = { ...requested.scope, params: found.params };
  return { kernel, params, verdict: 'counterexample', scope, findings, stats: found.stats };
}

const SWITCH =
  'a kernel that does not accept a size throws, or declares its range with integer(); ' +
  '--sizes requested checks the requested size only';

/**
 * The result for a value of `every` that has an error, with the number of items that it needs;
 * `fewer` are the smaller values that were certified one by one.
 */
export function withSmallest(
  result: CheckResult,
  every: string,
  value: number,
  fewer: readonly number[],
): CheckResult {
  const isAll = fewer.length === value;
  const right = isAll ? 'smaller values have no error' : `${rangesOf(fewer)} have no error`;
  const note = `the error needs ${every}=${value}${fewer.length === 0 ? '' : `: ${right}`}`;
  const findings = result.findings.map((finding) =>
    finding.severity === 'error' ? { ...finding, notes: [...finding.notes, note] } : finding,
  );
  return { ...result, findings };
}
