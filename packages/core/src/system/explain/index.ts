// Turns a symptom and the schedule that shows it into a finding.
import type { Finding } from '../../finding/index.ts';
import type { ArrivalsOfText } from '../../program/index.ts';
import type { Names } from '../names.ts';
import { Schedule } from '../schedule.ts';
import type { Symptom, SymptomRule } from '../symptom.ts';
import type { Move, System } from '../system.ts';
import { explainAlias } from './alias.ts';
import { nameCause } from './cause.ts';
import { explainFork, explainMisstep, explainStaleToken } from './counters.ts';
import { explainDeadlock } from './deadlock.ts';
import { Draft, type Scene } from './draft.ts';
import { explainCapacity, explainOverArrival, explainTxMismatch } from './fault.ts';
import { explainTxRange } from './tx-range.ts';
import { explainMemory, explainMissingDrain, explainUninitialised } from './lifetime.ts';
import { explainDivergentExit, explainNamedBarrier } from './named-barrier.ts';
import {
  explainGridWait,
  explainInit,
  explainLanes,
  explainProxyFence,
  explainRelaxed,
  explainReuse,
  explainScope,
} from './memory.ts';
import {
  explainGroups,
  explainRegisterFence,
  explainTensorFence,
  explainTensorMap,
} from './memory-units.ts';
import {
  explainClusterMisuse,
  explainDivergentBarrier,
  explainMisaligned,
  explainRegisterMisuse,
} from './misuse-of-machine.ts';
import { explainBegin } from './begin.ts';
import { explainUnusedRegisters } from './registers.ts';
import { explainMisuse } from './misuse.ts';
import { explainOpenFlight } from './open-flight.ts';
import { explainQuiescence } from './quiescence.ts';
import { explainPermit } from './tmem-permit.ts';
import { explainRace } from './race.ts';
import { explainSilence, stepsWithoutSignal } from './missing-signal.ts';

type Explainer = (scene: Scene, draft: Draft) => void;

const EXPLAINERS = {
  deadlock: explainDeadlock,
  race: explainRace,
  'false-pass': explainAlias,
  'false-block': explainAlias,
  'late-pass': explainAlias,
  'over-arrival': explainOverArrival,
  'tx-mismatch': explainTxMismatch,
  'count-out-of-range': explainTxRange,
  'missing-drain': explainMissingDrain,
  'exit-with-open-flight': explainOpenFlight,
  'uninitialised-barrier': explainUninitialised,
  'tmem-use-after-free': explainMemory,
  'tmem-double-free': explainMemory,
  capacity: explainCapacity,
  'named-barrier-mismatch': explainNamedBarrier,
  'divergent-exit': explainDivergentExit,
  'floating-op': explainMisuse,
  'leaked-stage': explainMisuse,
  'double-release': explainMisuse,
  'use-after-release': explainMisuse,
  'double-acquire': explainMisuse,
  'child-outlives-parent': explainMisuse,
  'divergent-step': explainMisuse,
  'release-order': explainOrder,
  'forked-pipeline': explainFork,
  'stale-try-token': explainStaleToken,
  'stepped-without-signal': explainSilence,
  'missing-proxy-fence': explainProxyFence,
  'unfenced-reuse': explainReuse,
  'relaxed-signal': explainRelaxed,
  'scope-too-narrow': explainScope,
  'unfenced-init': explainInit,
  'unfenced-tensormap': explainTensorMap,
  'missing-tcgen05-fence': explainTensorFence,
  'missing-wgmma-fence': explainRegisterFence,
  'missing-grid-dependency-wait': explainGridWait,
  'unjoined-lanes': explainLanes,
  'group-of-another-thread': explainGroups,
  'cta-not-begun': explainBegin,
  'tensormap-in-flight': explainRace,
  'register-in-flight': explainRace,
  'aliased-buffers': explainRace,
  'cluster-barrier-misuse': explainClusterMisuse,
  'divergent-barrier': explainDivergentBarrier,
  'misaligned-barrier-count': explainMisaligned,
  'shared-barrier-id': explainNamedBarrier,
  'unused-registers': explainUnusedRegisters,
  'register-deadlock': explainDeadlock,
  'register-misuse': explainRegisterMisuse,
  'not-quiescent': explainQuiescence,
  'tmem-not-relinquished': explainPermit,
} satisfies Readonly<Record<SymptomRule, Explainer>>;

/**
 * Rules whose cause can lie elsewhere, in a count, in bytes or in a parity; `true` where a barrier
 * is what they are about.
 */
const HAS_CAUSE: ReadonlyMap<SymptomRule, boolean> = new Map([
  ['race', false],
  ['exit-with-open-flight', false],
  ['false-pass', true],
  ['false-block', true],
  ['late-pass', true],
  ['over-arrival', true],
  ['tx-mismatch', true],
]);

/** Either scopes that end in the wrong order, or a release of another stage than the counter's. */
function explainOrder(scene: Scene, draft: Draft): void {
  const isMisuse = scene.system.steps.misuse(scene.symptom.step) !== null;
  (isMisuse ? explainMisuse : explainMisstep)(scene, draft);
}

/** Replays `path` and explains what `symptom` says is wrong at its end. */
export function explain(
  system: System,
  names: Names,
  symptom: Symptom,
  path: readonly Move[],
): Finding {
  return explainSchedule(new Schedule(system, names, path), symptom);
}

/** The same for a schedule that was replayed already, and with what the text of its roles shows. */
export function explainSchedule(
  schedule: Schedule,
  symptom: Symptom,
  arrivals: ArrivalsOfText | null = null,
): Finding {
  const { system, names } = schedule;
  const scene = { system, names, schedule, symptom, arrivals };
  const draft = new Draft(scene);
  EXPLAINERS[symptom.rule](scene, draft);
  const isOnBarrier = HAS_CAUSE.get(symptom.rule);
  if (isOnBarrier !== undefined) nameCause(scene, draft, isOnBarrier);
  return draft.finish();
}

export { stepsWithoutSignal };
