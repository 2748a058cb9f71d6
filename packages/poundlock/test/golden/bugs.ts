// The examples with a bug or a warning, each with the rule that it violates.
import type { RuleId } from '../../../core/src/finding/index.ts';
import type { MemoryProfile } from '../../src/check/options.ts';

export interface ExampleSchedule {
  /** The rule that the first finding must have. */
  readonly rule: RuleId;
  /** Parameters with which the same text has no bug, where they can undo it. */
  readonly undo?: string;
}

/** Rules that not every memory profile reports: the one that their examples and pages need. */
export const PROFILES: Readonly<Partial<Record<RuleId, MemoryProfile>>> = {
  'missing-tcgen05-fence': 'isa',
  'missing-wgmma-fence': 'isa',
};

/** The options that an example of a rule is checked with. */
export function optionsFor(rule: RuleId): string {
  const profile = PROFILES[rule];
  return profile === undefined ? '' : ` --memory ${profile}`;
}

/** The examples of `examples/broken`, by name. */
export const BUGS: Readonly<Record<string, ExampleSchedule>> = {
  'accumulator-too-early': { rule: 'register-in-flight', undo: '--set early=false' },
  'adopted-twice': { rule: 'double-release' },
  'barrier-in-branch': { rule: 'divergent-barrier', undo: '--set inBranch=false' },
  capacity: { rule: 'capacity', undo: '--set columns=256' },
  'cluster-arrive-twice': { rule: 'cluster-barrier-misuse', undo: '--set waits=true' },
  'count-too-small': { rule: 'race', undo: '--set consumers=2' },
  'cta-scoped-release': { rule: 'scope-too-narrow', undo: '--set wide=true' },
  'divergent-exit': { rule: 'divergent-exit', undo: '--set tiles=2' },
  'divergent-step': { rule: 'divergent-step', undo: '--set steppingLanes=32' },
  'double-acquire': { rule: 'double-acquire' },
  'double-release': { rule: 'double-release' },
  'early-release': { rule: 'race' },
  'early-remote-write': { rule: 'cta-not-begun', undo: '--set synced=true' },
  'escaped-stage': { rule: 'child-outlives-parent' },
  'every-lane-arrives': { rule: 'false-block', undo: '--set consumers=32' },
  'exit-with-open-flight': { rule: 'exit-with-open-flight', undo: '--set waits=true' },
  'expect-too-large': { rule: 'deadlock' },
  'expect-too-small': { rule: 'tx-mismatch' },
  'forgotten-handle': { rule: 'leaked-stage' },
  'forked-pipeline': { rule: 'forked-pipeline' },
  'lapped-lane': { rule: 'false-block' },
  'late-expect': { rule: 'tx-mismatch' },
  'late-grid-wait': { rule: 'missing-grid-dependency-wait', undo: '--set early=true' },
  'late-init': { rule: 'uninitialised-barrier', undo: '--set synced=true' },
  'loop-captures': { rule: 'loop-captures' },
  'missing-drain': { rule: 'missing-drain' },
  'missing-expect': { rule: 'deadlock' },
  'missing-release': { rule: 'stepped-without-signal' },
  'missing-yield': { rule: 'floating-op', undo: '--set performs=true' },
  'multicast-commit': { rule: 'missing-drain', undo: '--set drains=true' },
  'named-barrier-count': { rule: 'named-barrier-mismatch', undo: '--set threads=160' },
  'nondeterministic-role': { rule: 'nondeterministic-role' },
  'odd-barrier-count': { rule: 'misaligned-barrier-count', undo: '--set threads=160' },
  'one-barrier': { rule: 'count-out-of-range', undo: '--set tiles=4 --set bytes=131072' },
  'one-barrier-id': { rule: 'shared-barrier-id', undo: '--set ids=2' },
  'one-end-mark': { rule: 'deadlock', undo: '--set marks=2' },
  'one-lane-waits': { rule: 'unjoined-lanes', undo: '--set joined=true' },
  'one-stage': { rule: 'deadlock', undo: '--set stages=2' },
  'one-warp-gives-registers': { rule: 'register-misuse', undo: '--set together=true' },
  'one-way-barrier': { rule: 'false-block', undo: '--set tiles=1 --sizes requested' },
  'other-lane-waits': { rule: 'group-of-another-thread', undo: '--set waiter=0' },
  'over-arrival': { rule: 'over-arrival' },
  'overlapping-tiles': { rule: 'aliased-buffers', undo: '--set waits=true' },
  'raii-too-early': { rule: 'race' },
  'relaxed-arrive': { rule: 'relaxed-signal', undo: '--set sem=release' },
  'relaxed-cluster-arrive': { rule: 'unfenced-init', undo: '--set fenced=true' },
  'release-order': { rule: 'release-order' },
  'silent-producer': { rule: 'stepped-without-signal' },
  'stale-token': { rule: 'stale-try-token' },
  'tensormap-in-use': { rule: 'tensormap-in-flight', undo: '--set waits=true' },
  'tensormap-not-released': { rule: 'unfenced-tensormap', undo: '--set fenced=true' },
  'ticket-alias': { rule: 'false-pass', undo: '--set stages=2' },
  'tmem-double-free': { rule: 'tmem-double-free', undo: '--set epilogueFrees=false' },
  'tmem-freed-early': { rule: 'tmem-use-after-free' },
  'too-many-registers': { rule: 'register-deadlock', undo: '--set each=160' },
  'unfenced-store': { rule: 'missing-proxy-fence', undo: '--set fenced=true' },
  'uninitialised-barrier': { rule: 'uninitialised-barrier' },
  'use-after-release': { rule: 'use-after-release' },
  'wrong-count': { rule: 'deadlock', undo: '--set consumers=1' },
  'wrong-start-phase': { rule: 'deadlock', undo: '--set start=1' },
};

/** The examples of `examples/warnings`, by name. */
export const WARNINGS: Readonly<Record<string, ExampleSchedule>> = {
  'late-pass': { rule: 'late-pass', undo: '--set waitsFor=2' },
  'not-quiescent': { rule: 'not-quiescent', undo: '--set warps=4' },
  'registers-left': { rule: 'unused-registers', undo: '--set each=240' },
  'tensor-memory-without-fences': { rule: 'missing-tcgen05-fence', undo: '--set fenced=true' },
  'tmem-not-relinquished': {
    rule: 'tmem-not-relinquished',
    undo: '--set relinquishes=true',
  },
  'undeclared-size': { rule: 'undeclared-size', undo: '--sizes requested' },
  'uneven-fences': { rule: 'unfenced-reuse', undo: '--set even=true' },
  'wgmma-without-fence': { rule: 'missing-wgmma-fence', undo: '--set each=true' },
};
