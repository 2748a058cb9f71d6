import { kernel as $kernel } from 'poundlock';
import { cell, store, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const flag = cell('flag');
return [role('example', function* () {
store(flag, 1);
})];
});