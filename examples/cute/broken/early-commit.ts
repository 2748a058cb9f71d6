// Bug: the producer commits a stage after waiting until at most `inFlight` copies are under way, but
// no more than that were started.
// On hardware: the wait is over at once, and the first stage is full before its copy has landed.
// NVIDIA/cutlass pull request 2502 fixes this in the MLA example, which waits for StagesPV - 1
// copies after StagesPV - 1 were started.
// Fix: wait until fewer are under way than were started.
import { asyncUse, kernel, read, role, UNITS, waitGroup } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

export default kernel('early-commit', { inFlight: 1, tiles: 3 }, ({ inFlight, tiles }) => {
  const pages = cutlass.PipelineAsync.create('pages', { stages: 2 });

  const load = role('load', function* () {
    let write = makeProducerStartState(pages);
    for (let tile = 0; tile < tiles; tile++, write = advance(write)) {
      yield* pages.producerAcquire(write);
      asyncUse(UNITS.bulk, { writes: pages.buffers(write), group: true });
      yield* waitGroup(UNITS.bulk, inFlight);
      pages.producerCommit(write);
    }
    yield* pages.producerTail(write);
  });

  const math = role('math', function* () {
    let state = makeConsumerStartState(pages);
    for (let tile = 0; tile < tiles; tile++, state = advance(state)) {
      yield* pages.consumerWait(state);
      read(pages.buffers(state)[0]!);
      pages.consumerRelease(state);
    }
  });

  return [load, math];
});
