// Global memory that asynchronous copies touch where all blocks of a grid are executed: its bytes
// are compared like those that threads touch.
import { BOX_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import { PAGE } from '../../steps/pages.ts';
import type { Wide } from '../../values/wide.ts';
import { placeOf } from './global-lanes.ts';
import { forgetWords } from './global-write.ts';
import type { Warp } from './warp.ts';

const OTHER_WINDOWS: ReadonlySet<number> = new Set([SHARED_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW]);
const NONE: readonly number[] = [];
const LEFT_ALONE = 'a store at an address that is data leaves alone what the launch says of memory';

/** A piece of global memory that a copy touches; `null` where its address is not known. */
export interface CopiedMemory {
  readonly address: Wide;
  readonly bytes: number;
}

/** Whether what a copy touches is compared with what threads of its cluster touch. */
export function isCompared({ machine }: Warp, memory: CopiedMemory | null): boolean {
  if (memory === null || machine.compared === null) return false;
  const { low, high } = memory.address;
  if (OTHER_WINDOWS.has(high)) return false;
  const from = high * 2 ** 32 + low;
  return machine.compared.bytes.meets(from, from + memory.bytes);
}

/** The places of bytes that a copy touches; none where they are not compared. */
export function placesOf(
  warp: Warp,
  at: number,
  memory: CopiedMemory | null,
  isMet = isCompared(warp, memory),
): readonly number[] {
  const { machine } = warp;
  if (machine.words === null && !isMet) return NONE;
  if (memory === null || OTHER_WINDOWS.has(memory.address.high)) {
    machine.uncompared ??= at;
    return NONE;
  }
  const { low, high } = memory.address;
  const places: number[] = [];
  const end = high * 2 ** 32 + low + memory.bytes;
  for (let from = high * 2 ** 32 + low; from < end;) {
    const to = Math.min(end, from - (from % PAGE) + PAGE);
    const place = placeOf(warp, from);
    places.push(place, place + to - from);
    from = to;
  }
  return places;
}

/** The places that stand for a box of a tensor, where it is compared. */
export function placesOfBox(warp: Warp, map: string, corner: readonly number[]): readonly number[] {
  const bytes = warp.machine.compared?.boxes.of(map, corner) ?? NONE;
  return bytes.flatMap((byte) => {
    const place = placeOf(warp, BOX_WINDOW * 2 ** 32 + byte);
    return [place, place + 1];
  });
}

/** Says what is assumed of a store whose address is not known. */
export function assumeLeftAlone({ machine }: Warp, at: number): void {
  if (machine.global.hasContents) machine.assume(at, 'address-data', LEFT_ALONE);
}

/** The same for a copy that writes: what the words hold is unknown from then on. */
export function overwritten(
  warp: Warp,
  at: number,
  memory: CopiedMemory | null,
): readonly number[] {
  const places = placesOf(warp, at, memory);
  const { global, words } = warp.machine;
  if (memory === null) return places;
  const { low, high } = memory.address;
  global.overwrite(low, high, memory.bytes);
  if (places.length === 0 || words === null) return places;
  forgetWords(warp, at, high * 2 ** 32 + low, memory.bytes);
  return places;
}
