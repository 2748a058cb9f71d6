// Bug: one role initializes the barrier and the other does not wait until it has.
// On hardware: the arrival changes an arbitrary word, and the initialization overwrites it: a
// hang, or a wait that passes immediately.
// Fix: both meet after the initialization: syncNamed here, fence and cluster_sync in a kernel.
import { arrive, barrier, init, kernel, role, wait } from 'poundlock';

export default kernel('uninitialised-barrier', { arrivals: 1 }, ({ arrivals }) => {
  const ready = barrier('ready', { count: 0 }); // initialized by the program

  const setup = role('setup', function* () {
    init(ready, arrivals);
    yield* wait(ready, 0);
  });

  const worker = role('worker', function* () {
    arrive(ready);
  });

  return [setup, worker];
});
