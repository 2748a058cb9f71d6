// Kernels that were taken from a run of another program: what that run means for the verdict.
import { formatPosition, INSTRUCTION } from '@poundlock/core/internal/base';
import { isAgainstIsa } from '@poundlock/core/internal/finding';
import type {
  Assumption,
  CheckResult,
  Finding,
  RuleId,
  SourceLocation,
} from '@poundlock/core/internal/finding';
import type {
  Kernel,
  KernelReference,
  PlacedText,
  PossibleAccess,
  ReferenceFault,
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
  profile: MemoryProfile,
  budget: Budget,
): CheckResult {
  const result: CheckResult = {
    kernel: name,
    params,
    verdict: 'inconclusive',
    scope: { params, every: [], assumptions: [], sizes: [] },
    findings: [],
    reason: placed(reference.undecided),
    stats: { ...NOTHING, elapsedMs: budget.elapsedMs },
  };
  return withMisuses(result, faultsIn(reference, profile)) ?? result;
}

/** A result with what the run assumed. */
export function withReference(
  result: CheckResult,
  reference: KernelReference,
  profile: MemoryProfile,
): CheckResult {
  const assumptions = [...result.scope.assumptions, ...assumptionsOf(reference)];
  const faults = faultsIn(reference, profile);
  const [fault] = faults;
  const disordered = wordOutOfOrder(result, reference);
  const misused = withMisuses(result, faults);
  if (misused !== null) return misused;
  if (disordered !== null)
    return { ...result, verdict: 'inconclusive', findings: [], reason: placed(disordered.open) };
  if (result.verdict === 'counterexample')
    return withPossible(withScopes(result, reference), reference);
  if (fault !== undefined && result.verdict === 'certified')
    return { ...result, verdict: 'inconclusive', reason: placed(fault) };
  const practice = reference.assumptions.find(({ name }) => isAgainstIsa(name));
  if (practice !== undefined && profile === 'isa' && result.verdict === 'certified')
    return { ...result, verdict: 'inconclusive', reason: `it is proved if ${placed(practice)}` };
  const warnings = (reference.unwritten ?? []).flatMap(unwrittenOf);
  const findings = [...result.findings, ...warnings];
  return { ...result, findings, scope: { ...result.scope, assumptions } };
}

/** Work that reads what nothing writes, as a warning. */
function unwrittenOf({ text, position }: PlacedText): Finding[] {
  if (position === undefined) return [];
  const rule = 'unwritten-read';
  return [
    {
      rule,
      severity: 'warning',
      message: text,
      primary: { ...position, text: 'it reads here' },
      labels: [],
      notes: ['an address that tcgen05.alloc stores is no data'],
      helps: ['write the memory before the work begins, or leave the work out'],
    },
  ];
}

/** What is a mistake in a profile: in others than `isa`, practices are none. */
function faultsIn({ faults }: KernelReference, profile: MemoryProfile): readonly ReferenceFault[] {
  return profile === 'isa' ? faults : faults.filter(({ isOfIsa }) => isOfIsa !== true);
}

/** A result with what the kernel does wrong on every schedule; `null` where it does nothing so. */
function withMisuses(result: CheckResult, faults: readonly ReferenceFault[]): CheckResult | null {
  const isProved = ({ certain }: ReferenceFault): boolean =>
    certain?.isOrdered !== true || result.verdict === 'certified';
  const all = faults.filter(isProved).flatMap((fault) => misuseOf(fault) ?? []);
  // Copies of one line of the source say it once.
  const misuses = [...Map.groupBy(all, keyOf).values()].map(([first]) => first!);
  if (misuses.length === 0) return null;
  const { kernel, params, stats } = result;
  const scope = { ...result.scope, assumptions: [] };
  const findings = [...misuses, ...result.findings];
  return { kernel, params, stats, verdict: 'counterexample', scope, findings };
}

/** A mistake of every schedule as a finding: it has a place and no schedule. */
function misuseOf({ rule: kind, text, position, certain }: ReferenceFault): Finding | null {
  if (certain === undefined || position === undefined) return null;
  const { role, rule, instruction, isOnEachWay = false } = certain;
  return {
    rule: RULES[kind],
    severity: 'error',
    message: text,
    primary: {
      ...position,
      text: role === null ? 'it begins here' : `${role} executes it here`,
      ...(role === null ? {} : { role }),
    },
    labels: [],
    notes: [
      `the PTX ISA: ${rule}`,
      `it is ${instruction}; ${isOnEachWay ? ON_EACH_WAY : ON_EVERY_SCHEDULE}`,
    ],
    helps: [],
  };
}

/** The rule of each mistake of a run. */
const RULES: Readonly<Record<ReferenceFault['rule'], RuleId>> = {
  'over-arrival': 'over-arrival',
  'out-of-bounds': 'invalid-operation',
  misaligned: 'invalid-operation',
  'barrier-count': 'invalid-operation',
  'cluster-mask': 'invalid-operation',
  'non-coherent': 'invalid-operation',
  'named-barrier': 'invalid-operation',
  'member-mask': 'invalid-operation',
  trap: 'invalid-operation',
  'uninitialized-barrier': 'invalid-operation',
  'tensor-map': 'invalid-operation',
  'register-in-flight': 'register-in-flight',
  'missing-wgmma-fence': 'missing-wgmma-fence',
  'tensor-memory': 'invalid-operation',
  'unjoined-lanes': 'invalid-operation',
  stuck: 'invalid-operation',
};

