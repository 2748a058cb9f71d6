import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown } from '#src/report/markdown/index';
import { codeBlock, codeSpan, escaped } from '#src/report/markdown/text';
import type { Report } from '../../../core/src/finding/index.ts';
import { expectReport } from './golden.ts';
import { checked, DEADLOCK, EVERYTHING, KERNEL, LATE_PASS, report, environment } from './sample.ts';

const rendered = (of: Report<'check'>) => markdown.render(of, environment(KERNEL));

test('every kind of outcome', () => {
  expectReport('everything/markdown.md', rendered(EVERYTHING));
});

test('a certified kernel is a table and a sentence', () => {
  assert.equal(
    rendered(report([checked()])),
    `## poundlock check

| file | verdict | states |
| --- | --- | ---: |
| examples/gemm.ts | certified | 12,345 |

**certified** gemm (stages=3, tiles=16) in \`examples/gemm.ts\`: no interleaving can deadlock, race or misuse a stage

* 12,345 states, 0.12 s
`,
  );
});

test('what is worth knowing of a result stands below its sentence', () => {
  const text = rendered(report([checked({ notes: ['phases are *ambiguous*'] })]));
  assert.match(text, /misuse a stage\n\n\* note: phases are \\\*ambiguous\\\*\n\* 12,345 states/);
});

test('an example is a section with its schedule', () => {
  const example = {
    trace: DEADLOCK.trace!,
    standing: [],
    replayToken: 'l1',
    replayCommand: 'poundlock check a.ts --replay l1',
  };
  const text = rendered(report([checked({ example })]));
  assert.match(text, /\n### example: every role ends after these steps\n/);
  assert.match(
    text,
    /\n```sh\npoundlock check a\.ts --replay l1\n```\n\n<details>\n<summary>trace: 2/,
  );
});

test('words are no markup', () => {
  assert.equal(
    escaped('a*b_c `d` [e](f) <g> | h\\ &amp;'),
    String.raw`a\*b\_c \`d\` \[e\](f) \<g\> \| h\\ \&amp;`,
  );
  assert.equal(escaped('one\n# two'), 'one # two');
  assert.deepEqual(['a', 'a`b', '``'].map(codeSpan), ['`a`', '``a`b``', '``` `` ```']);
  assert.deepEqual(codeBlock('ts', ['````']), ['`````ts', '````', '`````']);
});

test('a long report still fits into a comment, and says what is left out', () => {
  const trace = Array.from({ length: 700 }, () => DEADLOCK.trace![0]!);
  const findings = Array.from({ length: 4 }, () => ({ ...DEADLOCK, trace }));
  const outcomes = Array.from({ length: 200 }, (_, index) => {
    if (index < 150) return checked();
    return checked({ verdict: 'counterexample', findings }, `${index}.ts`);
  });
  const text = rendered(report(outcomes));
  assert.ok(text.length <= 65_536, `${text.length} characters`);
  // The broken ones come first in the table.
  assert.match(text, /---: \|\n\| 150\.ts \| \*\*counterexample\*\* \|/);
  assert.match(text, /\n100 more results not shown here\.\n/);
  assert.match(text, /\n\d+ more findings not shown here\.\n$/);
  assert.equal(text.split('```').length % 2, 1);
});

test('warnings have sections too', () => {
  assert.match(
    rendered(report([checked({ findings: [LATE_PASS] })])),
    /\n### warning\\\[late-pass/,
  );
});
