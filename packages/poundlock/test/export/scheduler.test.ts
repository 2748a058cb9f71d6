// tier: release
// Kernels with a dynamic scheduler are exported: SPIN says of them what check says, mutants too.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  arrive,
  cell,
  choose,
  compute,
  end,
  fetchAdd,
  kernel,
  load,
  loop,
  pipeline,
  read,
  role,
  store,
  tma,
  type Kernel,
} from 'poundlock';
import { exportKernel, FORMATS } from '#src/export/index';
import { verdictOf } from '../conformance/verdict-of.ts';
import { spinVerdict } from './spin.ts';
import { missingSpin } from './tools.ts';

/** CTAs draw tickets from one cell until there are no more; a ring passes each to a consumer. */
const TICKETS = kernel('tickets', { tiles: 2, ctas: 2, bug: 'none' }, ({ tiles, ctas, bug }) => {
  const next = cell('next', 0);
  return Array.from({ length: ctas }, (_, cta) => {
    const work = pipeline(`work${cta}`, { stages: 1, bytes: {} });
    const tile = cell(`tile${cta}`, 0);
    return [
      role(`scheduler${cta}`, function* () {
        for (;;) {
          const ticket = yield* fetchAdd(next, 1);
          const slot = yield* work.acquireProducer();
          store(tile, ticket);
          if (bug !== 'no-signal' || ticket < tiles) slot.arrive();
          slot.release();
          if (ticket >= tiles) break;
        }
        yield* work.drain();
      }),
      role(`consumer${cta}`, function* () {
        yield* loop(null, function* () {
          const slot = yield* work.acquireConsumer();
          const ticket = yield* load(tile);
          if (bug === 'no-release' && ticket === 1) slot.releaseWithoutSignal();
          else slot.release();
          if (ticket >= tiles) return end(null);
          yield* compute(10);
          return null;
        });
      }),
    ];
  }).flat();
});

/** A producer that may stop at any tile; consumers claim tiles, or test before they wait. */
const CHOICES = kernel('choices', { bug: 'none' }, ({ bug }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 64, advance: 'acquire' });
  const ends = cell('ends', 0);
  return [
    role('load', function* () {
      let tiles = 0;
      while (tiles < 2 && (yield* choose(2)) === 1) {
        using slot = yield* ab.produce();
        tma.load(slot);
        tiles++;
      }
      store(ends, 1 + tiles);
      if (bug !== 'early-end') yield* ab.drain();
    }),
    role('use', function* () {
      const total = yield* loop(0, function* () {
        const known = yield* load(ends);
        return known === 0 ? 0 : end(known - 1);
      });
      for (let tile = 0; tile < total + (bug === 'one-more' ? 1 : 0); tile++) {
        const ready = yield* ab.tryWaitProducer();
        const waited = yield* ab.waitProducerIfNeeded(bug === 'no-wait' || ready);
        read(ab.buffers(waited)[0]!);
        if (bug !== 'no-release' || tile === 0) arrive(ab.consumerMbar(waited));
        ab.consumerStep();
      }
    }),
  ];
});

const CASES: readonly [Kernel, Record<string, string | number>][] = [
  [TICKETS, {}],
  [TICKETS, { tiles: 1 }],
  [TICKETS, { ctas: 1, tiles: 3 }],
  [TICKETS, { ctas: 1, bug: 'no-signal' }],
  [TICKETS, { ctas: 1, bug: 'no-release' }],
  [TICKETS, { tiles: 1, bug: 'no-signal' }],
  [CHOICES, {}],
  [CHOICES, { bug: 'early-end' }],
  [CHOICES, { bug: 'one-more' }],
  [CHOICES, { bug: 'no-wait' }],
  [CHOICES, { bug: 'no-release' }],
];

test('tickets of a loop without an end in the text are exported in every format', () => {
  for (const format of FORMATS) {
    assert.ok(exportKernel(TICKETS, format, { params: { tiles: 2 } }).length > 0, format);
  }
});

test('a role that draws tickets gets a higher one each time', () => {
  const drawing = kernel('drawing', {}, () => {
    const next = cell('next', 5);
    return [
      role('draws', function* () {
        yield* fetchAdd(next, 1);
        yield* fetchAdd(next, 2);
      }),
    ];
  });
  const text = exportKernel(drawing, 'promela');
  const second = text.slice(text.indexOf('L1:'));
  assert.match(second, /c_next == 6 ->/);
  assert.doesNotMatch(second, /c_next == 5 ->/);
});

suite('SPIN and dynamic schedulers', { skip: missingSpin() || false }, () => {
  for (const [of, params] of CASES) {
    test(`agrees on ${of.name} ${JSON.stringify(params)}`, async (t) => {
      const theirs = await spinVerdict(exportKernel(of, 'promela', { params }));
      const ours = await verdictOf(of, params);
      assert.match(theirs, /^(PASS|DEADLOCK|(?!export_bound)[a-z_]+)$/);
      assert.equal(theirs === 'PASS', ours.isCertified, `${theirs}, and we say ${ours.rule}`);
      t.diagnostic(`${theirs} / ${ours.rule || 'certified'}`);
    });
  }
});
