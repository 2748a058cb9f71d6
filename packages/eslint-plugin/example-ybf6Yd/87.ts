import { kernel as $kernel } from 'poundlock';
import { pool, alloc, free, relinquish, write, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tmem = pool('tmem', { capacity: 512 });
return [
  role('epilogue', function* () {
    const columns = yield* alloc(tmem, 128);
    write(columns);
    free(columns);
    relinquish(tmem);
  }),
];
});