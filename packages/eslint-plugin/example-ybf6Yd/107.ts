import { kernel as $kernel } from 'poundlock';
import { compute, exit, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [role('example', function* () {
yield* compute(100);
exit();
})];
});