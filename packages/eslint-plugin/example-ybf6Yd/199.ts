import { kernel as $kernel } from 'poundlock';
import { claimName } from '@poundlock/core/dialect';
import { barrier, arrive, role } from 'poundlock';
export default $kernel('example', {}, () => {
claimName('declarePair()', 'pair');
const pair = [barrier('pair[0]'), barrier('pair[1]')];
return [
  role('both', function* () {
    for (const each of pair) arrive(each);
  }),
];
});