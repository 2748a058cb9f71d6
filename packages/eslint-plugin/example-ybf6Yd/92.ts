import { kernel as $kernel } from 'poundlock';
import { count, end, loop, compute, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const items = count(8);
return [
  role('sum', function* () {
    const sum = yield* loop(0, function* (sum) {
      if (!(yield* items.more())) return end(sum);
      return (sum + 1) % 4;
    });
    yield* compute(sum);
  }),
];
});