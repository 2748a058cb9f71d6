import { kernel as $kernel } from 'poundlock';
import { PipelineTmaStore } from '@poundlock/dialects/cute';
import { buffer, fence, write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const sC = [buffer('c0'), buffer('c1')];
return [
  role('epilogue', function* () {
    const stores = PipelineTmaStore.create({ numStages: 2 });
    for (const c of sC) {
      yield* stores.producerAcquire();
      write(c);
      fence('proxy.async');
      stores.store([c]);
      stores.producerCommit();
    }
    yield* stores.producerTail();
  }),
];
});