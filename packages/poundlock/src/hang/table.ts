// The table of a stopped kernel: which warp waits where, and what the words of barriers say.
import { decodeWord, isBarrierWord } from './dump/word.ts';
import { isPhaseWait, type KernelText } from './kernel-text.ts';
import { locate, withinBlock, type Located } from './locate.ts';
import type { HangTable, TableBarrier, TableContext, TableRow } from './rows.ts';
import { nameOfAddress, placeVariables, type SharedPlacement } from './shared-names.ts';
import type { StoppedBlock } from './stopped.ts';
import { stateOf, wordOf } from './warp-state.ts';

/** Makes the table. */
export function makeTable(context: TableContext): HangTable {
  const located = context.blocks.flatMap((block) =>
    block.warps.flatMap(({ warp, groups, errorPc }) =>
      groups.map((group) => locate(context, { block, warp, group, errorPc })),
    ),
  );
  const placement = placementOf(context, located);
  const rows = located.map((each) => rowOf(context, each, placement));
  return { rows, barriers: barriersOf(context, located, placement), placement };
}

function placementOf({ text }: TableContext, located: readonly Located[]): SharedPlacement | null {
  if (text === undefined) return null;
  const waits = located.filter(({ address }) => address !== null);
  const seen = new Map<string, { address: number; symbols: ReadonlySet<string> | null }>();
  for (const { address, ptxLine } of waits) {
    const instruction = ptxLine === null ? undefined : text.at(ptxLine);
    const isWait = instruction !== undefined && isPhaseWait(instruction);
    const symbols = isWait ? text.variablesOf(instruction) : null;
    const key = `${address} ${isWait ? ptxLine : ''}`;
    seen.set(key, { address: withinBlock(address!), symbols });
  }
  const { block } = located.find((each) => each.block.sharedBytes > 0) ?? {};
  return placeVariables(text, [...seen.values()], (placement) => {
    return block === undefined || holdsBarriers(block, text, placement);
  });
}

/** Whether each variable that is an array of mbarriers has words of its barriers. */
function holdsBarriers(
  block: StoppedBlock,
  text: KernelText,
  { placed }: SharedPlacement,
): boolean {
  return placed.every(({ array, at }) => {
    if (!array.hasBarriers || array.isDynamic || array.size > MAX_BARRIERS * 8) return true;
    const counts = text.countsOf(array.symbol);
    for (let offset = 0; offset + 8 <= array.size; offset += 8) {
      const word = block.sharedWord(at + offset);
      // A barrier that was not initialized yet is zero, and a variable may hold other data.
      if (word === undefined || word === 0n || (offset > 0 && !isBarrierWord(word))) continue;
      if (!isBarrierWord(word)) return false;
      if (counts !== null && !counts.has(decodeWord(word).count)) return false;
    }
    return true;
  });
}

/** Larger variables hold data, too. */
const MAX_BARRIERS = 64;

function rowOf(
  context: TableContext,
  located: Located,
  placement: SharedPlacement | null,
): TableRow {
  const { block, warp, group, at, ptxLine } = located;
  const state = stateOf(context, located, placement);
  const word = wordOf(context, located);
  return {
    cta: block.block,
    warp,
    lanes: Array.from({ length: 32 }, (_, lane) => lane).filter(
      (lane) => (group.lanes >>> lane) & 1,
    ),
    pc: `0x${group.pc.toString(16)}`,
    at,
    ptxLine,
    state,
    ...(state.kind === 'mbarrier' && word !== undefined && { word }),
  };
}

/** The barriers of each block: those that are waited for, and those beside them. */
function barriersOf(
  { blocks, text }: TableContext,
  located: readonly Located[],
  placement: SharedPlacement | null,
): TableBarrier[] {
  const waited = new Set(
    located.flatMap(({ address }) => (address === null ? [] : [withinBlock(address)])),
  );
  const addresses = new Set(waited);
  for (const { array, at } of placement?.placed ?? [])
    if (array.hasBarriers && !array.isDynamic && array.size <= MAX_BARRIERS * 8)
      for (let offset = 0; offset + 8 <= array.size; offset += 8) addresses.add(at + offset);
  return blocks.flatMap((block) => {
    const own = new Set(addresses);
    addNeighbors(block, text === undefined ? waited : waitedInDynamic(waited, placement), own);
    return [...own]
      .toSorted((a, b) => a - b)
      .flatMap((address): TableBarrier[] => {
        const word = block.sharedWord(address);
        if (word === undefined || !isBarrierWord(word)) return [];
        const name = placement === null ? null : (nameOfAddress(placement, address) ?? null);
        return [{ cta: block.block, name, address, ...decodeWord(word) }];
      });
  });
}

/** Addresses in variables of unknown contents: in an order that is not known, all of them. */
function waitedInDynamic(
  waited: ReadonlySet<number>,
  placement: SharedPlacement | null,
): ReadonlySet<number> {
  if (placement === null) return waited;
  const { placed } = placement;
  return new Set(
    [...waited].filter((address) => {
      const found = placed.findLast(({ array, at }) => {
        return address >= at && (array.isDynamic || address < at + array.size);
      });
      const { array } = found ?? {};
      return array === undefined || array.isDynamic || array.size > MAX_BARRIERS * 8;
    }),
  );
}

/** Words next to a barrier that look like one, too. */
function addNeighbors(block: StoppedBlock, waited: ReadonlySet<number>, found: Set<number>): void {
  for (const address of waited)
    for (const step of [-8, 8])
      for (let at = address + step; Math.abs(at - address) <= 64 && at >= 0; at += step) {
        const word = block.sharedWord(at);
        if (word === undefined || word === 0n || !isBarrierWord(word)) break;
        found.add(at);
      }
}
