// The catalogue of rules: for each rule its severity, what shows a violation, and its title.

/** The severity of a finding: an error makes the verdict a counterexample, a warning does not. */
export type Severity = 'error' | 'warning';

/**
 * What shows that a rule is violated: a schedule, the source text alone, either of them, the run of
 * a kernel as built, which performs the operation on every schedule, or a schedule of another size
 * than the requested one, which breaks a rule of its own.
 */
export type Evidence = 'schedule' | 'source' | 'either' | 'run' | 'size';

interface RuleRow<E extends Evidence> {
  /** An error makes a program a counterexample, a warning does not. */
  readonly severity: Severity;
  readonly evidence: E;
  /** A clause in lower case without a period. The page of the rule starts with it. */
  readonly title: string;
}

function error<E extends Evidence>(evidence: E, title: string): RuleRow<E> {
  return { severity: 'error', evidence, title };
}

function warning<E extends Evidence>(evidence: E, title: string): RuleRow<E> {
  return { severity: 'warning', evidence, title };
}

/**
 * Every rule, symptoms first and causes last: of several findings at one depth, that of the later
 * rule is reported first. CONTRIBUTING.md lists the other places that a new rule needs.
 */
const RULE_CATALOGUE = {
  deadlock: error('schedule', 'roles wait for each other and no operation can complete'),
  race: error(
    'schedule',
    'two accesses to one buffer, at least one of them a write, are not ordered',
  ),
  'false-pass': error('schedule', 'a wait passes although the phase it names has not completed'),
  'false-block': error('schedule', 'a wait blocks although the phase it names has completed'),
  'late-pass': warning('schedule', 'a wait passes because of a later phase than the one it names'),
  'over-arrival': error(
    'schedule',
    'a barrier receives more arrivals in one phase than it expects',
  ),
  'tx-mismatch': error('schedule', 'a phase completes while one of its copies is still in flight'),
  'count-out-of-range': error(
    'schedule',
    'a phase misses more bytes, or receives more too early, than an mbarrier can count',
  ),
  'leaked-stage': error('either', 'a stage is acquired and never released'),
  'double-release': error('either', 'a handle is released twice'),
  'use-after-release': error('either', 'a handle is used after it was released'),
  'double-acquire': error('schedule', 'a stage is acquired again before it is released'),
  'stepped-without-signal': error(
    'schedule',
    'a role advances to the next stage and never signals the one it leaves',
  ),
  'exit-with-open-flight': error(
    'schedule',
    'a CTA ends while its own asynchronous work still uses its memory',
  ),
  'missing-drain': error(
    'schedule',
    'an operation reaches a CTA or a barrier that no longer exists',
  ),
  'uninitialised-barrier': error(
    'schedule',
    'a barrier is used before it is initialized, or initialized while it is in use',
  ),
  'tmem-use-after-free': error('schedule', 'tensor memory is accessed after it was freed'),
  'tmem-double-free': error('schedule', 'tensor memory is freed twice'),
  'tmem-not-relinquished': warning(
    'schedule',
    'a CTA ends with tensor memory, or the permit to allocate it, still held',
  ),
  capacity: error('schedule', 'an allocation can never succeed'),
  'named-barrier-mismatch': error(
    'schedule',
    'roles use one named barrier with different thread counts',
  ),
  'divergent-exit': error(
    'schedule',
    'a role ends while others wait for it at the cluster barrier',
  ),
  'divergent-step': error('schedule', 'only some threads of a role advance their pipeline counter'),
  'stale-try-token': error(
    'schedule',
    'the result of a try is used for a stage that it did not test',
  ),
  'forked-pipeline': error(
    'schedule',
    'a role works through two copies of one pipeline, each with its own counter',
  ),
  'not-quiescent': warning(
    'schedule',
    'the program ends while a barrier is in the middle of a phase',
  ),
  'undeclared-size': warning('size', 'a kernel fails at a size that its parameters do not declare'),
  'child-outlives-parent': error(
    'schedule',
    'a handle is used after the handle that it depends on was released',
  ),
  'release-order': error('either', 'handles are released in the wrong order'),
  'nondeterministic-role': error('either', 'a role is not deterministic'),
  'loop-captures': error(
    'either',
    'the body of a loop changes a variable that is declared outside of it',
  ),
  leak: error('source', 'a handle is not released on every path'),
  'leak-on-throw': error(
    'source',
    'a handle is not released if an operation before its release fails',
  ),
  'escaping-handle': error('source', 'a handle escapes the scope that releases it'),
  'discarded-handle': error('source', 'a handle is acquired and discarded at once'),
  refused: error('source', 'the sound tier cannot show that every handle is released once'),
  'missing-proxy-fence': error(
    'schedule',
    'memory that threads wrote is reached by asynchronous work without a proxy fence',
  ),
  'unfenced-reuse': warning(
    'schedule',
    'memory that threads read is overwritten by asynchronous work without a proxy fence',
  ),
  'relaxed-signal': error(
    'schedule',
    'an access is ordered after another one by a signal or a wait that carries no memory',
  ),
  'scope-too-narrow': error(
    'schedule',
    'an access is ordered after one of another CTA by a signal or a wait for one CTA alone',
  ),
  'unfenced-tensormap': error(
    'schedule',
    'a copy uses a tensor map whose change did not pass its proxy',
  ),
  'tensormap-in-flight': error(
    'schedule',
    'a tensor map is changed while a copy that uses it is in flight',
  ),
  'missing-tcgen05-fence': warning(
    'schedule',
    'tensor memory is accessed after a signal without the fences of tcgen05',
  ),
  'missing-wgmma-fence': warning(
    'schedule',
    'registers are used by wgmma after a thread touched them, without a wgmma fence',
  ),
  'register-in-flight': error(
    'schedule',
    'registers are touched while a wgmma that uses them is in flight',
  ),
  'missing-grid-dependency-wait': error(
    'schedule',
    'a grid accesses memory that the grid before may still use',
  ),
  'aliased-buffers': error(
    'schedule',
    'accesses to two buffers that have bytes in common are not ordered',
  ),
  'group-of-another-thread': error(
    'schedule',
    'a thread waits for groups that another thread committed',
  ),
  'unjoined-lanes': error('schedule', 'threads of one role rely on what only others of them know'),
  'cta-not-begun': error('schedule', 'an operation reaches a CTA that may not have begun'),
  'unfenced-init': error('schedule', 'a barrier is used where its initialization is not visible'),
  'cluster-barrier-misuse': error(
    'schedule',
    'a role arrives twice at the cluster barrier, or waits there without an arrival',
  ),
  'divergent-barrier': error(
    'schedule',
    'only some lanes of a warp come to a barrier that needs all of them',
  ),
  'misaligned-barrier-count': error(
    'schedule',
    'the thread count of a named barrier is no multiple of a warp',
  ),
  'shared-barrier-id': error(
    'schedule',
    'arrivals of two uses of one named barrier can meet in one instance',
  ),
  'unused-registers': warning('schedule', 'registers are left that no role has'),
  'register-deadlock': error(
    'schedule',
    'a role waits for registers that no other role will give back',
  ),
  'register-misuse': error(
    'schedule',
    'a role changes its registers to a number that is not allowed',
  ),
  'invalid-operation': error('run', 'an instruction is executed in a way that the PTX ISA forbids'),
  'unwritten-read': warning('run', 'asynchronous work reads memory that nothing writes'),
  'floating-op': error('either', 'an operation that can block is created and never performed'),
  'await-in-role': error('source', 'a role waits for a promise'),
};

