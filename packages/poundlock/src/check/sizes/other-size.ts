// A counterexample with another size than the requested one: its findings name both.
import { rangesOf } from '@poundlock/core/internal/base';
import type { CheckResult, Finding, Parameters } from '@poundlock/core/internal/finding';

/** `tiles=4`. */
function textOf(params: Parameters): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Where a size comes from: a written kernel accepts it, or a launch file allows it. */
type Source = 'kernel' | 'launch';

const SWITCHES: Readonly<Record<Source, string>> = {
  kernel:
    'a kernel that does not accept a size throws, or declares its range with integer(); ' +
    '--sizes requested checks the requested size only',
  launch: "the launch file allows it ('vary'); --sizes requested checks the requested launch only",
};

/**
 * The result of the requested parameters with the errors of other ones, which differ in `changes`.
 */
export function atOtherSize(
  requested: CheckResult,
  found: CheckResult,
  changes: Parameters,
  source: Source = 'kernel',
): CheckResult {
  const names = Object.keys(changes);
  const own = Object.fromEntries(names.map((name) => [name, requested.params[name]!]));
  const needed = source === 'launch' ? `it needs ${textOf(changes)}: ` : '';
  return withErrors(requested, found, {
    where: `${textOf(changes)} (requested: ${textOf(own)})`,
    note: `${needed}${standing(requested, textOf(own))}; ${SWITCHES[source]}`,
    about: { params: changes },
  });
}

/** The result of the requested launch with the errors of another one. */
export function atOtherLaunch(
  requested: CheckResult,
  found: CheckResult,
  { file, index }: { readonly file: string; readonly index: number },
): CheckResult {
  return withErrors(requested, found, {
    where: launchName({ file, index }),
    note:
      `it needs this launch: ${standing(requested, 'the first one')}; --launch and ` +
      '--launch-index check one launch only',
    about: { params: {}, launch: { file, index } },
  });
}

/** `launch-2.json`, `launch 1 of launch.json`. */
export function launchName({
  file,
  index,
}: {
  readonly file: string;
  readonly index: number;
}): string {
  return index === 0 ? file : `launch ${index} of ${file}`;
}

function standing({ verdict, reason }: CheckResult, subject: string): string {
  return verdict === 'certified'
    ? `${subject} itself is certified`
    : `${subject} itself is undecided: ${reason}`;
}

function withErrors(
  requested: CheckResult,
  found: CheckResult,
  {
    where,
    note,
    about,
  }: {
    readonly where: string;
    readonly note: string;
    readonly about: Pick<Finding, 'params' | 'launch'>;
  },
): CheckResult {
  const findings = found.findings
    .filter(({ severity }) => severity === 'error')
    .map((finding): Finding => {
      const message = `at ${where}: ${finding.message}`;
      return { ...finding, message, ...about, notes: [...finding.notes, note] };
    });
  const { kernel, params } = requested;
  const scope = { ...requested.scope, params: found.params };
  return { kernel, params, verdict: 'counterexample', scope, findings, stats: found.stats };
}

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
