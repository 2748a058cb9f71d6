// The reporter for pull requests and job summaries.
import { renderByVerb, type ByVerb, type Reporter } from '../reporter.ts';
import { adviceMarkdown } from './advise.ts';
import { checkMarkdown } from './check.ts';
import { lintMarkdown } from './lint.ts';
import { runMarkdown } from './run.ts';
import { simulationMarkdown } from './simulate.ts';

const DOCUMENTS: ByVerb = {
  check: checkMarkdown,
  simulate: simulationMarkdown,
  advise: adviceMarkdown,
  run: runMarkdown,
  lint: lintMarkdown,
};

/** A report as a Markdown document. */
export const markdown: Reporter = {
  name: 'markdown',
  render: (report, environment) => renderByVerb(DOCUMENTS, report, environment),
};
