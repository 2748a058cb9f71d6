// The ways of a branch on unknown data, executed apart: what may be done, and what the last does.
import type { Region } from './quiet-region.ts';
import { successors } from '../../flow/successors.ts';
import { readOf } from '../../isa/questions.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';
import { doubtOf } from '../origins/free-guard.ts';
import { onEveryWay, Way } from './every-way.ts';
import { ActionKind } from './program.ts';
import { lastTestOf } from './last-thread.ts';
import type { Addition } from './last-thread.ts';
import { SimtStack } from './stack.ts';
import { forgetStores } from './region-stores.ts';
import { forget, varyingAfter } from './varying.ts';
import type { Warp } from './warp.ts';

/** The most instructions on one way of a branch on unknown data. */
const MAX_REGION = 1_000_000;
const TOO_LONG = 'it branches on unknown data around too many instructions';

/** Executes ways of a branch to where they meet, without certainty, and forgets what they wrote. */
function execute(
  warp: Warp,
  branch: Instruction,
  mask: number,
  region: Region,
  ways: readonly number[],
): void {
  const { stack, registers, mode } = warp;
  const { meeting, writes } = region;
  const all = ways.map(() => new Way());
  const varying = varyingAfter(warp, branch, mask, region);
  const before = registers.snapshot();
  mode.inDoubt(doubtOf(warp, branch, mask), () => {
    for (const [index, way] of ways.entries()) {
      if (way === meeting) continue;
      mode.way = all[index]!;
      warp.stack = new SimtStack(0);
      warp.stack.push(way, mask, meeting);
      if (warp.run(MAX_REGION) !== 'ended') warp.machine.undecided(branch.index, TOO_LONG);
      registers.restore(before);
    }
  });
  warp.stack = stack;
  if (ways.length > 1) onEveryWay(warp, all, warp.program.guards[branch.index]!);
  forget(warp, writes, mask, branch.index, varying);
  forgetStores(warp, region, mask);
  stack.counter = meeting;
}

/** Executes the accesses on all ways of a branch as accesses that may happen. */
export function eitherWay(warp: Warp, branch: Instruction, mask: number, region: Region): void {
  execute(warp, branch, mask, region, successors(warp.program.code, branch));
}

/**
 * Executes the accesses of a loop that unknown data ends as accesses that may happen: each once,
 * with the values that registers have in every round. Repeating an access adds nothing to what may
 * conflict with it.
 */
export function anyRounds(warp: Warp, branch: Instruction, mask: number, region: Region): void {
  const { stack, program } = warp;
  const { instructions } = region;
  const heads = new Set(
    [...instructions, branch.index].flatMap((at) => targetsOf(program.code, at)),
  );
  const varying = varyingAfter(warp, branch, mask, region);
  // There may be no round.
  warp.mode.inDoubt(doubtOf(warp, branch, mask), () => {
    for (const at of instructions) {
      // What a block computes from what no round changes is the same each time; nothing else is.
      if (heads.has(at)) {
        forget(warp, region.writes, mask, at, varying);
        forgetStores(warp, region, mask);
      }
      inOneRound(warp, at, branch, mask, varying);
    }
  });
  warp.stack = stack;
  forget(warp, region.writes, mask, branch.index, varying);
  forgetStores(warp, region, mask);
  stack.counter = region.meeting;
}

/** Executes an instruction of any round. */
function inOneRound(
  warp: Warp,
  at: number,
  branch: Instruction,
  mask: number,
  varying: ReturnType<typeof varyingAfter>,
): void {
  const { kinds, actions, destinations, code } = warp.program;
  const kind = kinds[at];
  if (kind !== ActionKind.silent && kind !== ActionKind.visible) return;
  warp.stack = new SimtStack(0);
  warp.stack.push(at, mask, at + 1);
  if (warp.run(2) === 'blocked') warp.machine.undecided(branch.index, TOO_LONG);
  const action = actions[at]!;
  // It may read what another round has stored.
  const mayRead = action.kind === 'visible' || readOf(code.instructions[at]!) !== null;
  if (mayRead) forget(warp, destinations[at]!, mask, at, varying);
}

/** Where blocks begin because of an instruction. */
function targetsOf(code: PtxFunction, at: number): readonly number[] {
  const next = successors(code, code.instructions[at]!);
  return next.length === 1 && next[0] === at + 1 ? [] : [...next, at + 1];
}

/** Records apart what a warp does if it was the last to add to a word; whether that decides it. */
export function lastThread(
  warp: Warp,
  addition: Addition | null,
  branch: Instruction,
  mask: number,
  region: Region,
): boolean {
  if (addition === null || warp.mode.isLast || warp.mode.isUncertain) return false;
  const test = lastTestOf(warp, addition, branch, mask);
  if (test === null || test.otherWay !== region.meeting) return false;
  const first = warp.steps.length;
  warp.mode.asLast(() => execute(warp, branch, mask, region, [test.way]));
  const steps = warp.steps.splice(first);
  const { count } = addition;
  warp.record({ op: 'last', at: branch.index, count, equals: test.equals, steps }, mask);
  return true;
}
