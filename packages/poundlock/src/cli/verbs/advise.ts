// `poundlock advise`: scoped, linear or RAII? Which release point, how many stages?
import { Option } from 'commander';
import { formatPosition, InputError, type Position } from '@poundlock/core/internal/base';
import { advise, type Changed } from '../../advise/index.ts';
import { MEMORY_PROFILES, type MemoryProfile } from '../../check/index.ts';
import { needsAccept, reportOf } from '@poundlock/core/internal/finding';
import type { Proposal, ReportedAdvice, RunTimeline } from '@poundlock/core/internal/finding';
import { gainOf, sortedProposals } from '../../report/advice.ts';
import { attempt, type Attempt } from '../attempt.ts';
import { ExitCode } from '../exit-code.ts';
import { fileName, fileNamer, Progress, type Host } from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { isBuilt, ptxOptions } from '../load-ptx.ts';
import { readCount } from '../options/amount.ts';
import { acceptOption, oneEvery, readAccepted } from '../options/check-options.ts';
import { readCheckConfig, withConfig } from '../options/config.ts';
import { flagName } from '../options/flag-name.ts';
import { readBytes } from '../options/bytes.ts';
import { modelNamed, modelOption } from '../options/model.ts';
import {
  addReporterOptions,
  writableTargets,
  writeReport,
  type ReporterOptions,
  type Target,
} from '../options/reporters.ts';
import { readSets } from '../options/set.ts';
import { readTimeout, timeoutOption, type TimeoutOptions } from '../options/timeout.ts';
import { planRuns } from '../plan.ts';
import { runTimeline } from '../run-timeline.ts';
import type { GpuModel } from '../../simulate/index.ts';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';
import { inferredLaunch } from '../inferred-launch.ts';
import { addLaunchOptions, addLaunchParts } from '../options/launch.ts';
import { readLaunchOptions, requirePtxFile } from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';

/** Without rules of memory nothing can be said of fences. */
const PROFILES = MEMORY_PROFILES.filter((profile) => profile !== 'none');

interface Options extends ReporterOptions, TimeoutOptions, LaunchWords {
  readonly model: string;
  readonly set?: readonly string[];
  readonly smem?: string;
  readonly maxStates?: string;
  readonly every?: string;
  readonly memory?: MemoryProfile;
  readonly accept?: readonly string[];
  readonly verbose?: true;
}

const EXAMPLES = `
Examples:
  poundlock advise gemm.ts                        what other release points would gain
  poundlock advise gemm.ts --smem 100KiB          with less shared memory for stages
  poundlock advise gemm.ts --set stages=2 --json
  poundlock advise gemm.ts --reporter markdown=advice.md
  poundlock advise kernel.ptx                     which barriers, waits and fences are needed
  poundlock advise kernel.ptx --every tiles --verbose

Exit code: 0 advised, 1 the kernel is wrong, 2 could not run, 3 stopped by a bound, or resting on
an assumption that is not accepted`;

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  // Memory for stages is that of a program.
  const words = { ...options, smem: undefined };
  readLaunchOptions(words, { infer: (each) => inferredLaunch(each, host) });
  requirePtxFile(options, [file]);
  const targets = writableTargets(options, host);
  const { maxStates } = options;
  const request: Request = {
    model: modelNamed(options.model, host.cwd),
    sets: readSets(options.set ?? []),
    bounds: {
      ...(options.smem !== undefined && { smem: readBytes('--smem', options.smem) }),
      ...(maxStates !== undefined && { maxStates: readCount('--max-states', maxStates) }),
    },
  };
  requireEffect(file, options);
  if (isBuilt(file)) return runBuilt(file, options, request, targets, host);
  const hasPage = targets.some(({ name: one }) => one === 'html');
  const work = () => adviseFile(file, request, hasPage, host);
  const { report, code } = await attempt('advise', file, host, work, readTimeout(options));
  await writeReport(report, targets, host);
  return code;
}

/** Advice about a program has other options than that about a kernel as built. */
function requireEffect(file: string, options: Options): void {
  const names = isBuilt(file) ? OF_PROGRAMS : OF_PTX;
  const useless = names.find((name) => options[name] !== undefined);
  if (useless === undefined) return;
  const what = isBuilt(file) ? 'programs' : 'kernels as built: PTX files';
  throw new InputError(`--${flagName(useless)} has no effect: it is for ${what}`);
}

const OF_PROGRAMS = ['smem', 'maxStates'] as const;
const OF_PTX = ['every', 'memory', 'verbose'] as const;

/** What breaks is searched where it is shown: in a document, or with --verbose. */
async function runBuilt(
  file: string,
  options: Options,
  request: Request,
  targets: readonly Target[],
  host: Host,
): Promise<ExitCode> {
  const isTerminal = targets.every(({ name }) => name === 'terminal');
  const isExplained = options.verbose === true || !isTerminal;
  const work = () => reviewFile(file, { ...options, isExplained }, request, host);
  const { report, code } = await attempt('advise', file, host, work);
  await writeReport(report, targets, host, options.verbose === true ? 'folded' : 'hidden');
  return code;
}

