// A counterexample with another size than the requested one: its findings name both.
import { rangesOf } from '@poundlock/core/internal/base';
import { severityOf } from '@poundlock/core/internal/finding';
import type { CheckResult, Finding, Parameters } from '@poundlock/core/internal/finding';
import { IntegerParameter } from '@poundlock/core/internal/program';

/** `tiles=4`. */
function textOf(params: Parameters): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

const ONLY_REQUESTED = '--sizes requested checks the requested size only';
/** Where other sizes come from. */
const VARIED =
  "the launch file allows it ('vary'); --sizes requested checks the requested launch only";

/** Why a size counts: the range of a parameter includes it, or the kernel accepts it. */
function acceptedBy(declared: unknown): string {
  return declared instanceof IntegerParameter
    ? `its range, ${declared.text}, includes it; ${ONLY_REQUESTED}`
    : 'a kernel that does not accept a size throws, or declares its range with integer(); ' +
        ONLY_REQUESTED;
}

/**
 * The result of the requested parameters with the errors of another size, which differs in
 * `changes` and which the kernel accepts, or its parameter `declared`.
 */
export function atOtherSize(
  requested: CheckResult,
  found: CheckResult,
  changes: Parameters,
  declared: unknown,
): CheckResult {
  const own = textOf(requestedOf(requested, changes));
  return withErrors(requested, found, {
    where: `${textOf(changes)} (requested: ${own})`,
    note: `${standing(requested, own)}; ${acceptedBy(declared)}`,
    about: { params: changes },
  });
}

/** The same for a value that the launch file of a kernel as built allows. */
export function atVariedSize(
  requested: CheckResult,
  found: CheckResult,
  changes: Parameters,
): CheckResult {
  const own = textOf(requestedOf(requested, changes));
  return withErrors(requested, found, {
    where: `${textOf(changes)} (requested: ${own})`,
    note: `it needs ${textOf(changes)}: ${standing(requested, own)}; ${VARIED}`,
    about: { params: changes },
  });
}

/** The requested values of the parameters that differ. */
function requestedOf({ params }: CheckResult, changes: Parameters): Parameters {
  return Object.fromEntries(Object.keys(changes).map((name) => [name, params[name]!]));
}

/**
 * The warning of a size that fails and that a plain number as default does not declare: the first
 * error there, and how to say whether the size occurs.
 */
export function atUndeclaredSize(
  requested: CheckResult,
  found: CheckResult,
  changes: Parameters,
  declared: number,
): Finding[] {
  const error = found.findings.find(({ severity }) => severity === 'error');
  if (error === undefined) return [];
  const [name] = Object.keys(changes);
  const own = textOf(requestedOf(requested, changes));
  const where = `${textOf(changes)}, a size that is not declared (requested: ${own})`;
  return [
    {
      ...error,
      rule: 'undeclared-size',
      severity: severityOf('undeclared-size'),
      message: `${error.rule} at ${where}: ${error.message}`,
      params: changes,
      helps: [
        `if ${name} is never 0, declare that: ${name}: integer(${declared}, { min: 1 })`,
        `if it can be 0, declare that, and this is an error: integer(${declared}, { min: 0 })`,
      ],
    },
  ];
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
