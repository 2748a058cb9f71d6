// The explanation of every rule: a new page is one file here and one line in the list.
import { InvariantError } from '../../base/index.ts';
import { RULES, type RuleId } from '../rule.ts';
import { capacity } from './capacity.ts';
import { deadlock } from './deadlock.ts';
import { divergentExit } from './divergent-exit.ts';
import { doubleAcquire } from './double-acquire.ts';
import { doubleRelease } from './double-release.ts';
import { falseBlock } from './false-block.ts';
import { falsePass } from './false-pass.ts';
import { latePass } from './late-pass.ts';
import { leakedStage } from './leaked-stage.ts';
import { loopCaptures } from './loop-captures.ts';
import { missingDrain } from './missing-drain.ts';
import { namedBarrierMismatch } from './named-barrier-mismatch.ts';
import { nondeterministicRole } from './nondeterministic-role.ts';
import { notQuiescent } from './not-quiescent.ts';
import { overArrival } from './over-arrival.ts';
import { race } from './race.ts';
import { tmemDoubleFree } from './tmem-double-free.ts';
import { tmemUseAfterFree } from './tmem-use-after-free.ts';
import { txMismatch } from './tx-mismatch.ts';
import { uninitialisedBarrier } from './uninitialised-barrier.ts';
import { useAfterRelease } from './use-after-release.ts';
import type { Page } from './page.ts';
import { WITHOUT_EXAMPLE } from './without-example.ts';

/** The pages that show a rejected program and its fix. */
export const PAGES: readonly Page[] = [
  deadlock,
  race,
  falsePass,
  falseBlock,
  latePass,
  overArrival,
  txMismatch,
  leakedStage,
  doubleRelease,
  useAfterRelease,
  doubleAcquire,
  missingDrain,
  uninitialisedBarrier,
  tmemUseAfterFree,
  tmemDoubleFree,
  capacity,
  namedBarrierMismatch,
  divergentExit,
  notQuiescent,
  nondeterministicRole,
  loopCaptures,
];

/** The explanation of a rule; every rule has one. */
export function pageOf(rule: RuleId): Page {
  const page = [...PAGES, ...WITHOUT_EXAMPLE].find((one) => one.rule === rule);
  if (page === undefined) throw new InvariantError(`no page explains the rule ${rule}`);
  return page;
}

/** Every rule with its explanation, in the order of the catalogue. */
export function allPages(): Page[] {
  return RULES.map(pageOf);
}

export type { Page };
