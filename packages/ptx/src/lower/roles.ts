// From the steps of a reference run to roles: accesses merged, barriers numbered, memory in pieces.
import { worseOf } from './doubt.ts';
import type { Doubt } from './doubt.ts';
import { WARP } from '@poundlock/core/internal/op';
import type { ReferenceRun } from '../steps/run.ts';
import { BarrierBytes } from './barrier-bytes.ts';
import { BarrierNumbers } from './barrier-numbers.ts';
import { CountCells } from './counts.ts';
import { WarpgroupBarriers } from './groups.ts';
import { HeldColumns } from './held-columns.ts';
import { MapBuffers } from './maps.ts';
import { partsOf, StrandJoins } from './parts.ts';
import { Pieces } from './pieces.ts';
import type { Plan, PlannedRole } from './plan.ts';
import { reachOf } from '../steps/reach.ts';
import { RegisterChanges, warpgroupOf } from './registers.ts';
import { WarpLowering } from './warp-lowering.ts';
import { AGENTS, NOTHING } from './warp-scope.ts';
import type { RunScope, TimedLowering } from './warp-scope.ts';
import { WordCounters } from './words.ts';

/** Is called before each step of a warp is lowered, with how many actions there are so far. */
export type Watch = (warp: number, steps: number, actions: number, state: () => string) => void;

/** Lowers a reference run to roles, one for each warp. */
export function lowerRun(
  run: ReferenceRun,
  watch?: Watch,
  timed: TimedLowering | null = null,
): Plan {
  const { ctas, ptx } = run;
  const numbers = new BarrierNumbers(run);
  const parts = partsOf(run);
  const scope: RunScope = {
    warps: run.warps.length,
    pieces: new Pieces(run),
    reachOf: (at) => reachOf(run.effectOf(at)),
    numbers,
    groups: new WarpgroupBarriers(run, numbers.barriers),
    counts: new CountCells(run),
    joins: new StrandJoins(parts, numbers.barriers),
    maps: new MapBuffers(run),
    words: new WordCounters(run),
    registers: new RegisterChanges(run),
    bytes: new BarrierBytes(run),
    tensorMemory: new HeldColumns(
      run,
      parts.map(({ name }) => name),
    ),
    timed,
  };
  const waiting = run.warps.filter((warp) => warp.stuck !== null || warp.behind?.isOpen === true);
  const stuck = new Set(waiting.map(({ cta, warp }) => `${cta} ${warp}`));
  const possible = new Map<number, Doubt>();
  const roles: PlannedRole[] = run.warps.map((warp, index) => {
    const part = parts[index]!;
    const { name } = part;
    const lowering = new WarpLowering(scope, warp, name, index);
    const follow =
      watch &&
      ((steps: number, count: number): void => {
        watch(index, steps, count, () => lowering.state);
      });
    const actions = lowering.lower(follow);
    for (const [at, doubt] of lowering.possible)
      possible.set(at, worseOf(doubt, possible.get(at) ?? 'happens'));
    const isCut = stuck.has(`${warp.cta} ${warp.warp}`);
    return { ...part, isCut, warpgroup: warpgroupOf(warp), actions };
  });
  if (run.earlier.length > 0) roles.push(kernelBefore(run.earlier, scope));
  let isDivided = false;
  const divide: Plan['divide'] = ({ areStoresCompared } = { areStoresCompared: true }) => {
    if (!isDivided) scope.pieces.divide(areStoresCompared);
    isDivided = true;
  };
  const { barriers } = numbers;
  const maps = scope.maps.buffers;
  const { counters, guards } = scope.words;
  const { cells } = scope.counts;
  const { mostRegisters } = run;
  const known = { ctas, ptx, registers: registersOf(run), mostRegisters };
  return { ...known, roles, barriers, cells, maps, counters, guards, possible, divide };
}

/** The registers of a CTA: those of its warps. */
function registersOf({ registers, warps }: ReferenceRun): Plan['registers'] {
  if (registers === null) return null;
  const last = Math.max(...warps.map(({ warp }) => warp));
  return { perThread: registers, threads: WARP * (last + 1) };
}

const BEFORE = 'the kernel before';

/** The kernel before writes all that it may write after it has let this one begin. */
function kernelBefore(earlier: readonly number[], { pieces, warps }: RunScope): PlannedRole {
  const agent = AGENTS * warps;
  const sets = earlier.map((place) => pieces.add([place, place + 1], agent, true, 'plain'));
  const writes = { sets, agent, writer: null };
  // It has no text: the beginning of this one stands for it.
  const at = 0;
  return {
    name: BEFORE,
    cta: 0,
    isEarlier: true,
    actions: [
      { kind: 'gridLaunch', at },
      { kind: 'access', at, reads: NOTHING, writes },
    ],
  };
}
