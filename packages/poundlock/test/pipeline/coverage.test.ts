// The documented interface of the modelled module, its export here, and the tests that use it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as face from 'poundlock';
import { ConsumerStage, ProducerConsumerPipeline, ProducerStage } from 'poundlock';
import { expectPage } from '../generated-page.ts';

type Row = readonly [documented: string, owner: string, name: string];

/** Names as the documentation of `pipeline` has them, then those that its users call as well. */
const ROWS: readonly Row[] = [
  ['`ProducerConsumerPipeline`', '', 'ProducerConsumerPipeline'],
  ['`ProducerStage`', '', 'ProducerStage'],
  ['`ConsumerStage`', '', 'ConsumerStage'],
  ['`ProduceContext`', '', 'ProduceContext'],
  ['`ConsumeContext`', '', 'ConsumeContext'],
  ['`ExplicitConsumeContext`', '', 'ExplicitConsumeContext'],
  ['`MbarPtr`, an `UnsafePointer` to a barrier', '', 'barrier'],
  ['`mma_op.mma(…)`', 'mma', 'issue'],
  ['`mma_op.commit(stage.mbar())`', 'mma', 'commit'],
  ['`pipeline.acquire_producer()`', 'ProducerConsumerPipeline', 'acquireProducer'],
  ['`pipeline.acquire_consumer()`', 'ProducerConsumerPipeline', 'acquireConsumer'],
  ['`with pipeline.produce() as stage`', 'ProducerConsumerPipeline', 'produce'],
  ['`with pipeline.consume() as stage`', 'ProducerConsumerPipeline', 'consume'],
  ['`with pipeline.consume_explicit() as stage`', 'ProducerConsumerPipeline', 'consumeExplicit'],
  ['`pipeline.wait_producer()`', 'ProducerConsumerPipeline', 'waitProducer'],
  ['`pipeline.wait_consumer()`', 'ProducerConsumerPipeline', 'waitConsumer'],
  ['`pipeline.producer_step()`', 'ProducerConsumerPipeline', 'producerStep'],
  ['`pipeline.consumer_step()`', 'ProducerConsumerPipeline', 'consumerStep'],
  ['`pipeline.producer_mbar(stage)`', 'ProducerConsumerPipeline', 'producerMbar'],
  ['`pipeline.consumer_mbar(stage)`', 'ProducerConsumerPipeline', 'consumerMbar'],
  ['`stage.index()` of a producer', 'ProducerStage', 'index'],
  ['`stage.mbar()` of a producer', 'ProducerStage', 'mbar'],
  ['`stage^.release()` of a producer', 'ProducerStage', 'release'],
  ['`stage.index()` of a consumer', 'ConsumerStage', 'index'],
  ['`stage.mbar()` of a consumer', 'ConsumerStage', 'mbar'],
  ['`stage.arrive()`', 'ConsumerStage', 'arrive'],
  ['`if lane_id() < CLUSTER_SIZE: stage.arrive()`', 'ConsumerStage', 'arrive({ lanes'],
  ['`stage^.release()` of a consumer', 'ConsumerStage', 'release'],
  ['`stage^.release_without_signal()`', 'ConsumerStage', 'releaseWithoutSignal'],
  ['`pipeline.init_mbars(producers, consumers)`', 'ProducerConsumerPipeline', 'initMbars'],
  ['`pipeline.try_wait_producer()`', 'ProducerConsumerPipeline', 'tryWaitProducer'],
  ['`pipeline.try_wait_consumer()`', 'ProducerConsumerPipeline', 'tryWaitConsumer'],
  ['`pipeline.wait_producer_if_needed(ready)`', 'ProducerConsumerPipeline', 'waitProducerIfNeeded'],
  ['`pipeline.wait_consumer_if_needed(ready)`', 'ProducerConsumerPipeline', 'waitConsumerIfNeeded'],
  ['`pipeline.producer_stage()`', 'ProducerConsumerPipeline', 'producerStage'],
  ['`pipeline.consumer_stage()`', 'ProducerConsumerPipeline', 'consumerStage'],
  ['`pipeline.producer_signal_and_step()`', 'ProducerConsumerPipeline', 'producerSignalAndStep'],
  ['`pipeline.consumer_signal_and_step()`', 'ProducerConsumerPipeline', 'consumerSignalAndStep'],
  ['drain, written by hand there', 'ProducerConsumerPipeline', 'drain'],
  ['a copy of the pipeline', 'ProducerConsumerPipeline', 'copy'],
];

const FOLDER = import.meta.dirname;
const TESTS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

function isExported([, owner, name]: Row): boolean {
  const exports = face as unknown as Record<string, { prototype?: object }>;
  if (owner === '') return name in exports;
  const target = exports[owner];
  const method = name.replace(/\(.*/, '');
  // A stage's number is a field of its instances.
  const members =
    typeof target === 'function' ? (target as { prototype: object }).prototype : target;
  return method === 'index' || (members !== undefined && method in members);
}

/** The tests that use a name: as a call or field of something, or as a type or value by itself. */
function usersOf([, owner, name]: Row): string[] {
  const isCall = name.includes('(');
  const escaped = name.replaceAll(/[(){}]/g, '\\$&');
  const of = owner === 'mma' ? '\\bmma' : String.raw`(?<!\b[tm]ma)`;
  const pattern = owner === '' ? `\\b${escaped}\\b` : `${of}\\.${escaped}${isCall ? '' : '\\b'}`;
  return TESTS.filter(({ text }) => new RegExp(pattern).test(text)).map(({ name: file }) => file);
}

const HEAD = `# Coverage of the pipeline module

The names in the documentation of Modular's \`pipeline\` module, and further methods that its users call; the corresponding export; and the
tests in \`test/pipeline\` that use it. Produced by a test (\`UPDATE_DOCS=1 npm test -- pipeline\`), which fails when a row is empty.

| documented | export | tests |
|---|---|---|
`;

test('docs/reference/pipeline-coverage.md is the table of the documented interface, with no row empty', () => {
  const rows = ROWS.map((row) => {
    const [documented, owner, name] = row;
    assert.ok(isExported(row), `${owner}.${name} is not exported`);
    const users = usersOf(row);
    assert.ok(users.length > 0, `no test uses ${owner}.${name}`);
    const shown = `${owner === '' ? '' : `${owner}.`}${name}${name.includes('(') ? ' })' : ''}`;
    return `| ${documented} | \`${shown}\` | ${users.map((user) => `\`${user}\``).join(' ')} |\n`;
  });
  expectPage('docs/reference/pipeline-coverage.md', HEAD + rows.join(''));
});

test('every method of the pipeline and of its handles is in the table, or is our own', () => {
  const own = new Set('constructor tryClaim buffers drop linear postWaitProducer'.split(' '));
  const classes = { ProducerConsumerPipeline, ProducerStage, ConsumerStage };
  for (const [name, { prototype }] of Object.entries(classes)) {
    for (const method of Object.getOwnPropertyNames(prototype)) {
      const isKnown = ROWS.some(([, owner, known]) => owner === name && known === method);
      assert.ok(isKnown || own.has(method), `${name}.${method}`);
    }
  }
});
