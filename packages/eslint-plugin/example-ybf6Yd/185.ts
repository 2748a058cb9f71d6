import { kernel as $kernel } from 'poundlock';
import { closeMembers } from '@poundlock/core/dialect';
import { barrier, arrive, wait, role } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
const Gate = class {
  open(): void {
    arrive(bar);
  }
};
closeMembers(Gate.prototype);
new Gate().open();
yield* wait(bar, 0);
})];
});