// `poundlock merge`: puts the results of the parts of a sweep or of a corpus together.
import { Option } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { counted } from '../../report/index.ts';
import { ExitCode, worst } from '../exit-code.ts';
import { corpusReport } from '../jobs/corpus.ts';
import { mergedResults } from '../jobs/merged.ts';
import { resultText } from '../jobs/outcome.ts';
import { ResultsFolder } from '../jobs/results-folder.ts';
import { readTargets, writeReport, type ReporterOptions } from '../options/reporters.ts';
import { sweepExitCode } from '../sweep/exit-code.ts';
import { sweepReport } from '../sweep/sweep-report.ts';
import { mustBeWritableTargets, writeSweep, type SweepTargets } from '../sweep/targets.ts';
import type { Verb } from './verb.ts';

interface Options extends SweepTargets {
  readonly reporter?: readonly string[];
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
    for (const document of documents.values()) all.write(document.hash, resultText(document));
  }
  if (plan.plan.kind === 'check') {
    const { report, code } = corpusReport(plan.plan, documents, host.cwd);
    await writeReport(report, readTargets(reportersOf(options)), host);
    return code;
  }
  const report = sweepReport(plan.plan, documents);
  writeSweep(report, options, host);
  if (missing > 0) host.stderr.write(`poundlock: ${counted(missing, 'result')} missing\n`);
  return worst([sweepExitCode(report), ...(missing > 0 ? [ExitCode.inconclusive] : [])]);
}

/** The reporters of a corpus; --json and --html are those of the same name. */
function reportersOf({ reporter = [], csv, json, html }: Options): ReporterOptions {
  if (csv !== undefined) throw new InputError('--csv is for sweeps: these are results of check');
  const named = (name: string, file: string | true) => (file === true ? name : `${name}=${file}`);
  const more = [
    ...(json === undefined ? [] : [named('json', json)]),
    ...(html === undefined ? [] : [named('html', html)]),
  ];
  return { reporter: [...reporter, ...more] };
}

export const mergeVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  command
    .argument('<RESULTS...>', 'folders that --results named, or the files in them')
    .option('--results <FOLDER>', 'write all results to one folder')
    .addOption(
      new Option('--reporter <NAME[=FILE]>', 'of check: a report (repeatable)').argParser(collect),
    )
    .option('--csv [FILE]', 'of a sweep: write a table as CSV')
    .option('--json [FILE]', 'write a JSON document')
    .option('--html <FILE>', 'write a page with plots')
    .addHelpText('after', EXAMPLES)
    .action(async (names: string[], options: Options) => done(await run(names, options, host)));
};
