// Loads with `.nc` of what the kernel has written before: their cache is not coherent, and nothing
// in the kernel orders them behind the write.
import type { Touch } from '../../steps/touches.ts';
import type { Machine } from '../machine/machine.ts';
import type { Program } from '../warp/program.ts';
import { ByteSet } from './byte-set.ts';
import { instructionsOf, rangesOf } from './touches.ts';

export const NC_TEXT = 'it loads with .nc what the kernel has written before';
export const NC_RULE = 'what is loaded with .nc is not written while the kernel runs';

/** Bytes of a line, by which accesses are looked for. */
const LINE = 64;

/** Reports the first such load among what a cluster touches. */
export function reportNonCoherent(machine: Machine): void {
  const { touches, program } = machine;
  const list = touches?.list ?? [];
  const written = new ByteSet(list.flatMap((each) => (each.isWrite ? rangesOf(each) : [])));
  if (written.isEmpty) return;
  const loads = new Map<Touch, number>();
  for (const touch of list) {
    const at = loadOf(program, touch);
    if (at !== undefined && meets(written, touch)) loads.set(touch, at);
  }
  const found = loads.size === 0 ? null : firstBehind(list, loads);
  if (found === null) return;
  const at = loads.get(found)!;
  if (found.isPossible) machine.fault('non-coherent', at, NC_TEXT);
  else machine.misuse('non-coherent', at, NC_TEXT, NC_RULE, null);
}

/** The first of some loads whose bytes are written before it. */
function firstBehind(list: readonly Touch[], loads: ReadonlyMap<Touch, number>): Touch | null {
  const lines = new Map<number, [from: number, to: number][]>();
  for (const touch of loads.keys()) for (const { line } of partsOf(touch)) lines.set(line, []);
  for (const touch of list) {
    if (touch.isWrite)
      for (const { line, from, to } of partsOf(touch)) lines.get(line)?.push([from, to]);
    if (!loads.has(touch)) continue;
    for (const { line, from, to } of partsOf(touch))
      if (lines.get(line)!.some(([first, last]) => first < to && from < last)) return touch;
  }
  return null;
}

/** The ranges of a touch in each line. */
function* partsOf(touch: Touch): Generator<{ line: number; from: number; to: number }> {
  const ranges = rangesOf(touch);
  for (let index = 0; index < ranges.length; index += 2) {
    const to = ranges[index + 1]!;
    for (let from = ranges[index]!; from < to;) {
      const line = Math.floor(from / LINE);
      const end = Math.min(to, (line + 1) * LINE);
      yield { line, from, to: end };
      from = end;
    }
  }
}

function loadOf({ code }: Program, touch: Touch): number | undefined {
  return instructionsOf(touch).find((at) => {
    const effect = code.instructions[at]?.effect;
    return effect?.kind === 'access' && effect.isNonCoherent;
  });
}

function meets(written: ByteSet, touch: Touch): boolean {
  const ranges = rangesOf(touch);
  return ranges.some((from, index) => index % 2 === 0 && written.meets(from, ranges[index + 1]!));
}
