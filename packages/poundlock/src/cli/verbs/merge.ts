// `poundlock merge`: puts the results of the parts of a sweep or of a corpus together.
import { InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { counted } from '../../report/index.ts';
import { ExitCode, worst } from '../exit-code.ts';
import { mergedResults } from '../jobs/merged.ts';
import { ResultsFolder } from '../jobs/results-folder.ts';
import { sweepExitCode } from '../sweep/exit-code.ts';
import { sweepReport } from '../sweep/sweep-report.ts';
import { mustBeWritableTargets, writeSweep, type SweepTargets } from '../sweep/targets.ts';
import type { Verb } from './verb.ts';

interface Options extends SweepTargets {
  readonly results?: string;
}

const EXAMPLES = `
Examples:
  poundlock merge part-1 part-2                  the table of a sweep that ran in two parts
  poundlock merge part-* --csv sweep.csv --html sweep.html
  poundlock merge part-* --results all           also as one folder of results

Exit code: as the command of the parts; 3 where results are missing`;

async function run(names: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  mustBeWritableTargets(options, host);
  const { plan, documents, missing } = mergedResults(names, host.cwd);
  if (options.results !== undefined) {
    const all = new ResultsFolder(options.results, host.cwd);
    all.create();
    all.writePlan(plan.plan, plan.hash);
    for (const document of documents.values()) all.write(document);
  }
  if (plan.plan.kind !== 'sweep') throw new InputError('these are no results of a sweep');
  const report = sweepReport(plan.plan, documents);
  writeSweep(report, options, host);
  if (missing > 0) host.stderr.write(`poundlock: ${counted(missing, 'result')} missing\n`);
  return worst([sweepExitCode(report), ...(missing > 0 ? [ExitCode.inconclusive] : [])]);
}

export const mergeVerb: Verb = (command, host, done) => {
  command
    .argument('<RESULTS...>', 'folders that --results named, or the files in them')
    .option('--results <FOLDER>', 'write all results to one folder')
    .option('--csv [FILE]', 'write a table as CSV')
    .option('--json [FILE]', 'write a JSON document')
    .option('--html <FILE>', 'write a page with plots')
    .addHelpText('after', EXAMPLES)
    .action(async (names: string[], options: Options) => done(await run(names, options, host)));
};