type Catalogue = typeof RULE_CATALOGUE;
type RulesWith<E extends Evidence> = {
  [Rule in keyof Catalogue]: Catalogue[Rule]['evidence'] extends E ? Rule : never;
}[keyof Catalogue];

/** The id of a rule, such as `deadlock`; `poundlock explain RULE` explains it. */
export type RuleId = keyof Catalogue;
/** Rules that `check`, or a recorded run, can report. */
export type ScheduleRule = RulesWith<'schedule' | 'either'>;
/** Rules about the levels at which an access is known, which no schedule but its order shows. */
export type MemoryRule = Extract<
  ScheduleRule,
  | 'missing-proxy-fence'
  | 'unfenced-reuse'
  | 'relaxed-signal'
  | 'scope-too-narrow'
  | 'unfenced-init'
  | 'unfenced-tensormap'
  | 'missing-tcgen05-fence'
  | 'missing-wgmma-fence'
  | 'missing-grid-dependency-wait'
  | 'unjoined-lanes'
  | 'group-of-another-thread'
  | 'cta-not-begun'
  | 'misaligned-barrier-count'
  | 'unused-registers'
>;
/** Rules of kernels as built, which one run of them shows. */
export type RunRule = RulesWith<'run'>;
/** Rules about the sizes of a kernel, which `check` reports of those around the requested one. */
export type SizeRule = RulesWith<'size'>;
/** Rules that `lint` can report. */
export type LintRule = RulesWith<'source' | 'either'>;

