import { kernel, pipeline, read, role, tma, buffer, write } from 'poundlock';

export default kernel('signals-early', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const registers = buffer('registers');
  const use = role('use', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using full = yield* ab.consumeExplicit();
      read(full.buffer());
      full.arrive(); // given back here
      write(registers); // what follows works on its own copy
    }
  });
  return [load, use];
});
