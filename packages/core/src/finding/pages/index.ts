// The explanation of every rule: a new page is one file here and one line in the list.
import { InvariantError } from '../../base/index.ts';
import { ALL_RULES, type RuleId } from '../rule.ts';
import { capacity } from './capacity.ts';
import { childOutlivesParent } from './child-outlives-parent.ts';
import { deadlock } from './deadlock.ts';
import { divergentExit } from './divergent-exit.ts';
import { divergentStep } from './divergent-step.ts';
import { doubleAcquire } from './double-acquire.ts';
import { doubleRelease } from './double-release.ts';
import { falseBlock } from './false-block.ts';
import { falsePass } from './false-pass.ts';
import { forkedPipeline } from './forked-pipeline.ts';
import { latePass } from './late-pass.ts';
import { leakedStage } from './leaked-stage.ts';
import { loopCaptures } from './loop-captures.ts';
import { missingDrain } from './missing-drain.ts';
import { namedBarrierMismatch } from './named-barrier-mismatch.ts';
import { nondeterministicRole } from './nondeterministic-role.ts';
import { notQuiescent } from './not-quiescent.ts';
import { overArrival } from './over-arrival.ts';
import { race } from './race.ts';
import { releaseOrder } from './release-order.ts';
import { staleTryToken } from './stale-try-token.ts';
import { steppedWithoutSignal } from './stepped-without-signal.ts';
import { tmemDoubleFree } from './tmem-double-free.ts';
import { tmemNotRelinquished } from './tmem-not-relinquished.ts';
import { tmemUseAfterFree } from './tmem-use-after-free.ts';
import { txMismatch } from './tx-mismatch.ts';
import { uninitialisedBarrier } from './uninitialised-barrier.ts';
import { useAfterRelease } from './use-after-release.ts';
import { leak } from './leak.ts';
import { leakOnThrow } from './leak-on-throw.ts';
import { escapingHandle } from './escaping-handle.ts';
import { discardedHandle } from './discarded-handle.ts';
import { floatingOp } from './floating-op.ts';
import { awaitInRole } from './await-in-role.ts';
import type { Page } from './page.ts';

/** Every page, in the order of the catalogue of rules. */
const PAGES: readonly Page[] = [
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
  steppedWithoutSignal,
  missingDrain,
  uninitialisedBarrier,
  tmemUseAfterFree,
  tmemDoubleFree,
  tmemNotRelinquished,
  capacity,
  namedBarrierMismatch,
  divergentExit,
  divergentStep,
  staleTryToken,
  forkedPipeline,
  notQuiescent,
  childOutlivesParent,
  releaseOrder,
  nondeterministicRole,
  loopCaptures,
  leak,
  leakOnThrow,
  escapingHandle,
  discardedHandle,
  floatingOp,
  awaitInRole,
];

/** The explanation of a rule; every rule has one. */
export function pageOf(rule: RuleId): Page {
  const page = PAGES.find((one) => one.rule === rule);
  if (page === undefined) throw new InvariantError(`no page explains the rule ${rule}`);
  return page;
}

/** Every rule with its explanation, in the order of the catalogue. */
export function allPages(): Page[] {
  return ALL_RULES.map(pageOf);
}

export type { Page };
