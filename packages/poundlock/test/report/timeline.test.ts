// The timeline of a run: rows, signals to waits, the critical path, and the table behind it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernel, mma, pipeline, role, tma } from 'poundlock';
import { barsOf } from '#src/report/timeline/bars';
import { timelineHtml } from '#src/report/timeline/svg';
import { MODELS, simulate } from '#src/simulate/index';

const one = kernel('one', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 1024 });
  const load = role('load', function* () {
    for (let tile = 0; tile < 3; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });
  const math = role('math', function* () {
    for (let tile = 0; tile < 3; tile++) {
      using stage = yield* ab.consume();
      mma.issue(stage, [], { cycles: 128 });
      yield* mma.waitGroup(0);
    }
  });
  return [load, math];
});
const run = simulate(one, { model: MODELS.h200 });
const timeline = run.recording!;
const place = { file: 'a/one.ts', line: 7 };
const spans = timeline.spans.map((span) => (span.role === 1 ? { ...span, place } : span));
const { flights, signals, path } = timeline;
const bars = barsOf({ spans, flights, signals, path }, ['load', 'math']);

test('every wait for data has an arrow from the copy that ends it', () => {
  const math = bars.rows.indexOf('math');
  const copies = bars.rows.findIndex((name) => name.startsWith('(tma'));
  const waits = bars.bars.filter(({ row, look }) => row === math && look === 'full');
  assert.ok(waits.length >= 3);
  for (const wait of waits) {
    const arrow = bars.arrows.find(({ toRow, end }) => toRow === math && end === wait.end);
    assert.equal(arrow?.fromRow, copies);
    assert.ok(arrow.start <= wait.end);
  }
});

test('the critical path goes from the start to the end without a hole', () => {
  assert.equal(bars.path[0]!.start, 0);
  for (const [at, piece] of bars.path.slice(1).entries())
    assert.equal(piece.start, bars.path[at]!.end);
  const shares = run.criticalPath.reduce((sum, { cycles }) => sum + cycles, 0);
  assert.equal(bars.path.at(-1)!.end, shares);
});

test('the drawing has an axis, arrows, the path and a table; a line stands out', () => {
  const to = Math.max(...bars.bars.map(({ end }) => end));
  const html = timelineHtml(bars, { about: 'a run', from: 0, to, selected: place });
  assert.equal(html.match(/class="signal" x1/g)!.length, bars.arrows.length);
  assert.equal(html.match(/class="path" x1/g)!.length, bars.path.length);
  assert.ok(html.match(/class="tick"/g)!.length > 3);
  const own = bars.bars.filter((bar) => bar.place !== undefined);
  assert.equal(html.match(/ selected"/g)!.length, own.length);
  assert.equal(html.match(/<tr>/g)!.length, 1 + bars.bars.length);
  assert.match(html, /<td>math<\/td><td>waits for data<\/td>.*<td>one\.ts:7<\/td>/);
  // Of a part, what is in it.
  const early = timelineHtml(bars, { about: 'a run', from: 0, to: to / 2 });
  assert.ok(early.match(/<rect/g)!.length < bars.bars.length);
});
