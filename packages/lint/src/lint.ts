// Lints the requested files of a program and returns findings as data.
import { option, optionTable, requireOptions, type OptionsOf } from '@poundlock/core/internal/base';
import type { Finding, Fix } from '@poundlock/core/internal/finding';
import { hasTags, requireTags } from './contract/tags.ts';
import { analyzeFile } from './flow/analyze.ts';
import type { FlowFinding } from './flow/report.ts';
import { fixesOf } from './fix.ts';
import { heuristicsOf, requireHeuristics, type HeuristicChoice } from './heuristics/index.ts';
import { ModelCatalogue } from './models/catalogue.ts';
import { chosenModels, MODEL_CHOICE } from './models/index.ts';
import { Overlays, requireOverlay } from './obligations/overlays.ts';
import type { Library } from './project/library.ts';
import { ProjectWorld } from './project/project.ts';
import { LinearTypes } from './sound/linear-types.ts';
import { mentionsDirective, SoundTier, sumOf } from './sound/tier.ts';
import type { Coverage } from './report/coverage.ts';
import type { HandleEnds } from './report/handle-ends.ts';
import { misspeltTags, unknownMethods, type TagNotice } from './report/tag-notices.ts';
import type { CallSite } from './heuristics/runs-once.ts';
import { endsWithTarget } from './heuristics/observed.ts';
import { endsWithPair } from './heuristics/own-pairs.ts';
import { endsWithProcess } from './heuristics/process-lifetime.ts';
import { isShown } from './heuristics/shown-ownership.ts';
import { endsWithEmitter } from './heuristics/subscriptions.ts';
import { isGenerated } from './report/generated-code.ts';
import { causeOf, oneOfEach } from './report/one-cause.ts';
import { isInTest } from './report/test-code.ts';
import type { SoundReport } from './sound/tier.ts';
import type { FunctionNode, SourceFile } from './syntax/node.ts';
import { suppressionsIn, verdictOn } from './suppress.ts';
import { moduleOf } from './syntax/declaring-module.ts';
import type { SourceProgram } from './typescript/program.ts';
import { toFinding } from './messages.ts';

export const LINT = optionTable({
  ...MODEL_CHOICE.values,
  /** Whether to treat calls to unknown functions as potentially throwing. */
  strict: option.flag,
  /** Tags for declarations that have none, by name or `Owner.name`: `{ open: '@returnsOwned' }`. */
  tags: option.checkedLater<Readonly<Record<string, string>>>(),
  /** Ambient declarations with tags, for packages that have none: paths of files. */
  declarations: option.checkedLater<readonly string[]>(),
  /** Heuristics that are switched off: `{ 'lookup-verbs': false }`. */
  heuristics: option.checkedLater<HeuristicChoice>(),
  /** Files that have to be proved: paths. */
  sound: option.checkedLater<readonly string[]>(),
  /** Proves every file: each call may throw that does not say otherwise, or those that do. */
  tier: option.oneOf('calls', 'raises'),
  /** Packages whose declarations have tags. */
  tagged: option.checkedLater<readonly string[]>(),
  /**
   * Called with functions that could not be analyzed because of a bug in poundlock; without it,
   * the error is thrown.
   */
  onFailure: option.callable<(path: string, error: unknown) => void>(),
  /** Whether a file is one of tests, in which findings are notes, as they are in test functions. */
  isTest: option.callable<(path: string) => boolean>(),
  /** Called before each file. */
  onFile: option.callable<(path: string) => void>(),
  /** Called often; an error that it throws ends the analysis. */
  onCheckpoint: option.callable<() => void>(),
});

/** Options of {@link lintProgram}. */
export interface LintOptions extends OptionsOf<typeof LINT> {}

/** Throws unless these are options of the analysis, with tags that there are. */
export function requireLintOptions(options: LintOptions): void {
  requireOptions('lint', LINT, options);
  requireHeuristics(options.heuristics ?? {});
  for (const [name, text] of Object.entries(options.tags ?? {})) requireTags(name, text);
}

