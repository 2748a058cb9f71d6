// The reporter for people: findings in code frames, a line per result, a table at the end.
import { findingLines } from './finding.ts';
import { isChecked, type Checked, type Reporter, type Surroundings } from './report.ts';
import { exampleTitle, summaryLine } from './summary.ts';
import { resultTable, totalLine } from './table.ts';
import { traceTable } from './trace.ts';

/** The blocks of one result; its summary comes last. */
function blocksOf({ result }: Checked, surroundings: Surroundings): string[][] {
  const { paint, schedules } = surroundings;
  const blocks = result.findings.map((finding, at) => {
    // Several findings of one schedule: its table stands below the first.
    const { replayToken } = finding;
    const isKnown = result.findings.slice(0, at).some((one) => one.replayToken === replayToken);
    return findingLines(finding, isKnown ? { ...surroundings, schedules: 'hidden' } : surroundings);
  });
  const { example } = result;
  const title = exampleTitle(result);
  if (example !== undefined && title !== undefined) {
    const replay = `   ${paint.strong('replay:')} ${example.replayCommand ?? example.replayToken}`;
    const table = traceTable(example.trace, example.standing, paint, schedules === 'whole');
    blocks.push([paint.strong(title), ...table, replay]);
  }
  const { assumptions } = result.scope;
  const notes = (result.notes ?? []).map((text) => `   ${paint.strong('note:')} ${text}`);
  const assumes = (text: string) => `   ${paint.strong('assumes:')} ${text}`;
  blocks.push([
    summaryLine(result, paint),
    ...notes,
    ...(schedules !== 'hidden' ? assumptions.map(assumes) : []),
  ]);
  return blocks;
}

/** Puts an empty line between blocks, but not between summaries that follow one another. */
function joined(blocks: readonly string[][]): string {
  let text = '';
  for (const [index, lines] of blocks.entries()) {
    const short = lines.length === 1 && blocks[index - 1]?.length === 1;
    text += `${index === 0 || short ? '' : '\n'}${lines.join('\n')}\n`;
  }
  return text;
}

/** Results as a person reads them. */
export const terminal: Reporter = {
  name: 'terminal',
  render(report, surroundings) {
    const { outcomes, many } = report;
    const checked = outcomes.filter(isChecked);
    const blocks = checked.flatMap((one) => blocksOf(one, surroundings));
    if (many && outcomes.length + report.skipped > 1) {
      blocks.push([...resultTable(outcomes, surroundings.paint), totalLine(report)]);
    }
    return joined(blocks);
  },
};
