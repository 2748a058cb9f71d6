// Names are arbitrary strings: no report, trace or export shows their control characters.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { arrive, barrier, buffer, kernel, role, wait, write } from 'poundlock';
import { displayName } from '../../../core/src/base/index.ts';
import { exportKernel, FORMATS } from '#src/export/index';
import { REPORTERS, REPORTER_NAMES, TRACE_WRITERS } from '#src/report/index';
import type { Report } from '../../../core/src/finding/index.ts';
import { environment, KERNEL } from './sample.ts';
import { OF_VERB } from './verb-samples.ts';

const EVIL = [
  '\n',
  '\r',
  '\u001b[31m',
  '\u0007',
  '\u009b',
  '\u202e',
  '\u200b',
  '\u2028',
  '|',
  '`',
  '</script><b>',
  '::error::x',
  '%0A',
  '"',
  '\\',
  '*/',
  '/*',
  '*)',
  '(*',
  "'",
  '\t',
  '#',
  '{',
];
const names = fc
  .array(fc.oneof(fc.constantFrom(...EVIL), fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

/** C0 but for line feeds, DEL and C1, marks of direction, and characters without width. */
const RAW = new RegExp(
  String.raw`[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]`,
);

/** A report with `name` at the end of every text in it. */
function renamed(value: unknown, name: string, key = ''): unknown {
  const isText = typeof value === 'string' && !FIXED.has(key);
  if (isText) return value + name;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((one) => renamed(one, name, key));
  return Object.fromEntries(
    Object.entries(value).map(([one, inner]) => [one, renamed(inner, name, one)]),
  );
}
/** Words with a meaning of their own. */
const FIXED = new Set(
  'verb name version verdict severity rule engine kind fixes evidence unit verdicts state cause'.split(
    ' ',
  ),
);

suite('reports', () => {
  for (const name of REPORTER_NAMES) {
    test(`${name} has no control characters of a name`, () => {
      fc.assert(
        fc.property(names, (evil) => {
          for (const report of Object.values(OF_VERB) as Report[]) {
            const text = REPORTERS[name].render(
              renamed(report, evil) as Report,
              environment(KERNEL),
            );
            assert.doesNotMatch(text, RAW);
            if (name === 'json' || name === 'sarif') JSON.parse(text);
            if (name !== 'github') continue;
            const lines = text.trimEnd().split('\n');
            const before = REPORTERS.github.render(report, environment(KERNEL)).trimEnd();
            assert.equal(lines.length, before.split('\n').length);
          }
        }),
        { numRuns: 40 },
      );
    });
  }

  test('JSON keeps the value of every name', () => {
    fc.assert(
      fc.property(names, (evil) => {
        const report = renamed(OF_VERB.check, evil) as Report;
        const text = REPORTERS.json.render(report, environment(KERNEL));
        const { findings } = JSON.parse(text) as { findings: { message: string }[] };
        assert.equal(findings[0]?.message, report.findings[0]?.message.toWellFormed());
      }),
      { numRuns: 40 },
    );
  });

  test('traces have no control characters of a name', () => {
    fc.assert(
      fc.property(names, (evil) => {
        const report = renamed(OF_VERB.simulate, evil) as Report<'simulate'>;
        JSON.parse(TRACE_WRITERS.chrome(report));
        const before = TRACE_WRITERS.kanata(OF_VERB.simulate as Report<'simulate'>).split('\n');
        assert.equal(TRACE_WRITERS.kanata(report).split('\n').length, before.length);
      }),
      { numRuns: 20 },
    );
  });
});

suite('exports', () => {
  const handOver = (one: string, two: string) =>
    kernel(`k${one}`, { p: one }, () => {
      const full = barrier(`full${one}`);
      const tile = buffer(`tile${two}`);
      return [
        role(`load${one}`, function* () {
          write(tile);
          arrive(full);
        }),
        role(`mma${two}`, function* () {
          yield* wait(full, 0);
          write(tile);
        }),
      ];
    });

  for (const format of FORMATS) {
    test(`${format} has the same lines, whatever the names are`, () => {
      const plain = exportKernel(handOver('', ''), format).split('\n');
      fc.assert(
        fc.property(names, names, (one, two) => {
          const text = exportKernel(handOver(one, two), format);
          assert.doesNotMatch(text, RAW);
          const lines = text.split('\n');
          assert.equal(lines.length, plain.length);
          if (format === 'promela') assert.equal(shape(text), shape(plain.join('\n')));
          if (format === 'dot') {
            for (const line of lines) {
              assert.equal((line.replaceAll(/\\./g, '').split('"').length - 1) % 2, 0, line);
            }
          }
        }),
        { numRuns: 60 },
      );
    });
  }

  /** A Promela program without comments, and with the same names for all identifiers. */
  function shape(text: string): string {
    const known = new Map<string, string>();
    const ident = (word: string) => {
      if (!known.has(word)) known.set(word, `i${known.size}`);
      return known.get(word)!;
    };
    return text
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/"[^"\n]*"/g, '""')
      .replaceAll(/\b[A-Za-z_]\w*\b/g, ident)
      .replaceAll(/[^\S\n]+/g, ' ');
  }
});

test('different names are displayed differently', () => {
  fc.assert(
    fc.property(names, names, (one, two) => {
      assert.equal(displayName(one) === displayName(two), one === two);
    }),
    { numRuns: 500 },
  );
  assert.notEqual(displayName('a\nb'), displayName('a\\nb'));
});
