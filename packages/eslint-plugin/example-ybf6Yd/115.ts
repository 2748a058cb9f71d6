import { kernel as $kernel } from 'poundlock';
import { launchDependents, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [role('example', function* () {
launchDependents();
})];
});