/** Every rule, in the order of the catalogue. */
export const ALL_RULES = Object.keys(RULE_CATALOGUE) as readonly RuleId[];

export const SCHEDULE_RULES = ALL_RULES.filter(isOfSchedules);

/** Rules of kernels as built, which one run of them shows. */
export const RUN_RULES = ALL_RULES.filter((rule): rule is RunRule => evidenceOf(rule) === 'run');

/** Rules about the sizes of a kernel. */
export const SIZE_RULES = ALL_RULES.filter((rule): rule is SizeRule => evidenceOf(rule) === 'size');

/** Rules whose findings leave a verdict as it is. */
export const WARNING_RULES = ALL_RULES.filter((rule) => severityOf(rule) === 'warning');

/** The rules of `lint` in reading order: handles of any kind first, then pipelines and roles. */
const LINT_ORDER = {
  leak: 1,
  'leak-on-throw': 2,
  'discarded-handle': 3,
  'double-release': 4,
  'use-after-release': 5,
  'escaping-handle': 6,
  'release-order': 7,
  'leaked-stage': 8,
  'floating-op': 9,
  'await-in-role': 10,
  'loop-captures': 11,
  'nondeterministic-role': 12,
  refused: 13,
} as const satisfies Readonly<Record<LintRule, number>>;

/** Ids of the rules that `lint` can report: handles of any kind first, then pipelines and roles. */
export const LINT_RULES = Object.keys(LINT_ORDER) as readonly LintRule[];

/** Whether a word is the id of a rule. */
export function isRule(word: string): word is RuleId {
  return Object.hasOwn(RULE_CATALOGUE, word);
}

function isOfSchedules(rule: RuleId): rule is ScheduleRule {
  const evidence = evidenceOf(rule);
  return evidence === 'schedule' || evidence === 'either';
}

export function evidenceOf(rule: RuleId): Evidence {
  return RULE_CATALOGUE[rule].evidence;
}

/** Whether a finding of this rule makes the program a counterexample. */
export function severityOf(rule: RuleId): Severity {
  return RULE_CATALOGUE[rule].severity;
}

/**
 * What a rule reports, as a clause without a period.
 *
 * @example
 * import { titleOf } from 'poundlock/lint';
 *
 * console.log(titleOf('double-release')); // a handle is released twice
 */
export function titleOf(rule: RuleId): string {
  return RULE_CATALOGUE[rule].title;
}

/** Sorts rules: the cause before the symptom. */
export function causeFirst(a: RuleId, b: RuleId): number {
  return ALL_RULES.indexOf(b) - ALL_RULES.indexOf(a);
}
