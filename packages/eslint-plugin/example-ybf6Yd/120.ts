import { kernel as $kernel } from 'poundlock';
import { pool, alloc, free, relinquish, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const tmem = pool('tmem', { capacity: 512 });

return [role('example', function* () {
const columns = yield* alloc(tmem, 128);
relinquish(tmem);
free(columns);
})];
});