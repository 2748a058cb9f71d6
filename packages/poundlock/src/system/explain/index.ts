// Turns a symptom and the schedule that shows it into a finding.
import type { Finding, RuleId } from '../../finding/index.ts';
import type { Names } from '../names.ts';
import { Schedule } from '../schedule.ts';
import type { Symptom } from '../symptom.ts';
import type { Move, System } from '../system.ts';
import { explainAlias } from './alias.ts';
import { explainDeadlock } from './deadlock.ts';
import { Draft, type Scene } from './draft.ts';
import {
  explainMissingDrain,
  explainOther,
  explainOverArrival,
  explainTxMismatch,
} from './fault.ts';
import { explainMisuse } from './misuse.ts';
import { explainQuiescence } from './quiescence.ts';
import { explainRace } from './race.ts';

type Explainer = (scene: Scene, draft: Draft) => void;

const EXPLAINERS: Partial<Record<RuleId, Explainer>> = {
  deadlock: explainDeadlock,
  race: explainRace,
  'false-pass': explainAlias,
  'false-block': explainAlias,
  'late-pass': explainAlias,
  'over-arrival': explainOverArrival,
  'tx-mismatch': explainTxMismatch,
  'missing-drain': explainMissingDrain,
  'leaked-stage': explainMisuse,
  'double-release': explainMisuse,
  'use-after-release': explainMisuse,
  'double-acquire': explainMisuse,
  'not-quiescent': explainQuiescence,
};

/** Replays `path` and explains what `symptom` says is wrong at its end. */
export function explain(
  system: System,
  names: Names,
  symptom: Symptom,
  path: readonly Move[],
): Finding {
  const schedule = new Schedule(system, names, path);
  const scene = { system, names, schedule, symptom };
  const draft = new Draft(scene);
  (EXPLAINERS[symptom.rule] ?? explainOther)(scene, draft);
  return draft.finish();
}
