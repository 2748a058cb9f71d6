// Every reporter on a report of every verb: nothing is lost, nothing is taken for markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure, type Report } from '../../../core/src/finding/index.ts';
import { REPORTERS, REPORTER_NAMES } from '#src/report/index';
import { expectReport } from './golden.ts';
import { reportFaults } from './report-schema.ts';
import { environment, KERNEL } from './sample.ts';
import { sarifFaults } from './sarif-schema.ts';
import { OF_VERB } from './verb-samples.ts';

const REPORTS: readonly Report[] = Object.values(OF_VERB);
const rendered = (name: keyof typeof REPORTERS, report: Report) =>
  REPORTERS[name].render(report, environment(KERNEL));

for (const report of REPORTS) {
  const { verb } = report.tool;
  for (const name of REPORTER_NAMES) {
    test(`${verb} as ${name}`, () => {
      const text = rendered(name, report);
      assert.ok(text.endsWith('\n') && !text.includes('[object'));
      // The help of a rule may contain the word.
      assert.ok(name === 'sarif' || !text.includes('undefined'));
      for (const { rule } of report.findings) assert.ok(text.includes(rule), rule);
      if (['markdown', 'html', 'svg'].includes(name))
        expectReport(`every-verb/${verb}.${name}`, text);
    });
  }

  test(`the JSON of ${verb} is valid`, () => {
    const document = JSON.parse(rendered('json', report)) as { results: object[] };
    assert.deepEqual(reportFaults(document), []);
    assert.notDeepEqual(reportFaults({ ...document, more: 1 }), []);
    const results = [{ ...document.results[0], more: 1 }];
    assert.notDeepEqual(reportFaults({ ...document, results }), []);
  });

  test(`the SARIF of ${verb} is valid`, () => {
    assert.deepEqual(sarifFaults(JSON.parse(rendered('sarif', report))), []);
  });

  test(`a file that ${verb} can not run is no success`, () => {
    const failure = { verb, file: 'gone.ts', error: 'no such file' } as const;
    const failed = { ...report, results: [failure], findings: [] };
    assert.ok(isFailure(failure));
    for (const name of ['json', 'sarif', 'github', 'markdown', 'html', 'svg'] as const) {
      assert.match(rendered(name, failed), /gone\.ts[^]*no such file|no such file[^]*gone\.ts/);
    }
    // The terminal has the line that the command wrote to stderr.
    assert.equal(rendered('terminal', { ...failed, isBatch: false }), '');
    assert.deepEqual(reportFaults(JSON.parse(rendered('json', failed))), []);
  });
}

test('pages need nothing else, not even a script', () => {
  for (const report of REPORTS) {
    const text = rendered('html', report);
    assert.doesNotMatch(text, /<script|\b(?:src|href)=|@import|url\(/);
    assert.match(text, /prefers-color-scheme: dark/);
    assert.match(text, /name="viewport"/);
  }
});

test('a page shows the source of every place, and the schedule', () => {
  const text = rendered('html', OF_VERB.check);
  assert.match(text, /<mark class="primary">ab<\/mark>\.produce\(\);/);
  assert.match(text, /style="--at:22">\^ load waits here for ab\.empty\[0\]/);
  assert.match(text, /<summary>trace: 2 steps<\/summary>/);
  assert.match(text, /<td class="lane moves">complete<\/td>/);
  assert.match(text, /<b>load<\/b> waits for ab\.empty\[0\] phase 0/);
  assert.match(text, /no such &lt;file&gt;/);
});
