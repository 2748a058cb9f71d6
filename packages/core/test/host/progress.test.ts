// Progress of long work: what is shown where, the rate, the time that is left, narrow terminals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assert as assertProperty,
  constant,
  integer,
  nat,
  option,
  property,
  record,
  string,
} from 'fast-check';
import { Progress, type Host } from '../../src/host/index.ts';
import { Pace, rateText, roughTime } from '../../src/host/pace.ts';

const CLEAR = '\r\u001b[2K';

interface Place {
  readonly isTerminal: boolean;
  readonly columns?: number;
  readonly env?: Host['env'];
}

/** A host with a clock that the test moves. */
function place({ isTerminal, columns = 80, env = {} }: Place) {
  const clock = { time: 0, text: '' };
  const stderr = { write: (text: string) => void (clock.text += text), isTerminal, columns };
  const host = { stderr, env, now: () => clock.time } as unknown as Host;
  return { clock, progress: new Progress(host) };
}

/** Work of 100 jobs, one each 2 s, the first 20 of them. */
function works({ clock, progress }: ReturnType<typeof place>, seconds = 40) {
  for (clock.time = 0; clock.time <= seconds * 1000; clock.time += 250) {
    const done = Math.floor(clock.time / 2000);
    progress.update('sweeping gemm.ts', [{ done, all: 100, unit: 'job' }]);
  }
}

const lastLine = (text: string) => text.split(CLEAR).at(-1);

test('on a terminal one line changes: what is done, the time left, the rate', () => {
  const run = place({ isTerminal: true });
  works(run);
  const line = 'sweeping gemm.ts: 20 of 100 jobs · about 3 min left · 30/min · 40.0 s';
  assert.equal(lastLine(run.clock.text), line);
  run.progress.clear();
  assert.ok(run.clock.text.endsWith(CLEAR));
  assert.ok(!run.clock.text.includes('\n'));
});

test('short work shows nothing', () => {
  const run = place({ isTerminal: true });
  run.clock.time = 399;
  run.progress.update('checking', [{ done: 1, all: 2, unit: 'file' }]);
  run.progress.clear();
  assert.equal(run.clock.text, '');
});

test('in CI there is one line a minute; in a pipe of a person there is none', () => {
  const run = place({ isTerminal: false, env: { CI: 'true' } });
  works(run, 150);
  assert.deepEqual(run.clock.text.split('\n'), [
    'sweeping gemm.ts: 30 of 100 jobs, about 3 min left, 30/min, 1 min 00 s',
    'sweeping gemm.ts: 60 of 100 jobs, about 2 min left, 30/min, 2 min 00 s',
    '',
  ]);
  for (const env of [{}, { CI: '' }, { CI: 'false' }]) {
    const pipe = place({ isTerminal: false, env });
    works(pipe, 150);
    assert.equal(pipe.clock.text, '');
  }
});

test('a terminal that cannot clear a line gets lines', () => {
  const run = place({ isTerminal: true, env: { TERM: 'dumb' } });
  works(run, 70);
  assert.match(run.clock.text, /^sweeping gemm\.ts: 30 of 100 jobs, .*\n$/);
});

test('the innermost count has facts, and starts again with its work', () => {
  const { clock, progress } = place({ isTerminal: true, columns: 200 });
  for (let job = 0; job < 3; job++) {
    for (let round = 0; round <= 10; round++) {
      clock.time += 100;
      progress.update(`checking ${job}`, [
        { done: job, all: 3, unit: 'check' },
        { done: round * 1000, all: null, unit: 'state', facts: [`depth ${round}`] },
      ]);
    }
  }
  const line = lastLine(clock.text)!;
  assert.match(
    line,
    /^checking 2: 2 of 3 checks · about \d s left · .* · 10,000 states · 10,000\/s/,
  );
  assert.match(line, /· depth 10 · 3\.30 s$/);
});

test('a line always fits, and counts go last', () => {
  const word = string({ maxLength: 60 });
  const amount = record({ done: nat(), all: option(nat()), unit: constant('job') });
  assertProperty(
    property(word, amount, integer({ min: 1, max: 120 }), (work, one, columns) => {
      const { clock, progress } = place({ isTerminal: true, columns });
      progress.update(work, [one]);
      clock.time = 1000;
      progress.update(work, [one]);
      const line = lastLine(clock.text)!;
      assert.ok(line.length < columns || columns === 1);
      const count = one.all === null ? /[\d,]+ jobs?/ : /[\d,]+ of [\d,]+ jobs?/;
      if (columns > 40) assert.match(line, count);
    }),
  );
});

test('the rate follows a change, and work that was done before does not count', () => {
  const pace = new Pace();
  assert.equal(pace.perMillisecond, null);
  for (let time = 0; time < 10_000; time += 10) pace.note(5000 + time, time);
  assert.equal(Math.round(pace.perMillisecond! * 100), 100);
  for (let time = 10_000; time < 60_000; time += 10) pace.note(15_000 + (time - 10_000) / 10, time);
  assert.ok(pace.perMillisecond! < 0.2);
  assert.ok(pace.left(25_000)! > 20_000);
  pace.note(3, 60_001);
  assert.equal(pace.perMillisecond, null);
});

test('rates and times have the unit that people would choose', () => {
  assert.deepEqual(
    [2000, 1, 0.5, 0.01, 0.0001].map((each) => rateText(each / 1000)),
    ['2,000/s', '1/s', '30/min', '36/h', '0.4/h'],
  );
  assert.deepEqual([0, 900, 59_500, 61_000, 3_599_000, 3_600_000, 5_000_000].map(roughTime), [
    '0 s',
    '1 s',
    '1 min',
    '2 min',
    '1 h',
    '1 h',
    '1 h 24 min',
  ]);
});
