import { kernel as $kernel } from 'poundlock';
import { count, compute, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const items = count(8);
return [
  role('load', function* () {
    while (yield* items.more()) yield* compute(100);
  }),
];
});