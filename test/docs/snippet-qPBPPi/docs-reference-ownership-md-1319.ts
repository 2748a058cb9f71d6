import { alloc, free, kernel, pipeline, pool, read, relinquish, role, write } from 'poundlock';

export default kernel('end-says-done', {}, () => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const life = pipeline('life', { stages: 1, consumers: 128 });
  const multiply = role('mma', function* () {
    const columns = yield* alloc(tmem, 512);
    relinquish(tmem);
    write(columns);
    yield* life.producerSignalAndStep(); // published
    yield* life.waitConsumer(); // every epilogue thread is done
    free(columns);
  });
  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    using context = yield* life.consume();
    context.buffer(); // takes the address: the last use, and the end of the context
    read(tmem.buffers[0]!);
  });
  return [multiply, epilogue];
}, { ownership: 'raii' });
