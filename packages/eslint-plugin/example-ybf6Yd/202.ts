import { kernel as $kernel } from 'poundlock';
import { trackGenerators } from '@poundlock/core/dialect';
import { barrier, arrive, waitParity, role } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
const Gate = class {
  *pass() {
    yield* waitParity(bar, 0);
  }
};
trackGenerators(Gate);
arrive(bar);
yield* new Gate().pass();
})];
});