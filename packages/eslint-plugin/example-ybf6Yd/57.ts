import { kernel as $kernel } from 'poundlock';
import { KernelContext, tileArray, WarpRoles, EpiLoadPipeline } from '@poundlock/dialects/sm100';
import { count, read } from 'poundlock';
export default $kernel('example', {}, () => {
const ctx = new KernelContext({ m: 1, n: 1, ctaGroup: 1 }, 0);
const tiles = tileArray('src', { shape: [128, 64], elementBytes: 2, count: 2 });
const source = new EpiLoadPipeline('epi_load', tiles);
const both = new WarpRoles(ctx, () => source.initBarriers());
return [
  both.epilogueLoad(function* () {
    yield* source.load();
  }),
  both.epilogue(function* () {
    const stage = yield* source.waitProducer();
    for (const slice of source.tile(stage).slices) read(slice);
    source.release(stage);
  }),
];
});