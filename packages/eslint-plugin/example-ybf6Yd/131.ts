import { kernel as $kernel } from 'poundlock';
import { arriveCluster, waitCluster, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [role('example', function* () {
arriveCluster();
yield* waitCluster();
})];
});