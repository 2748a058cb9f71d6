// GPUs that a recording without a GPU stands in for. Python reads the same table.
import { readFileSync } from 'node:fs';
import { InputError, nearest } from '@poundlock/core/internal/base';

/** A GPU, as far as programs look at it. */
interface Chip {
  readonly processors: number;
  /** The most bytes of shared memory of a block. */
  readonly sharedPerBlock: number;
  readonly sharedPerProcessor: number;
  readonly threadsPerProcessor: number;
  readonly memoryGigabytes: number;
  readonly cacheMegabytes: number;
}

const TABLE = new URL('../../native/python/poundlock_record/chips.json', import.meta.url);

/**
 * The chip of a target such as `sm_90a`: its name, and its numbers as the stand-in driver reads
 * them.
 *
 * @throws InputError where the table does not have it.
 */
export function chipOf(gpu: string): { readonly name: string; readonly numbers: string } {
  const chips = JSON.parse(readFileSync(TABLE, 'utf8')) as Record<string, Chip>;
  const name = gpu.replace(/(?<=\d)[af]$/, '');
  const chip = Object.hasOwn(chips, name) ? chips[name] : undefined;
  if (chip === undefined) {
    const names = Object.keys(chips);
    const guess = nearest(name, names);
    const help = guess === undefined ? `there are ${names.join(', ')}` : `did you mean ${guess}?`;
    throw new InputError(`--gpu ${gpu}: no such GPU: ${help}`);
  }
  const capability = Number(name.slice('sm_'.length));
  const numbers = [
    Math.floor(capability / 10),
    capability % 10,
    chip.processors,
    chip.sharedPerBlock,
    chip.sharedPerProcessor,
    chip.threadsPerProcessor,
    chip.memoryGigabytes,
    chip.cacheMegabytes,
  ];
  return { name, numbers: numbers.join(',') };
}