/** A finding with its fixes. */
export interface LintFinding extends Finding {
  /** Ways to remove the finding. */
  readonly fixes: readonly Fix[];
}

/** The result of {@link lintProgram}. */
export interface LintResult {
  /** The findings, by file and line. */
  readonly findings: readonly LintFinding[];
  /** The number of findings that comments suppress. */
  readonly suppressed: number;
  /** The files that were linted. */
  readonly files: readonly string[];
  /** What was followed, and what is proved of the files in the sound tier. */
  readonly coverage: Coverage;
  /** Tags that say nothing: one for each misspelt name. */
  readonly notices: readonly TagNotice[];
  /** Every file of the project that the findings depend on. */
  readonly sources: readonly string[];
}

/**
 * The files of a program that are the project's own, and libraries with tags, by name: what classes
 * owe that hold each other may depend on which is asked first.
 */
function libraryOf(
  { requested, fileNames, text, read }: SourceProgram,
  packages: readonly string[],
  onCheckpoint: () => void = () => {},
): Library {
  const tagged = new Set(packages);
  const requestedPaths = new Set(requested);
  const all = fileNames().toSorted();
  const names = all.filter((name) => {
    const module = moduleOf(name);
    return requestedPaths.has(name) || module === undefined || tagged.has(module);
  });
  const texts = new Map<string, string>();
  const cached = (path: string): string => {
    onCheckpoint();
    const content = texts.get(path) ?? text(path);
    texts.set(path, content);
    return content;
  };
  const isPlain = (path: string): boolean => /\.d\.[cm]?ts$/.test(path) && !hasTags(cached(path));
  const own = names.filter((name) => !isPlain(name));
  const isOwn = new Set(own);
  const declarations = all.filter((name) => !isOwn.has(name) && moduleOf(name) !== 'lib');
  return { names: own, declarations, text: cached, read };
}

type IsTest = (path: string) => boolean;

/** Findings by file, one per position and kind. */
export class FindingCollection {
  readonly #found = new Map<string, Map<string, FlowFinding>>();
  readonly #isTest: IsTest | undefined;

  constructor(isTest?: IsTest) {
    this.#isTest = isTest;
  }

  readonly add = (finding: FlowFinding): void => {
    const { path } = finding.file;
    const byKey = this.#found.get(path) ?? new Map<string, FlowFinding>();
    this.#found.set(path, byKey);
    const key = `${finding.kind}:${finding.start}`;
    const earlier = byKey.get(key);
    // The most certain cause is reported, and what a test causes last.
    const isFirst = earlier === undefined || this.#rankOf(finding) < this.#rankOf(earlier);
    if (isFirst) byKey.set(key, finding);
  };

  #rankOf(finding: FlowFinding): number {
    const tier = finding.cause?.tier ?? -1;
    return isOfTest(finding, this.#isTest) ? tier + TESTS_LAST : tier;
  }

