import { kernel as $kernel } from 'poundlock';
import { TmemAllocation, TmemStorage } from '@poundlock/dialects/sm100';
import { write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const opc = { numStages: 1, stageStrideCols: 256, ctaGroup: 1 } as const;
const storage = new TmemStorage('columns', opc, [32]);
return [
  role('mma', { lanes: 32 }, function* () {
    const tmem = yield* TmemAllocation.allocate(storage);
    write(tmem.extra(0));
    tmem.releaseLock();
    tmem.deallocate();
  }),
];
});