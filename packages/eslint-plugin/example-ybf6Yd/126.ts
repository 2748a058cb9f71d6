import { kernel as $kernel } from 'poundlock';
import { syncNamed, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const warp = (name: string) =>
  role(name, { lanes: 32 }, function* () {
    yield* syncNamed(1, 64);
  });
return [warp('a'), warp('b')];
});