import { kernel as $kernel } from 'poundlock';
import { namedBarrier, syncNamed, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const epilogue = namedBarrier('epilogue', { id: 1, threads: 64 });
const warp = (name: string) =>
  role(name, { lanes: 32 }, function* () {
    yield* syncNamed(epilogue);
  });
return [warp('a'), warp('b')];
});