// The kernels of bench/run.mjs: one role fills tiles and stamps them, another copies them out. Each
// is written twice, with a plain `for`, and with the `loop` that a search closes.
import { buffer, compute, count, end, kernel, loop, pipeline, role } from 'poundlock';
import type { Buffer, ConsumerStage, ProducerStage } from 'poundlock';
import { bulkMemoryOf } from '../../packages/ring/dist/ring/src/memory.js';

const defaults = { tiles: 1000, stages: 8, bytes: 4096, touches: true, drains: true };

/** Stamps the tile that is held, with all of its bytes written before where it `touches` them. */
function filling(held: () => ProducerStage, touches: boolean) {
  let number = 0;
  return compute(1, (view) => {
    const words = view(held().buffer(), Int32Array);
    if (touches) bulkMemoryOf(view.memory).fill(words.byteOffset, number & 0xff, words.byteLength);
    words[0] = number;
    words[words.length - 1] = number++;
  });
}

/** Looks at both stamps, of a copy where it `touches` all bytes. */
function taking(held: () => ConsumerStage, out: Buffer, touches: boolean) {
  let number = 0;
  return compute(1, (view) => {
    let words = view(held().buffer(), Int32Array);
    if (touches) {
      const copy = view(out, Int32Array);
      bulkMemoryOf(view.memory).copy(copy.byteOffset, words.byteOffset, words.byteLength);
      words = copy;
    }
    if (words[0] !== number || words.at(-1) !== number) throw new Error(`tile ${number} is lost`);
    number++;
  });
}

export default kernel('pipe', defaults, ({ tiles, stages, bytes, touches, drains }) => {
  const pipe = pipeline('pipe', { stages, bytes, advance: 'acquire' });
  const out = buffer('out', { bytes });

  const produce = role('produce', function* () {
    let slot: ProducerStage;
    const fill = filling(() => slot, touches);
    for (let tile = 0; tile < tiles; tile++) {
      slot = yield* pipe.acquireProducer();
      yield* fill;
      slot.arrive();
      slot.release();
    }
    if (drains) yield* pipe.drain();
  });

  const consume = role('consume', function* () {
    let slot: ConsumerStage;
    const take = taking(() => slot, out, touches);
    for (let tile = 0; tile < tiles; tile++) {
      slot = yield* pipe.acquireConsumer();
      yield* take;
      slot.release();
    }
  });
  return [produce, consume];
});

export const rounds = kernel('pipe', defaults, ({ tiles, stages, bytes, touches, drains }) => {
  const pipe = pipeline('pipe', { stages, bytes, advance: 'acquire' });
  const out = buffer('out', { bytes });
  const items = count(tiles);

  const produce = role('produce', function* () {
    let slot: ProducerStage;
    const fill = filling(() => slot, touches);
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      slot = yield* pipe.acquireProducer();
      yield* fill;
      slot.arrive();
      slot.release();
      return null;
    });
    if (drains) yield* pipe.drain();
  });

  const consume = role('consume', function* () {
    let slot: ConsumerStage;
    const take = taking(() => slot, out, touches);
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      slot = yield* pipe.acquireConsumer();
      yield* take;
      slot.release();
      return null;
    });
  });
  return [produce, consume];
});
