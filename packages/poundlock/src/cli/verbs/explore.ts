// `poundlock explore`: a page that steps through the schedules of a kernel.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import { asInputError, failureLines, fileName, type Host } from '@poundlock/core/internal/host';
import { ExitCode } from '../exit-code.ts';
import { serveExplorer } from '../explore/server.ts';
import { exploreSession } from '../explore/session.ts';
import { loadKernel, loadKernelAgain } from '../load-kernel.ts';
import { isBuilt, isSteps } from '../load-ptx.ts';
import { inferredLaunch } from '../inferred-launch.ts';
import { addInferenceOptions, addLaunchOptions } from '../options/launch.ts';
import { readLaunchOptions, requirePtxFile } from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';
import { readSets } from '../options/set.ts';
import { planRuns } from '../plan.ts';
import type { Verb } from './verb.ts';

interface Options extends LaunchWords {
  readonly set?: readonly string[];
  readonly replay?: string;
}

const EXAMPLES = `
Examples:
  poundlock explore gemm.ts                        step through any schedule of a program
  poundlock explore gemm.ts --replay l3t1m3a1      start with the schedule of a finding
  poundlock explore kernel.ptx --launch launch.json

The page is served on 127.0.0.1 until Ctrl-C. Exit code: 0 stopped, 2 could not run`;

/** The folder of the page, which the build makes. */
const PAGE = fileURLToPath(new URL('../../../lib/explorer/', import.meta.url));

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  readLaunchOptions(options, { infer: (file) => inferredLaunch(file, host) });
  requirePtxFile(options, [file]);
  try {
    const folder = host.env['POUNDLOCK_EXPLORER'] ?? PAGE;
    if (!existsSync(join(folder, 'index.html'))) {
      throw new InputError('the page of the explorer is not built: run `npm run build`');
    }
    const sets = readSets(options.set ?? []);
    const kernel = await loadKernel(file, host);
    // Reports a parameter that there is not.
    const [params] = planRuns(kernel, { sets, sweeps: [] });
    const isOfProgram = !isBuilt(file) && !isSteps(file);
    const session = exploreSession(host, {
      file: fileName(file, host.cwd),
      kernel,
      ...(isOfProgram && { loadAgain: () => loadKernelAgain(file, host) }),
    });
    const { url, close } = await serveExplorer(session, { folder, cwd: host.cwd });
    const fragment = new URLSearchParams({
      ...(sets.size > 0 && { params: JSON.stringify(params!.needed()) }),
      ...(options.replay !== undefined && { path: options.replay }),
    }).toString();
    host.stdout.write(`exploring ${kernel.name}: ${url}${fragment && `#${fragment}`}\n`);
    host.stdout.write('Ctrl-C stops it\n');
    await new Promise<void>((stopped) => void host.onInterrupt(stopped));
    await close();
    return ExitCode.clean;
  } catch (error) {
    if (asInputError(error) === undefined) throw error;
    host.stderr.write(failureLines(error, host, fileName(file, host.cwd)));
    return ExitCode.couldNotRun;
  }
}

export const exploreVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  addLaunchOptions(command);
  addInferenceOptions(command);
  command
    .argument('<FILE>', 'a module whose default export is a kernel, PTX, or a steps file')
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('--replay <TOKEN>', 'start after this schedule')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await run(file, options, host)));
};
