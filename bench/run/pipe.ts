// The kernel of bench/run.mjs: one role fills tiles and stamps them, another copies them out.
import { buffer, compute, count, end, kernel, loop, pipeline, role } from 'poundlock';
import type { ConsumerStage, ProducerStage } from 'poundlock';
import { moverOf } from '../../packages/poundlock/dist/ring/memory.js';

const defaults = { tiles: 1000, stages: 8, bytes: 4096, touches: true, drains: true };

export default kernel('pipe', defaults, ({ tiles, stages, bytes, touches, drains }) => {
  const pipe = pipeline('pipe', { stages, bytes, advance: 'acquire' });
  const out = buffer('out', { bytes });
  const items = count(tiles);

  const produce = role('produce', function* () {
    let number = 0;
    let slot: ProducerStage;
    const fill = compute(1, (view) => {
      const words = view(slot.buffer(), Int32Array);
      if (touches) moverOf(view.memory).fill(words.byteOffset, number & 0xff, bytes);
      words[0] = number;
      words[words.length - 1] = number++;
    });
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
    let number = 0;
    let slot: ConsumerStage;
    const take = compute(1, (view) => {
      let words = view(slot.buffer(), Int32Array);
      if (touches) {
        const copy = view(out, Int32Array);
        moverOf(view.memory).copy(copy.byteOffset, words.byteOffset, bytes);
        words = copy;
      }
      if (words[0] !== number || words.at(-1) !== number) throw new Error(`tile ${number} is lost`);
      number++;
    });
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
