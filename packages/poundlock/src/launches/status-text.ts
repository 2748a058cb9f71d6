// Which blocks and clusters were tried and what came of them, in a sentence.
import { volume } from '@poundlock/ptx/internal/launch/launch';
import type { TriedShape } from './shape-search.ts';
import { sizeText } from './shapes.ts';

/** The most blocks that are listed; of more, how many and the outermost. */
const MAX_LISTED = 5;

/** `certified with block 128; unproved with 22 blocks from 32 to 1024 and cluster 2 or 4`. */
export function statusText(shapes: readonly TriedShape[]): string {
  const ofStatus = [...Map.groupBy(shapes, ({ status }) => status)];
  const isGrid = shapes.every(({ shape }) => volume(shape.cluster) === 1);
  const texts = ofStatus.flatMap(([status, alike]) => {
    const ofCluster = Map.groupBy(alike, ({ shape }) => sizeText(shape.cluster));
    const lists = [...ofCluster].map(([cluster, own]) => ({ cluster, blocks: blocksText(own) }));
    const same = [...Map.groupBy(lists, ({ blocks }) => blocks)];
    return same.map(([blocks, rows]) => {
      const clusters = rows.map(({ cluster }) => cluster).join(' or ');
      return `${status} with ${blocks}${isGrid ? '' : ` and cluster ${clusters}`}`;
    });
  });
  return texts.join('; ');
}

function blocksText(shapes: readonly TriedShape[]): string {
  const sizes = shapes.map(({ shape }) => sizeText(shape.block));
  if (sizes.length <= MAX_LISTED) return `block ${sizes.join(', ')}`;
  return `${sizes.length} blocks from ${sizes[0]} to ${sizes.at(-1)}`;
}
