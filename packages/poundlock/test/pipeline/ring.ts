// One ring between two roles: what most tests of pipelines need.
import { check } from '#src/check/index';
import type { Finding } from '@poundlock/core/internal/finding';
import { kernel, pipeline, read, role, tma } from 'poundlock';
import type { Kernel, Op, PipelineOptions, ProducerConsumerPipeline } from 'poundlock';

export type Part = (ab: ProducerConsumerPipeline) => Generator<Op, void, number>;

export interface RingOptions extends Partial<PipelineOptions> {
  /** The threads of both roles. */
  readonly lanes?: number;
}

/** A kernel of two roles over the pipeline `ab`: two stages of 16 B unless said otherwise. */
export function ringOf(producer: Part, consumer: Part, options: RingOptions = {}): Kernel {
  const { lanes = 1, ...rest } = options;
  return kernel('ring', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 16, ...rest });
    return [
      role('load', { lanes }, function* () {
        yield* producer(ab);
      }),
      role('use', { lanes }, function* () {
        yield* consumer(ab);
      }),
    ];
  });
}

/** Fills so many tiles by copies. */
export function loads(tiles: number): Part {
  return function* (ab) {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  };
}

/** Reads so many tiles. */
export function uses(tiles: number): Part {
  return function* (ab) {
    for (let tile = 0; tile < tiles; tile++) {
      using full = yield* ab.consume();
      read(full.buffer());
    }
  };
}

/** The roles that wait forever in a finding. */
export function starvingIn({ standing = [] }: Finding): string[] {
  return standing.filter(({ state }) => state === 'starves').map(({ agent }) => agent);
}

/** What `check` finds, the cause first. */
export async function findingsOf(target: Kernel): Promise<readonly Finding[]> {
  return (await check(target)).findings;
}
