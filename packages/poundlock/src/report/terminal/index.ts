// The reporter for the terminal.
import { renderByVerb, type ByVerb, type Reporter } from '../reporter.ts';
import { adviceText } from './advise.ts';
import { checkText } from './check.ts';
import { lintText } from './lint.ts';
import { runText } from './run.ts';
import { simulationText } from './simulate.ts';

const TEXTS: ByVerb = {
  check: checkText,
  simulate: simulationText,
  advise: adviceText,
  run: runText,
  lint: lintText,
};

/** A report as colored text. A file that could not be run is only named on stderr. */
export const terminal: Reporter = {
  name: 'terminal',
  render: (report, environment) => renderByVerb(TEXTS, report, environment),
};
