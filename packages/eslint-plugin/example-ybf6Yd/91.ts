import { kernel as $kernel } from 'poundlock';
import { end, loop, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
return [role('example', function* () {
yield* loop(0, function* (round) {
  return round === 4 ? end(null) : round + 1;
});
})];
});