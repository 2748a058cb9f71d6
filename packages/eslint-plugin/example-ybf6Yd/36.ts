import { kernel as $kernel } from 'poundlock';
import { TmemAllocation, TmemStorage } from '@poundlock/dialects/sm100';
import { role } from 'poundlock';
export default $kernel('example', {}, () => {
const storage = new TmemStorage('columns', { numStages: 2, stageStrideCols: 256, ctaGroup: 1 });
return [
  role('mma', { lanes: 32 }, function* () {
    const tmem = yield* TmemAllocation.allocate(storage);
    tmem.stage(1).store();
    tmem.releaseLock();
    tmem.deallocate();
  }),
];
});