import { kernel as $kernel } from 'poundlock';
import { barrier, arrive, completeTx, expectTx, wait, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
expectTx(bar, 128);
completeTx(bar, 128);
arrive(bar);
yield* wait(bar, 0);
})];
});