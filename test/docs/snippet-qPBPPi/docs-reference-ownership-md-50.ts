import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('outer-first', {}, () => {
  const a = pipeline('a', { stages: 1, bytes: 16_384 });
  const b = pipeline('b', { stages: 1, bytes: 16_384 });
  const load = role('load', function* () {
    using left = yield* a.produce();
    tma.load(left);
    using right = yield* b.produce();
    tma.load(right);
  });

  const add = role('add', function* () {
    const left = yield* a.consume();
    using right = yield* b.consume();
    read(left.buffer());
    left[Symbol.dispose](); // the scope of `right` is inside it, and goes on
    read(right.buffer());
  });
  return [load, add];
});
