// A schedule that goes wrong, constructed from the condition that failed on one run (T11).
import { unreachable } from '@poundlock/core/internal/base';
import { OpKind } from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';
import type { FailedCondition } from '../certify/index.ts';
import type { Witness } from './construct.ts';
import { HeldRun, HOLD_NOTHING, type Hold } from './held-run.ts';

/**
 * Makes the run once more, as the failed condition suggests: with what should have come first held
 * back until nothing else can move, with registers taken in the order that gets stuck, or as it was
 * where it got stuck by itself. `null` where that shows nothing.
 */
export function witnessOf(system: System, failure: FailedCondition): Witness | null {
  const run = runOf(system, failure);
  const symptom = run?.driver.verdict() ?? null;
  if (run === null || symptom === null) return null;
  return { symptom, path: run.driver.path, condition: failure.condition };
}

function runOf(system: System, failure: FailedCondition): HeldRun | null {
  const { condition } = failure;
  switch (condition) {
    case 'D':
    case 'fault':
      return freely(new HeldRun(system));
    case 'R':
    case 'M':
    case 'L':
    case 'U':
    case 'E':
    case 'X':
      return withoutFirst(system, failure);
    case 'Q':
      return takingInOrder(system, failure);
    case 'unsupported':
    case 'choice':
    case 'again':
    case 'bound':
    case 'memory':
      return null;
    default:
      return unreachable(condition);
  }
}

function freely(run: HeldRun): HeldRun {
  run.run(HOLD_NOTHING);
  return run;
}

/** All that does not come after x, then x, then the rest. */
function withoutFirst(system: System, { x }: FailedCondition): HeldRun | null {
  if (x === undefined) return null;
  const run = new HeldRun(system, x);
  const isFlight = x.flight >= 0;
  const hold: Hold = {
    isRoleHeld: (role, performed) => !isFlight && role === x.role && performed === x.at,
    // Of flights that are alike, the last one that is open stands for x.
    isFlightHeld: (flight, open) => flight === run.flight && open === 1,
  };
  run.run(hold);
  if (!isFlight) run.step(x.role);
  else if (run.flight >= 0) run.complete(run.flight);
  return freely(run);
}

/** Changes of registers in their order, each once all that comes before it is done. */
function takingInOrder(system: System, { changes = [] }: FailedCondition): HeldRun {
  const run = new HeldRun(system);
  const isAtChange = (role: number): boolean => {
    const kind = system.instruction(run.driver.words[role]!)?.kind;
    return kind === OpKind.takeRegisters || kind === OpKind.giveRegisters;
  };
  const hold: Hold = { isRoleHeld: isAtChange, isFlightHeld: () => false };
  run.run(hold);
  for (const role of changes) {
    if (!isAtChange(role) || !run.step(role)) break;
    run.run(hold);
  }
  return freely(run);
}