async function reviewFile(
  file: string,
  {
    every,
    memory,
    isExplained,
    accept: words,
    assume,
    ...bounds
  }: Options & { readonly isExplained: boolean },
  { sets, model }: Request,
  host: Host,
): Promise<Attempt<'advise'>> {
  const { reviewSynchronization } = await import('../../advise/synchronization/review.ts');
  const named = withConfig({ accept: words, assume }, await readCheckConfig(host));
  const accept = readAccepted(named) ?? [];
  const kernel = await ptxOptions(file, host);
  const timeoutMs = readTimeout(bounds);
  const params = Object.fromEntries([...sets].map(([name, value]) => [name, Number(value)]));
  const progress = new Progress(host);
  const { kernel: name, ...synchronization } = await reviewSynchronization(kernel, {
    params,
    model,
    isExplained,
    now: host.now,
    pause: host.pause,
    onProgress: (done, all) => progress.update(`reviewing ${file}`, [{ done, all, unit: 'line' }]),
    ...(every !== undefined && { every }),
    ...(memory !== undefined && { memory }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  progress.clear();
  const result: ReportedAdvice = {
    verb: 'advise',
    file: fileName(file, host.cwd),
    kernel: name,
    params: synchronization.sizes[0]?.params ?? {},
    model: model.name,
    caveat: model.caveat,
    current: null,
    checkedItems: null,
    limit: null,
    proposals: [],
    synchronization,
  };
  const { isCut, assumptions } = synchronization;
  const isOpen = assumptions.some((one) => needsAccept(one.name) && !accept.includes(one.name));
  const code = isCut || isOpen ? ExitCode.inconclusive : ExitCode.clean;
  return { report: reportOf('advise', version(), [{ result }]), code };
}

interface Request {
  readonly model: GpuModel;
  readonly sets: ReadonlyMap<string, string>;
  readonly bounds: { readonly smem?: number; readonly maxStates?: number };
}

async function adviseFile(
  file: string,
  { model, sets, bounds }: Request,
  hasPage: boolean,
  host: Host,
): Promise<Attempt<'advise'>> {
  const kernel = await loadKernel(file, host);
  const [params] = planRuns(kernel, { sets, sweeps: [] });
  const named = fileNamer(file, host.cwd);
  const name = (place: Position) => formatPosition({ ...place, file: named(place.file) });
  const progress = new Progress(host);
  const onProgress = (done: number): void =>
    progress.update(`advising on ${kernel.name}`, [{ done, all: null, unit: 'proposal' }]);
  const changes = new Map<Proposal, Changed>();
  const onProposal = (proposal: Proposal, changed: Changed): void => {
    changes.set(proposal, changed);
  };
  const options = { model, params: params!, ...bounds, name, onProgress, onProposal };
  const found = await advise(kernel, options);
  progress.clear();
  const advice: ReportedAdvice = { verb: 'advise', file: fileName(file, host.cwd), ...found };
  const result = hasPage
    ? {
        ...advice,
        run: runTimeline(kernel, model, params!),
        ...bestRun(advice, (proposal) => {
          const { kernel: changed, params: own } = changes.get(proposal)!;
          return runTimeline(changed, model, own);
        }),
      }
    : advice;
  return { report: reportOf('advise', version(), [{ result }]), code: ExitCode.clean };
}

/** The run with the best change; nothing where none gains what can be seen. */
function bestRun(
  advice: ReportedAdvice,
  runOf: (proposal: Proposal) => RunTimeline,
): Pick<ReportedAdvice, 'best'> {
  const best = sortedProposals(advice).find(({ verdict }) => verdict === 'certified');
  if (best === undefined || gainOf(best).kind !== 'faster') return {};
  return { best: { change: best.change, run: runOf(best) } };
}

export const adviseVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  addLaunchOptions(command);
  addLaunchParts(command);
  command
    .argument('<FILE>', 'program file: a module whose default export is a kernel, or PTX')
    .addOption(modelOption())
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('--smem <BYTES>', 'shared memory for stages: 100KiB (default: what a CTA can have)')
    .addOption(
      new Option(
        '--every <NAME>',
        'of PTX: prove each claim for every value of a number of the launch',
      ).argParser(oneEvery),
    )
    .addOption(
      new Option('--memory <PROFILE>', 'of PTX: the rules of memory (default: "practice")').choices(
        PROFILES,
      ),
    )
    .addOption(acceptOption('of PTX: '))
    .option('--verbose', 'of PTX: show what breaks without each instruction that is needed')
    .option('--max-states <N>', 'stop checking the legality of an edit after this many states');
  addReporterOptions(command)
    .addOption(timeoutOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await run(file, options, host)));
};