const ON_EVERY_SCHEDULE =
  'the launch alone leads there: it is executed on every schedule and for all data';

const ON_EACH_WAY = 'data decides which way is taken, and something is wrong on each';

function keyOf({ message, primary: { file, line, column } }: Finding): string {
  return `${message} ${file}:${line}:${column}`;
}

/** What a run assumed. */
export function assumptionsOf({ assumptions }: Pick<KernelReference, 'assumptions'>): Assumption[] {
  return assumptions.map(({ name, text, position: place }) => {
    return place === undefined ? { name, text } : { name, text, place };
  });
}

/** Rules about accesses: how two are ordered, and whether there is what one of them reaches. */
const OF_ACCESSES: ReadonlySet<string> = new Set([
  'race',
  'unjoined-lanes',
  'missing-drain',
  'cta-not-begun',
  'missing-proxy-fence',
  'relaxed-signal',
  'scope-too-narrow',
]);

/** Rules that a fence may keep. */
const OF_FENCES: ReadonlySet<string> = new Set([
  'missing-proxy-fence',
  'relaxed-signal',
  'scope-too-narrow',
  'unfenced-init',
  'unfenced-tensormap',
]);

/** Two accesses that would not race if the scope of each included the other one. */
function withScopes(result: CheckResult, { strong = [] }: KernelReference): CheckResult {
  const error = result.findings.find(({ severity }) => severity === 'error');
  const [other] = error?.labels ?? [];
  if (error?.rule !== 'race' || other === undefined) return result;
  const both = [error.primary, other].map((place) => strong.find((about) => isOf(place, about)));
  const texts = both.map((access) => access?.text);
  const narrow = texts.find((text) => text !== undefined && text !== '');
  if (narrow === undefined || texts.includes(undefined)) return result;
  const notes = [...error.notes, narrow];
  const findings = result.findings.map((each): Finding => {
    return each === error ? { ...each, rule: 'scope-too-narrow', notes } : each;
  });
  return { ...result, findings };
}

/** An error at an access that may never happen is not proved. */
function withPossible(result: CheckResult, reference: KernelReference): CheckResult {
  const { possible, guarded = [], linked = [], meeting = [], fences = [] } = reference;
  const error = result.findings.find(({ severity }) => severity === 'error');
  const [fence] = error !== undefined && OF_FENCES.has(error.rule) ? fences : [];
  if (fence !== undefined)
    return { ...result, verdict: 'inconclusive', findings: [], reason: placed(fence) };
  if (error === undefined || !OF_ACCESSES.has(error.rule)) return result;
  const places = [error.primary, ...error.labels];
  const isNamed = (about: PlacedText): boolean => places.some((place) => isOf(place, about));
  const isAt = (place: SourceLocation): boolean => meeting.some((about) => isOf(place, about));
  // Both of the accesses that race are such stores.
  const both = places.filter(isAt).length > 1 ? meeting.find(isNamed) : undefined;
  // What the accesses are ordered by may be such a poll: that is no doubt.
  const accesses = [error.primary, ...error.labels.slice(0, 1)];
  const links = accesses.map((place) => linked.find((about) => isOf(place, about)));
  const poll = guarded.find((about) => accesses.some((place) => isOf(place, about)));
  const open = poll ?? (links.includes(undefined) ? undefined : links[0]);
  const doubtful = possible.find(isNamed) ?? both;
  if (open === undefined && doubtful === undefined) return result;
  const note = open === undefined && both === undefined ? forSomeData(error, possible) : null;
  if (note !== null) return withNote(result, error, note);
  const reason = open === undefined ? `${error.message}, ${placed(doubtful!)}` : placed(open);
  return { ...result, verdict: 'inconclusive', findings: [], reason };
}

/**
 * Why a race is one for some data: one of its accesses is certain, and data freely decides what is
 * in doubt of the other one. `null` where that is not so.
 */
function forSomeData(error: Finding, possible: readonly PossibleAccess[]): string | null {
  const accesses = [error.primary, error.labels[0]];
  if (error.rule !== 'race' || accesses[1] === undefined) return null;
  const doubts = accesses.map((place) => possible.filter((about) => isOf(place!, about)));
  const [one, other] = doubts as [PossibleAccess[], PossibleAccess[]];
  // Two accesses in doubt may be so that never both happen.
  if (one.length > 0 && other.length > 0) return null;
  const notes = [...one, ...other].map((each) => each.forSomeData);
  return notes.includes(null) ? null : (notes[0] ?? null);
}

/** Whether a place of a finding is the instruction that a sentence is about. */
export function isOf(place: SourceLocation, { position }: PlacedText): boolean {
  const instruction = place[INSTRUCTION];
  return instruction !== undefined && instruction === position?.[INSTRUCTION];
}

function withNote(result: CheckResult, error: Finding, note: string): CheckResult {
  const findings = result.findings.map((each) => {
    return each === error ? { ...each, notes: [...each.notes, note] } : each;
  });
  return { ...result, findings };
}

/** A sentence with its place. */
export function placed({ text, position }: PlacedText): string {
  return position === undefined ? text : `${text} (${formatPosition(position)})`;
}
