// The reporter for a browser: one self-contained page.
import { renderByVerb, type ByVerb, type Reporter } from '../reporter.ts';
import { advicePage } from './advise.ts';
import { simulationPage } from './simulate.ts';
import { checkPage } from './check.ts';
import { lintPage } from './lint.ts';
import { runPage } from './run.ts';

const PAGES: ByVerb = {
  check: checkPage,
  simulate: simulationPage,
  advise: advicePage,
  run: runPage,
  lint: lintPage,
};

/** A report as a page without scripts. */
export const html: Reporter = {
  name: 'html',
  render: (report, environment) => renderByVerb(PAGES, report, environment),
};
