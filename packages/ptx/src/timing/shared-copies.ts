// Which part of its copies a block shares with the next one, which runs on the SM beside its own.
import { addressWith, operandIfAny } from '../exec/warp/builder.ts';
import { RunBoundError } from '../exec/machine/execute.ts';
import type { Observer } from '../exec/machine/observer.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { volume } from '../launch/launch.ts';
import type { Dimensions } from '../launch/launch.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { Instruction, Operand } from '../text/module.ts';
import { firstLane } from '../values/lane-mask.ts';
import type { Wide } from '../values/wide.ts';
import type { TimedLaunch } from './timed-kernel.ts';

/** Copies of a block that are compared: a pipeline repeats those of its first stages. */
const MOST_COPIES = 16;
const out: Wide = { low: 0, high: 0 };

/** What a copy reads, and the step that says how many bytes. */
interface Copy {
  readonly name: string;
  readonly warp: Warp;
  readonly step: number;
}

/** Notes the first bulk copies of a run from global to shared memory. */
class CopyNotes implements Observer {
  readonly follows = new Uint8Array(0);
  readonly isThorough = true;
  readonly endsWaits = true;
  noted: Copy[] = [];

  begin(): void {
    this.noted = [];
  }

  executes(warp: Warp, at: number, mask: number): void {
    const instruction = warp.program.code.instructions[at]!;
    if (mask === 0 || warp.ahead.look !== null || !isBulkLoad(instruction)) return;
    const name = nameOf(warp, instruction, firstLane(mask));
    this.noted.push({ name, warp, step: warp.steps.length });
  }

  passesOver(): void {}

  forgets(): void {}

  get isDone(): boolean {
    return this.noted.length >= MOST_COPIES;
  }
}

function isBulkLoad({ effect }: Instruction): boolean {
  if (effect.kind !== 'copy' || effect.completion !== 'mbarrier') return false;
  return effect.from === 'global' && (effect.op === 'bulk' || effect.op === 'tensor');
}

/** The address of a copy, or the map and the corner of its box. */
function nameOf(warp: Warp, instruction: Instruction, lane: number): string {
  const map = operandIfAny(instruction, 'map');
  const place =
    map === undefined ? addressWith(instruction, 'from') : addressWith(instruction, 'map');
  const isKnown = warp.program.addressIn(place)(warp, lane, out);
  const numbers: unknown[] = [instruction.index, isKnown, out.high, out.low];
  for (const each of place.more.flatMap((one) => (one.kind === 'vector' ? one.elements : [one])))
    numbers.push(numberIn(warp, each, lane));
  return numbers.join(' ');
}

function numberIn(warp: Warp, operand: Operand, lane: number): number | null {
  if (operand.kind === 'immediate') return operand.value.low;
  if (operand.kind !== 'register') return null;
  return warp.registers.read(operand.register, lane, out) ? out.low : null;
}

function bytesOf({ warp, step }: Copy): number {
  const issued = warp.steps[step];
  return issued?.op === 'copy' ? (issued.writes[1] ?? 0) - (issued.writes[0] ?? 0) : 0;
}

/**
 * The part of the bytes of the first block that the next one copies at the same time, where the
 * warps that copy multiply, too: products keep them in step. How far others drift is not known.
 */
export function sharedShareOf({ launch, runAt }: TimedLaunch, run: ExecutedRun): number {
  const { grid, cluster } = launch;
  if (volume(grid) < 2 || volume(cluster) > 1 || !isInStep(run)) return 0;
  const axis = grid.findIndex((size) => size > 1);
  const next: Dimensions = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
  const [own, beside] = [copiesAt(runAt, [0, 0, 0]), copiesAt(runAt, next)];
  let [all, shared] = [0, 0];
  for (const [index, copy] of own.entries()) {
    const bytes = bytesOf(copy);
    all += bytes;
    if (beside[index]?.name === copy.name) shared += bytes;
  }
  return all > 0 ? shared / all : 0;
}

function isInStep({ warps }: ExecutedRun): boolean {
  const copying = warps.filter(({ steps }) => steps.some(({ op }) => op === 'copy'));
  return copying.every(({ steps }) =>
    steps.some((step) => step.op === 'use' && step.unit === 'wgmma'),
  );
}

function copiesAt(runAt: TimedLaunch['runAt'], place: Dimensions): readonly Copy[] {
  const notes = new CopyNotes();
  try {
    runAt(place, notes, () => notes.isDone);
  } catch (error) {
    if (!(error instanceof RunBoundError)) throw error;
  }
  return notes.noted.slice(0, MOST_COPIES);
}
