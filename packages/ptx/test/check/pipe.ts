// The kernel of examples/ptx/pipe.cu with its parameters, for tests: bugs are chosen by number.
import { readFileSync } from 'node:fs';
import type { Kernel } from '@poundlock/core/internal/program';
import { ptxKernel } from '#src/kernel/kernel';

const FILE = new URL('../../../../examples/ptx/pipe.sm90a.ptx', import.meta.url);
const TEXT = readFileSync(FILE, 'utf8');

/** The bugs of pipe.cu in the order of their numbers. */
export const BUGS = [
  'none',
  'consumer_never_releases',
  'producer_initial_parity_wrong',
  'release_before_use',
  'expect_tx_too_large',
  'expect_tx_too_small',
  'consumer_parity_never_flips',
  'consumer_arrives_twice',
  'empty_count_one_too_many',
  'producer_parity_never_flips',
  'producer_skips_acquire_wait',
  'consumer_skips_wait',
] as const;

/** What pipe.cu is started with. */
export interface PipeConfiguration {
  readonly bug: number;
  readonly stages: number;
  readonly consumers: number;
  readonly tileBytes: number;
  readonly tiles: number;
  readonly producerCycles: number;
  readonly consumerCycles: number;
}

/** Bytes of the fields of `struct Cfg`, in order. */
function configurationBytes(c: PipeConfiguration): string {
  const none = [0, 0, 0, 0, 0, 0];
  const words = [c.stages, c.tileBytes, c.tiles, c.consumerCycles, c.producerCycles, c.consumers];
  const all = Int32Array.from([...words, ...none, c.bug, 1, 0]);
  return Buffer.from(all.buffer).toString('hex');
}

function pointer(address: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(address);
  return bytes.toString('hex');
}

/** The kernel with a configuration. */
export function pipeKernel(configuration: PipeConfiguration): Kernel {
  const launch = {
    kernel: '_Z5pipe23CfgPKcmPxPiS3_Pj',
    grid: [1, 1, 1],
    block: [32 * (1 + configuration.consumers), 1, 1],
    dynamicSharedMemory: 220 * 1024,
    parameters: [
      { size: 60, bytes: configurationBytes(configuration) },
      { size: 8, bytes: pointer(0x7f00_0000_0000n) },
      { size: 8, bytes: pointer(1n << 20n) },
      ...[1n, 2n, 3n, 4n].map((number) => ({
        size: 8,
        bytes: pointer(0x7f10_0000_0000n + (number << 32n)),
      })),
    ],
  };
  return ptxKernel({
    ptx: { file: 'pipe.sm90a.ptx', text: TEXT },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}
