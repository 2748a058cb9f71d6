// A role that polls a cell that is never set, as fast as it can.
import { cell, end, kernel, load, loop, role, store } from 'poundlock';

export default kernel('polls', {}, () => {
  const flag = cell('flag');
  const set = role('set', function* () {
    store(flag, 0);
  });
  const look = role('look', function* () {
    yield* loop(null, function* () {
      return (yield* load(flag)) === 1 ? end(null) : null;
    });
  });
  return [set, look];
});
