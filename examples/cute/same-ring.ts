// One ring in the words of three libraries, which are the same operations.
//
// Shows: a producer, a consumer and the drain in Mojo's words, in CuTe DSL's and in CUTLASS C++'s.
// What differs is who keeps the counter and when it moves: the engine at the release, the engine at
// the acquire, or the program by hand. No other role can observe that.
// Unlike docs/reference/dialects.md, here a parameter chooses the dialect: --set words=cutlass.
//
//   role     waits for         works on      signals
//   load     ab.empty[stage]   a TMA copy    ab.full[stage], by its bytes
//   consume  ab.full[stage]    the tile      ab.empty[stage], one arrival
import { kernel, pipeline, read, role, tma } from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';
import { PipelineTmaAsync } from 'poundlock/cute';

const bytes = 16_384;

function mojo(stages: number, tiles: number) {
  const ab = pipeline('ab', { stages, bytes });
  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot); // expects the bytes and copies; the end of the block moves on
    }
    yield* ab.drain();
  });
  const consume = role('consume', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.consume();
      read(slot.buffer()); // the end of the block arrives and moves on
    }
  });
  return [load, consume];
}

function cuteDsl(stages: number, tiles: number) {
  const ab = PipelineTmaAsync.create('ab', { numStages: stages, bytes });
  const [producer, consumer] = ab.makeParticipants();
  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* producer.acquireAndAdvance(); // expects the bytes and moves on
      tma.copy(handle);
    }
    yield* producer.tail();
  });
  const consume = role('consume', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const handle = yield* consumer.waitAndAdvance(); // moves on
      read(handle.buffer());
      handle.release(); // one lane of the warp arrives
    }
  });
  return [load, consume];
}

function cutlassCpp(stages: number, tiles: number) {
  const ab = cutlass.PipelineTmaAsync.create('ab', { stages, bytes, numConsumers: 1 });
  const load = role('load', function* () {
    let write = makeProducerStartState(ab);
    for (let tile = 0; tile < tiles; tile++, write = advance(write)) {
      yield* ab.producerAcquire(write); // expects the bytes
      ab.tmaLoad(write);
    }
    yield* ab.producerTail(write);
  });
  const consume = role('consume', function* () {
    let state = makeConsumerStartState(ab);
    for (let tile = 0; tile < tiles; tile++, state = advance(state)) {
      yield* ab.consumerWait(state);
      read(ab.buffers(state)[0]!);
      ab.consumerRelease(state); // every consumer thread arrives
    }
  });
  return [load, consume];
}

const WORDS: Readonly<Record<string, typeof mojo>> = { mojo, dsl: cuteDsl, cutlass: cutlassCpp };

export default kernel('same-ring', { words: 'dsl', stages: 3, tiles: 8 }, (params) => {
  const words = WORDS[params.words];
  if (words === undefined) throw new RangeError(`words are ${Object.keys(WORDS).join(', ')}`);
  return words(params.stages, params.tiles);
});
