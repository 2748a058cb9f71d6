// A GEMM on a cluster of two CTAs: each loads half of a tile for both, and consumers release to both.
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncCluster,
  UNITS,
  waitParity,
  type Kernel,
} from 'poundlock';

export type MulticastBug =
  | 'none'
  | 'releases reach the own CTA only'
  | 'releases go to CTA 0'
  | 'empty counts one CTA'
  | 'half is copied to the own CTA only'
  | 'expect counts the own half'
  | 'no cluster sync at the end'
  | 'one CTA skips the cluster sync';

const STAGES = 2;
const TILES = 4;
const HALF = 8_192;

export function multicastSm90(bug: MulticastBug): Kernel {
  const is = (one: MulticastBug): boolean => bug === one;
  return kernel('multicast-sm90', {}, () => {
    const stages = Array.from({ length: STAGES }, (_, stage) => stage);
    const full = stages.map((at) => barrier(`full[${at}]`));
    const count = is('empty counts one CTA') ? 1 : 2;
    const empty = stages.map((at) => barrier(`empty[${at}]`, { count }));
    const halves = [0, 1].map((half) => stages.map((at) => buffer(`half${half}[${at}]`)));
    const isSynced = (cta: number): boolean => {
      if (is('one CTA skips the cluster sync')) return cta === 0;
      return !is('no cluster sync at the end');
    };

    const load = (cta: number) =>
      role(`load${cta}`, { cta }, function* () {
        for (let k = 0; k < TILES; k++) {
          const stage = k % STAGES;
          yield* waitParity(empty[stage]!, (Math.floor(k / STAGES) + 1) % 2);
          arrive(full[stage]!, { bytes: is('expect counts the own half') ? HALF : 2 * HALF });
          asyncCopy(UNITS.tma, {
            into: [halves[cta]![stage]!],
            bar: full[stage]!,
            bytes: HALF,
            ctas: is('half is copied to the own CTA only') ? [cta] : [0, 1],
          });
        }
        if (isSynced(cta)) yield* syncCluster();
      });

    const use = (cta: number) =>
      role(`math${cta}`, { cta, lanes: 128 }, function* () {
        for (let k = 0; k < TILES; k++) {
          const stage = k % STAGES;
          yield* waitParity(full[stage]!, Math.floor(k / STAGES) % 2);
          read(halves[0]![stage]!);
          read(halves[1]![stage]!);
          const ctas = is('releases go to CTA 0') ? [0, 0] : [0, 1];
          const reached = is('releases reach the own CTA only') ? [cta] : ctas;
          for (const target of reached) arrive(empty[stage]!, { cta: target });
        }
        if (isSynced(cta)) yield* syncCluster();
      });
    return [load(0), load(1), use(0), use(1)];
  });
}
