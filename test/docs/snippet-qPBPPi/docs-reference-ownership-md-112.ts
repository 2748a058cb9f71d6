import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('waits-for-itself', {}, () => {
  const ask = pipeline('ask', { stages: 1, bytes: 16_384 });
  const tell = pipeline('tell', { stages: 1, bytes: 16_384 });

  const questioner = role('questioner', function* () {
    const question = yield* ask.acquireProducer();
    const reply = yield* tell.acquireConsumer(); // the question has not been asked
    tma.load(question);
    question.release();
    read(reply.buffer());
    reply.release();
  });

  const answer = role('answer', function* () {
    const question = yield* ask.acquireConsumer();
    const reply = yield* tell.acquireProducer();
    read(question.buffer());
    question.release(); // acquired first and released first: not what scopes do
    tma.load(reply);
    reply.release();
  });
  return [questioner, answer];
});
