import { kernel as $kernel } from 'poundlock';
import { launch, compute, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
launch({ ctas: 132, source: 'hbm' });
return [
  role('load', function* () {
    yield* compute(100);
  }),
];
});