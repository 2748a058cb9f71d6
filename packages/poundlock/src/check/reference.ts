// Kernels that were taken from a run of another program: what that run means for the verdict.
import { formatPosition } from '@poundlock/core/internal/base';
import type { CheckResult } from '@poundlock/core/internal/finding';
import type {
  Kernel,
  KernelReference,
  PlacedText,
  ResolvedParameters,
} from '@poundlock/core/internal/program';
import type { Budget } from './budget.ts';
import type { MemoryProfile } from './options.ts';
import { NOTHING } from './outcome.ts';
import { wordOutOfOrder } from './word-order.ts';

/** The result for a run that stands for no launch: nothing is proved. */
export function undecidedResult(
  { name }: Kernel,
  { values: params }: ResolvedParameters,
  reference: KernelReference & { readonly undecided: PlacedText },
  budget: Budget,
): CheckResult {
  return {
    kernel: name,
    params,
    verdict: 'inconclusive',
    scope: { params, every: [], assumptions: [], sizes: [] },
    findings: [],
    reason: placed(reference.undecided),
    stats: { ...NOTHING, elapsedMs: budget.elapsedMs },
  };
}

/** A result with what the run assumed. */
export function withReference(
  result: CheckResult,
  reference: KernelReference,
  profile: MemoryProfile,
): CheckResult {
  const assumptions = [...result.scope.assumptions, ...assumptionsOf(reference)];
  const [fault] = reference.faults;
  const disordered = wordOutOfOrder(result, reference);
  if (disordered !== null)
    return { ...result, verdict: 'inconclusive', findings: [], reason: placed(disordered.open) };
  if (result.verdict === 'counterexample') return withPossible(result, reference);
  if (fault !== undefined && result.verdict === 'certified')
    return { ...result, verdict: 'inconclusive', reason: placed(fault) };
  const practice = reference.assumptions.find(({ isPractice }) => isPractice === true);
  if (practice !== undefined && profile === 'isa' && result.verdict === 'certified')
    return { ...result, verdict: 'inconclusive', reason: `it is proved if ${placed(practice)}` };
  return { ...result, scope: { ...result.scope, assumptions } };
}

/** What a run assumed, a sentence each. */
export function assumptionsOf({ assumptions }: KernelReference): string[] {
  return assumptions.map(placed);
}

/** Rules about two accesses: how they are ordered, and at which level one is known. */
const OF_ACCESSES: ReadonlySet<string> = new Set([
  'race',
  'missing-proxy-fence',
  'relaxed-signal',
  'scope-too-narrow',
]);

/** An error at an access that may never happen is not proved. */
function withPossible(result: CheckResult, reference: KernelReference): CheckResult {
  const { possible, guarded = [] } = reference;
  const error = result.findings.find(({ severity }) => severity === 'error');
  if (error === undefined || !OF_ACCESSES.has(error.rule)) return result;
  const places = [error.primary, ...error.labels];
  const isNamed = ({ position }: PlacedText): boolean =>
    places.some(
      ({ file, line, column }) =>
        file === position?.file && line === position.line && column === position.column,
    );
  const open = guarded.find(isNamed);
  const doubtful = possible.find(isNamed);
  if (open === undefined && doubtful === undefined) return result;
  const reason =
    open === undefined
      ? `${error.message}, if the access happens: ${placed(doubtful!)}`
      : placed(open);
  return { ...result, verdict: 'inconclusive', findings: [], reason };
}

/** A sentence with its place. */
export function placed({ text, position }: PlacedText): string {
  return position === undefined ? text : `${text} (${formatPosition(position)})`;
}
