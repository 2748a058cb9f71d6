import { kernel as $kernel } from 'poundlock';
import { cell, compute, fetchAdd, role } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const next = cell('next', 0);
const worker = (name: string) =>
  role(name, function* () {
    yield* compute(yield* fetchAdd(next, 1));
  });
return [worker('a'), worker('b')];
});