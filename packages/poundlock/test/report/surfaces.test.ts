// Every surface shows every part of a verdict: one of each kind, looked for in all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REPORTERS } from '#src/report/index';
import { verdictHtml } from '#src/report/html/verdict';
import { sweepJson } from '#src/report/sweeps/csv';
import { sweepPage } from '#src/report/sweeps/page';
import type { SweepReport } from '#src/report/sweeps/sweep';
import { sweepText } from '#src/report/sweeps/terminal';
import { partsOf, textHashText, type VerdictParts } from '#src/report/verdict';
import { PLAIN } from '#src/report/index';
import { messageOf } from '#src/test/message';
import { answerOf } from '#src/cli/mcp/call';
import { CHECK_CHARACTERS } from '#src/cli/mcp/bounded';
import { corpusReport } from '#src/cli/jobs/corpus';
import type { Job } from '#src/cli/jobs/job';
import { parseResult, resultText } from '#src/cli/jobs/outcome';
import { PLAN_SCHEMA } from '#src/cli/jobs/plan';
import { verdictLines } from '../../../../tools/editors/vscode/src/report.ts';
import {
  completedResults,
  reportOf,
  type CheckResult,
  type Report,
} from '../../../core/src/finding/index.ts';
import { environment, KERNEL } from './sample.ts';
import { FILE, params, texts, VERDICTS } from './verdicts.ts';

const reportOn = ({ findings, ...rest }: CheckResult) =>
  reportOf('check', '1.2.3', [{ result: { verb: 'check', file: FILE, ...rest }, findings }]);
const rendered = (name: keyof typeof REPORTERS, checked: CheckResult): string =>
  REPORTERS[name].render(reportOn(checked), environment(KERNEL));

function sweepOf(check: CheckResult): SweepReport {
  const rule = check.findings[0]?.rule ?? null;
  const row = { params, swept: { tiles: 16 }, isFront: false };
  const why = check.findings[0]?.message ?? check.reason ?? null;
  return {
    schema: 'poundlock/sweep@1',
    tool: { name: 'poundlock', version: '1.2.3' },
    file: FILE,
    texts,
    kernel: 'gemm',
    model: 'h200',
    verbs: ['check'],
    swept: ['tiles'],
    per: null,
    rows: [{ ...row, check: { ...check, rule, why } }],
  };
}

/** The words of each part that a person has to find; what a surface does not say is named there. */
const WORDS: { readonly [P in keyof VerdictParts]: (part: VerdictParts[P]) => readonly string[] } =
  {
    claim: ({ verdict, subject, statement, blocks }) => [verdict, subject, statement, blocks!],
    notes: (notes) => notes,
    coverage: (lines) => lines,
    assumptions: (lines) => lines.map(({ word, text }) => `${word}: ${text}`),
    findings: (findings) => findings.map(({ rule }) => rule),
    statistics: (text) => [text],
    texts: (hashes) => hashes.map(textHashText),
  };

/** The check as a job whose result has traveled as text: the terminal's report of it. */
function fromFarm(checked: CheckResult): Report<'check'> {
  const job = { schema: 'poundlock/job@1', verb: 'check', options: {} } as Job<'check'>;
  const text = resultText({
    schema: 'poundlock/result@1',
    hash: 'a',
    job,
    outcome: { ok: { result: checked, needed: {} } },
    elapsedMs: 0,
  });
  const documents = new Map([['a', parseResult(text)]]);
  const planned = { file: FILE, folder: '.', params, texts, job: 'a' };
  const plan = { engine: '1.2.3', swept: [], memory: null, checks: [planned] };
  return corpusReport({ schema: PLAN_SCHEMA, kind: 'check', ...plan }, documents, '/').report;
}

interface Surface {
  readonly render: (checked: CheckResult) => string;
  /** The parts that another place of the same surface shows, or that say nothing there. */
  readonly without?: readonly (keyof VerdictParts)[];
}

const SURFACES: Readonly<Record<string, Surface>> = {
  // The terminal has read the text a moment ago, and so has the agent that asks the MCP server.
  terminal: { render: (checked) => rendered('terminal', checked), without: ['texts'] },
  'a failed certify()': {
    render: (checked) => messageOf([checked], [], { file: FILE, cwd: '/', isReplay: false }),
    without: ['texts'],
  },
  'MCP server': {
    render: (checked) => {
      const { content } = answerOf('check', 0, rendered('terminal', checked), CHECK_CHARACTERS);
      return content.map((part) => ('text' in part ? part.text : '')).join('\n');
    },
    without: ['texts'],
  },
  'results of a farm': {
    render: (checked) => REPORTERS.terminal.render(fromFarm(checked), environment(KERNEL)),
    without: ['texts'],
  },
  markdown: { render: (checked) => rendered('markdown', checked) },
  html: { render: (checked) => rendered('html', checked) },
  github: { render: (checked) => rendered('github', checked) },
  // Their lists of findings, and the status bar's diagnostics, are tried in a browser and an editor.
  'explorer and playground': {
    render: (checked) => verdictHtml(partsOf(checked)).join('\n'),
    without: ['findings'],
  },
  'VS Code': {
    render: (checked) => {
      const { results, findings } = reportOn(checked);
      return verdictLines({ results: results as never, findings }).join('\n');
    },
    without: ['findings'],
  },
};

/** Text without what the markup of a surface adds. */
function plain(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('\\', '')
    .replaceAll('%25', '%')
    .replaceAll('&gt;', '>');
}

for (const [kind, checked] of Object.entries(VERDICTS)) {
  const parts = partsOf(checked);
  for (const [name, { render, without = [] }] of Object.entries(SURFACES)) {
    test(`${kind} on ${name}: every part is there`, () => {
      const text = plain(render(checked));
      for (const part of Object.keys(WORDS) as (keyof VerdictParts)[]) {
        if (without.includes(part)) continue;
        const words = WORDS[part] as (part: unknown) => readonly string[];
        for (const word of words(parts[part])) assert.ok(text.includes(word), `${word}\n${text}`);
      }
    });
  }

  test(`${kind} as data: every field is there`, () => {
    const { findings, ...fields } = checked;
    const [own] = (JSON.parse(rendered('json', checked)) as { results: object[] }).results;
    assert.deepEqual(own, { verb: 'check', file: FILE, ...fields });
    const [ofFarm] = completedResults(fromFarm(checked));
    assert.deepEqual(
      { ...ofFarm, findings: findings.length },
      { ...own, findings: findings.length },
    );
    const log = JSON.parse(rendered('sarif', checked)) as {
      runs: { results: object[]; properties: { results: object[] } }[];
    };
    assert.deepEqual(log.runs[0]!.properties.results[0], own);
    assert.equal(log.runs[0]!.results.length, findings.length);
    const sweep = JSON.parse(sweepJson(sweepOf(checked))) as SweepReport;
    assert.deepEqual({ ...checked, ...sweep.rows[0]!.check }, sweep.rows[0]!.check);
  });

  test(`${kind} in a sweep: what the columns do not say stands below the table`, () => {
    for (const text of [sweepText(sweepOf(checked), PLAIN), sweepPage(sweepOf(checked))]) {
      const shown = plain(text);
      const { claim, notes, coverage, assumptions } = parts;
      const below = [claim.blocks!, ...notes, ...coverage, ...assumptions.map((one) => one.text)];
      for (const word of below) assert.ok(shown.includes(`${word} (1 of 1 rows)`), word);
      assert.ok(shown.includes(claim.verdict) && shown.includes(textHashText(texts[0]!)));
      assert.ok(shown.includes('1 check: 12,345 states'));
    }
  });
}
