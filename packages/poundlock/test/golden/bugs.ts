// The examples with a bug or a warning, each with the rule that it violates.
import type { ScheduleRule } from '../../../core/src/finding/index.ts';

export interface ExampleSchedule {
  /** The rule that the first finding must have. */
  readonly rule: ScheduleRule;
  /** Parameters with which the same text has no bug, where they can undo it. */
  readonly undo?: string;
}

/** The examples of `examples/broken`, by name. */
export const BUGS: Readonly<Record<string, ExampleSchedule>> = {
  'adopted-twice': { rule: 'double-release' },
  capacity: { rule: 'capacity', undo: '--set columns=256' },
  'count-too-small': { rule: 'race', undo: '--set consumers=2' },
  'divergent-exit': { rule: 'divergent-exit', undo: '--set tiles=2' },
  'divergent-step': { rule: 'divergent-step', undo: '--set steppingLanes=32' },
  'double-acquire': { rule: 'double-acquire' },
  'double-release': { rule: 'double-release' },
  'early-release': { rule: 'race' },
  'escaped-stage': { rule: 'child-outlives-parent' },
  'every-lane-arrives': { rule: 'false-block', undo: '--set consumers=32' },
  'exit-with-open-flight': { rule: 'exit-with-open-flight', undo: '--set waits=true' },
  'expect-too-large': { rule: 'deadlock' },
  'expect-too-small': { rule: 'tx-mismatch' },
  'forgotten-handle': { rule: 'leaked-stage' },
  'forked-pipeline': { rule: 'forked-pipeline' },
  'lapped-lane': { rule: 'false-block' },
  'late-expect': { rule: 'tx-mismatch' },
  'late-init': { rule: 'uninitialised-barrier', undo: '--set synced=true' },
  'loop-captures': { rule: 'loop-captures' },
  'missing-drain': { rule: 'missing-drain' },
  'missing-expect': { rule: 'deadlock' },
  'missing-release': { rule: 'stepped-without-signal' },
  'missing-yield': { rule: 'floating-op', undo: '--set performs=true' },
  'multicast-commit': { rule: 'missing-drain', undo: '--set drains=true' },
  'named-barrier-count': { rule: 'named-barrier-mismatch', undo: '--set threads=160' },
  'nondeterministic-role': { rule: 'nondeterministic-role' },
  'one-barrier': { rule: 'tx-out-of-range', undo: '--set tiles=4 --set bytes=131072' },
  'one-end-mark': { rule: 'deadlock', undo: '--set marks=2' },
  'one-stage': { rule: 'deadlock', undo: '--set stages=2' },
  'one-way-barrier': { rule: 'false-block', undo: '--set tiles=1 --sizes requested' },
  'over-arrival': { rule: 'over-arrival' },
  'raii-too-early': { rule: 'race' },
  'release-order': { rule: 'release-order' },
  'silent-producer': { rule: 'stepped-without-signal' },
  'stale-token': { rule: 'stale-try-token' },
  'ticket-alias': { rule: 'false-pass', undo: '--set stages=2' },
  'tmem-double-free': { rule: 'tmem-double-free', undo: '--set epilogueFrees=false' },
  'tmem-freed-early': { rule: 'tmem-use-after-free' },
  'uninitialised-barrier': { rule: 'uninitialised-barrier' },
  'use-after-release': { rule: 'use-after-release' },
  'wrong-count': { rule: 'deadlock', undo: '--set consumers=1' },
  'wrong-start-phase': { rule: 'deadlock', undo: '--set start=1' },
};

/** The examples of `examples/warnings`, by name. */
export const WARNINGS: Readonly<Record<string, ExampleSchedule>> = {
  'late-pass': { rule: 'late-pass', undo: '--set waitsFor=2' },
  'not-quiescent': { rule: 'not-quiescent', undo: '--set warps=4' },
  'tmem-not-relinquished': {
    rule: 'tmem-not-relinquished',
    undo: '--set relinquishes=true',
  },
};
