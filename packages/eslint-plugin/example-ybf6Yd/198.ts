import { kernel as $kernel } from 'poundlock';
import { callingRole } from '@poundlock/core/dialect';
import { barrier, count, arrive, wait, role } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
return [role('example', function* () {
const { cta, lanes } = callingRole('a signal');
arrive(bar, { cta, count: lanes });
yield* wait(bar, 0);
})];
});