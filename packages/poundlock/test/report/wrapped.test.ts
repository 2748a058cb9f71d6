import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array,
  assert as holds,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  stringMatching,
} from 'fast-check';
import { findingLines } from '#src/report/finding';
import { terminal } from '#src/report/terminal/index';
import { hanging, wrapped } from '#src/report/wrapped';
import { checked, DEADLOCK, environment, FILE, KERNEL, report } from './sample.ts';
import { OF_VERB } from './verb-samples.ts';

const word = oneof(
  stringMatching(/^[a-z/.[\]=-]{1,14}$/),
  constantFrom('`poundlock check a.ts --set stages=2`,', '`x y`', 'src/a/very/long/path.ts:12:4'),
);

test('text is broken between words, which stay whole and in order', () => {
  holds(
    property(
      array(word, { minLength: 1 }),
      integer({ min: 10, max: 80 }),
      nat(30),
      (words, columns, before) => {
        const indent = Math.min(before, 6);
        const lines = wrapped(words.join(' '), { columns, before, indent });
        assert.equal(lines.join(' '), words.join(' '));
        for (const [at, line] of lines.entries()) {
          const room = columns - (at === 0 ? before : indent);
          assert.ok(line.length <= room || words.includes(line), line);
        }
      },
    ),
  );
});

test('without a width nothing is broken', () => {
  const text = 'word '.repeat(100);
  assert.deepEqual(hanging(text, { columns: undefined, before: 3 }), [text]);
});

test('where little room is left, the other lines begin further left', () => {
  const lines = hanging('one two three four', { columns: 30, before: 24 });
  assert.deepEqual(lines, ['one', '    two three four']);
});

test('on a narrow terminal only what is copied is longer than a line', () => {
  const columns = 60;
  const lines = findingLines(DEADLOCK, environment(KERNEL, { columns }));
  const wide = lines.flatMap((text) => text.split('\n')).filter((line) => line.length > columns);
  assert.ok(wide.length > 0 && wide.every((line) => line.includes('poundlock check')), `${wide}`);
  const text = (columns?: number) =>
    terminal
      .render(report([checked()]), environment([], columns === undefined ? {} : { columns }))
      .replaceAll(/\s+/g, ' ');
  assert.equal(text(40), text());
});

test('of many certified files only the others are listed, headed by their file', () => {
  const names = Array.from({ length: 6 }, (_, at) => `kernels/${at}.ts`);
  const params = { stages: 3, tiles: 16 };
  const scope = {
    params,
    every: ['tiles'],
    assumptions: [{ name: 'period' as const, text: 'rounds are alike' }],
    sizes: [],
  };
  const results = [
    ...names.map((name) => checked({ scope }, name)),
    checked({ verdict: 'counterexample', findings: [DEADLOCK] }, FILE),
    checked({ verdict: 'inconclusive', reason: 'the bound max-states was reached' }, 'open.ts'),
  ];
  const text = terminal.render(report(results), environment(KERNEL));
  assert.match(text, new RegExp(`^── ${FILE}\nerror\\[deadlock\\]`));
  assert.match(text, /\n── open.ts\ninconclusive {2}gemm/);
  assert.doesNotMatch(text, /no interleaving can/);
  for (const name of names) assert.equal(text.split(name).length, 2, name);
  assert.match(text, /\n8 results: 6 certified, 1 counterexample, 1 inconclusive\n/);
  assert.match(text, /\n {3}assumes: rounds are alike \[period\] \(6 of 6 certified\)\n$/);
});

test('advice and runs say the same on a narrow terminal, within its width', () => {
  for (const [verb, one] of Object.entries(OF_VERB)) {
    if (verb !== 'advise' && verb !== 'run') continue;
    const text = (columns?: number) =>
      terminal.render(one, environment([], columns === undefined ? {} : { columns }));
    const words = (shown: string) => shown.replaceAll(/[\s│]+/g, ' ');
    assert.equal(words(text(40)), words(text()));
    for (const line of text(40).split('\n')) {
      // A place or another word alone may be wider than the terminal.
      const isWord = line.trim().split(/\s+/).length <= 2 || line.includes('poundlock check');
      assert.ok(line.length <= 40 || isWord || /^ {2}\S+ {2}/.test(line), line);
    }
  }
});