  in(path: string): FlowFinding[] {
    return [...(this.#found.get(path)?.values() ?? [])];
  }
}

/** More than any tier. */
const TESTS_LAST = 10;

/** Whether a finding is in a test, or in a function as a test calls it. */
function isOfTest({ file, start, walked }: FlowFinding, isTest: IsTest | undefined): boolean {
  if (isTest === undefined) return false;
  if (isTest(file.path) || isInTest(file, start)) return true;
  if (walked === undefined) return false;
  if (isTest(fileOf(walked).path)) return true;
  return 'kind' in walked && isInTest(walked.file, walked.start);
}

function fileOf(owner: FunctionNode | SourceFile): SourceFile {
  return 'kind' in owner ? owner.file : owner;
}

/** A finding with the offsets of its position. */
export interface LocatedFinding {
  readonly finding: LintFinding;
  readonly start: number;
  readonly end: number;
  /** What it has in common with others that are one finding with it. */
  readonly cause?: string;
}

/** Renders the findings of a file, sorted by position; suppressed ones are only counted. */
export function reportFindings(
  findings: readonly FlowFinding[],
  world: ProjectWorld,
  isTest?: (path: string) => boolean,
): {
  reported: LocatedFinding[];
  suppressed: number;
} {
  const reported: LocatedFinding[] = [];
  const { isOn } = world;
  const sitesOf = (fn: FunctionNode): readonly CallSite[] => {
    return world.callsOf(fn).filter(({ owner }) => isTest?.(fileOf(owner).path) !== true);
  };
  const isCalled = (names: readonly string[]): boolean => {
    return world.calls(names, (path) => isTest?.(path) !== true);
  };
  let suppressed = 0;
  for (const flowFinding of findings) {
    if (isOn('shown-ownership') && !isShown(flowFinding)) continue;
    const { start, end, file } = flowFinding;
    const found = { ...toFinding(flowFinding), fixes: fixesOf(flowFinding) };
    const isNote =
      isOfTest(flowFinding, isTest) ||
      isGenerated(file.text) ||
      endsWithEmitter(flowFinding, sitesOf) ||
      endsWithPair(flowFinding, (call) => world.target(call, file).classNode) ||
      (isOn('process-lifetime') && endsWithTarget(flowFinding, sitesOf)) ||
      (isOn('process-lifetime') && endsWithProcess(flowFinding, sitesOf, isCalled));
    const finding: LintFinding = isNote ? { ...found, severity: 'note' } : found;
    const verdict = verdictOn(finding, suppressionsIn(file.text));
    if (verdict === 'suppressed') suppressed++;
    else {
      const notes = verdict === 'reported' ? finding.notes : [...finding.notes, NO_REASON];
      const cause = causeOf(flowFinding);
      reported.push({ finding: { ...finding, notes }, start, end, ...(cause && { cause }) });
    }
  }
  reported.sort((a, b) => byPlace(a.finding, b.finding));
  return { reported, suppressed };
}

/** Reads the files of a program and resolves their relations, before any is analyzed. */
export function worldOf(
  program: SourceProgram,
  options: LintOptions,
  report: (finding: FlowFinding) => void,
  ends?: HandleEnds,
): ProjectWorld {
  const tagged = ['poundlock', '@poundlock/core', '@poundlock/ring', ...(options.tagged ?? [])];
  const { onCheckpoint } = options;
  return new ProjectWorld(libraryOf(program, tagged, onCheckpoint), program.oracle, {
    strict: options.strict ?? false,
    catalogue: new ModelCatalogue(chosenModels(options), tagged),
    tags: options.tags ?? {},
    overlays: overlaysOf(program, options.declarations ?? []),
    report,
    isOn: heuristicsOf(options.heuristics),
    onCheckpoint,
    isOpened: options.tier !== undefined,
    ends,
  });
}

/** Parses overlays, which the compiler does not see. */
function overlaysOf(program: SourceProgram, paths: readonly string[]): Overlays {
  const files = paths.length === 0 ? [] : program.parse(paths);
  for (const file of files) requireOverlay(file);
  return new Overlays(files);
}

/** Analyzes one file of a project. */
export function analyzeProjectFile(
  world: ProjectWorld,
  file: SourceFile,
  { onFile, onFailure }: LintOptions,
): void {
  onFile?.(file.path);
  analyzeFile(world, file, onFailure && ((error) => onFailure(file.path, error)));
}

/**
 * Lints the files of a program: handles that are not released exactly once on every path.
 *
 * @example
 * import { mkdtempSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import ts from 'typescript';
 * import { classicProgram, lintProgram } from 'poundlock/lint';
 *
 * const file = join(mkdtempSync(join(tmpdir(), 'lint-')), 'leak.ts');
 * const body = 'const stack = new DisposableStack(); stack.use(null);';
 * writeFileSync(file, `export function leak() { ${body} }`);
 * const program = ts.createProgram([file], { target: ts.ScriptTarget.ESNext });
 * const { findings } = lintProgram(classicProgram(ts, program, [file]));
 * console.log(findings[0]?.rule); // leak
 */
export function lintProgram(program: SourceProgram, options: LintOptions = {}): LintResult {
  requireLintOptions(options);
  const collection = new FindingCollection(options.isTest);
  const world = worldOf(program, options, collection.add);
  const { requested } = program;
  const isRequested = new Set(requested);
  const tier = soundTierOf(program, world, options);
  const proved = provedIn(program, world, tier, options);
  const isOther = ({ path }: SourceFile): boolean => isRequested.has(path) && !proved.has(path);
  const analyzed = new Set<SourceFile>();
  // Analyzing one file may load another.
  while (analyzed.size < world.files.length) {
    for (const file of world.files.toSorted(byPath)) {
      if (!analyzed.has(file) && isOther(file)) analyzeProjectFile(world, file, options);
      analyzed.add(file);
    }
  }
  const overlays = (options.declarations ?? []).map(program.text);
  const linear = new LinearTypes(world, program.oracle, options.tier, overlays);
  const results = requested.map((path) => {
    const known = proved.get(path);
    if (known !== undefined) return known;
    const found = reportFindings(linear.others(collection.in(path)), world, options.isTest);
    return { ...found, reported: [...oneOfEach(found.reported), ...linear.reported(path)] };
  });
  const reported = results.flatMap((result) => result.reported);
  reported.sort((a, b) => byPlace(a.finding, b.finding));
  const suppressed = results.reduce((sum, result) => sum + result.suppressed, 0);
  const findings = reported.map(({ finding }) => finding);
  const sound = sumOf([...proved.values()].map((report) => report.coverage));
  const coverage = world.followed.coverage(sound);
  const notices = noticesOf(program, world);
  return { findings, suppressed, files: requested, coverage, notices, sources: world.sources };
}

function byPath(a: SourceFile, b: SourceFile): number {
  return a.path < b.path ? -1 : 1;
}

function noticesOf({ requested, text }: SourceProgram, { files }: ProjectWorld): TagNotice[] {
  const isRequested = new Set(requested);
  const methods = files.filter(({ path }) => isRequested.has(path)).flatMap(unknownMethods);
  const all = [...requested.flatMap((path) => misspeltTags(path, text(path))), ...methods];
  return [...new Map(all.map((notice) => [notice.message, notice])).values()];
}

/** The sound tier of a project, with the files that a configuration names. */
export function soundTierOf(
  { oracle }: SourceProgram,
  world: ProjectWorld,
  { tier, sound = [] }: LintOptions,
): SoundTier {
  return new SoundTier(world, oracle, { mode: tier, files: sound });
}

interface Proving {
  readonly text: (path: string) => string;
  readonly world: ProjectWorld;
  readonly tier: SoundTier;
  readonly options: LintOptions;
}

/** The report on a file that has to be proved; `undefined` for any other. */
export function proofOf(
  path: string,
  { text, world, tier, options }: Proving,
): SoundReport | undefined {
  if (!tier.mayHave(path) && !mentionsDirective(text(path))) return undefined;
  const file = world.open(path);
  if (file === undefined || !tier.has(file)) return undefined;
  options.onFile?.(path);
  try {
    return tier.report(file);
  } catch (error) {
    if (options.onFailure === undefined) throw error;
    options.onFailure(path, error);
    return tier.failed(file);
  }
}

/** The reports on the requested files that have to be proved. */
function provedIn(
  { requested, text }: SourceProgram,
  world: ProjectWorld,
  tier: SoundTier,
  options: LintOptions,
): Map<string, SoundReport> {
  const reports = new Map<string, SoundReport>();
  for (const path of requested) {
    const report = proofOf(path, { text, world, tier, options });
    if (report !== undefined) reports.set(path, report);
  }
  return reports;
}

const NO_REASON = 'a suppression needs a reason: `poundlock-ignore-next-line RULE -- why`';

function byPlace(first: Finding, second: Finding): number {
  const [a, b] = [first.primary, second.primary];
  return a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column;
}
