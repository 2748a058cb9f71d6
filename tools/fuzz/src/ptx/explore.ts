// What the schedules of a kernel show: the blocks of its launch, with each place of its buffers.
import type { Launch } from '@poundlock/ptx/internal/launch/launch';
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import { isConflict } from './conflicts.ts';
import { Exploration, type Outcome } from './exploration.ts';
import { OutOfScope, readKernel, type KernelText } from './kernel-text.ts';
import type { Facts } from './lane-group.ts';
import { WARP } from './machine.ts';

/** Whether blocks learn something of one another, so that one cannot be explored alone. */
const EXCHANGES = /\b(?:atom|ld\.(?:acquire|relaxed|volatile))\S*\.global/;
/** Whether bits of an address may decide something. */
const USES_PLACES = /\b(?:shr|and|sub|setp\.\w+|cvt\.u32)\.[bu]64/;
/** Where a buffer may be. */
const PLACES = [0x7f01_0000_0000n, 0x7f01_0010_0000n, 0x7f01_0030_0000n];

function placesOf(buffers: number): bigint[][] {
  if (buffers === 0) return [[]];
  return placesOf(buffers - 1).flatMap((rest) => PLACES.map((place) => [...rest, place]));
}

/** Special registers and parameters, with places for the buffers that have none. */
function factsOf(kernel: KernelText, launch: Launch, places: readonly bigint[]): Facts {
  const { grid, block, parameters, bounds } = launch;
  const view = new DataView(parameters.buffer, parameters.byteOffset);
  const left = [...places];
  const values = new Map(
    kernel.parameters.map(({ name, size, offset }) => {
      const isWide = size === 8;
      const bits = isWide ? view.getBigUint64(offset, true) : BigInt(view.getUint32(offset, true));
      const isBuffer = isWide && bounds.has(Number(bits >> 32n));
      return [name, isBuffer ? (left.shift() ?? bits) : bits];
    }),
  );
  const position = (number: number, sizes: readonly number[], axis: number): number =>
    Math.floor(number / sizes.slice(0, axis).reduce((a, b) => a * b, 1)) % sizes[axis]!;
  return (name, group, lane) => {
    const [, word = '', letter = 'x'] = /^%(\w+)(?:\.([xyz]))?$/.exec(name) ?? [];
    const axis = 'xyz'.indexOf(letter);
    const special: Readonly<Record<string, number>> = {
      tid: position(WARP * group.warp + lane, block, axis),
      ntid: block[axis]!,
      ctaid: position(group.block, grid, axis),
      nctaid: grid[axis]!,
      laneid: lane,
    };
    return values.get(name) ?? (special[word] === undefined ? undefined : BigInt(special[word]));
  };
}

/** Explores every schedule of the first launch of a launch file; the text has one kernel. */
export function exploreKernel(source: string, launchText: string): Outcome {
  try {
    return exploreBlocks(source, launchText);
  } catch (error) {
    if (error instanceof OutOfScope) return { verdict: 'open', why: error.message, keepsUp: false };
    throw error;
  }
}

function exploreBlocks(source: string, launchText: string): Outcome {
  const kernel = readKernel(source);
  const file = readLaunchFile(launchText, 'launch.json');
  const entry = { ...kernel, directives: new Map<string, number[]>() };
  const launch = file.launch(0, entry as unknown as Parameters<typeof file.launch>[1], {});
  const blocks = Array.from({ length: launch.grid.reduce((a, b) => a * b) }, (_, at) => at);
  const parts = EXCHANGES.test(source) ? [blocks] : blocks.map((each) => [each]);
  let keepsUp = false;
  for (const places of USES_PLACES.test(source) ? placesOf(launch.bounds.size) : [[]]) {
    const seen = new Map<string, number>();
    for (const part of parts) {
      const exploration = new Exploration(kernel, launch, part, factsOf(kernel, launch, places));
      const outcome = exploration.run();
      if (outcome.verdict !== 'ends') return outcome;
      keepsUp ||= outcome.keepsUp;
      for (const [word, kinds] of exploration.footprint.global) {
        const all = kinds | (seen.get(word) ?? 0);
        if (seen.has(word) && isConflict(all))
          return { verdict: 'race', why: `${word} of two blocks`, keepsUp };
        seen.set(word, all);
      }
    }
  }
  return { verdict: 'ends', why: '', keepsUp };
}
