// One run of `poundlock lint`: files, cache, analysis, fixes and baseline.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { reportOf, type Report, type ReportedLint } from '@poundlock/core/internal/finding';
import { findConfig, readConfig } from '../config.ts';
import type { LintFinding, LintOptions } from '../lint.ts';
import type { TypeScriptSeven } from '../typescript/seven.ts';
import { failureLines, fileName, type Host } from '@poundlock/core/internal/host';
import { sumOfCoverage } from '../report/coverage.ts';
import { isTestPath } from '../report/test-code.ts';
import { Progress, readText, writeAtomically } from '@poundlock/core/internal/host';
import { baselineText, beyond, readBaseline } from './baseline.ts';
import { cacheKey, LintCache, type BrokenFile, type CachedRun } from './cache.ts';

export interface LintRequest {
  readonly files: readonly string[];
  readonly strict: boolean;
  /** Whether findings in tests are notes. */
  readonly tests: 'notes' | 'error';
  /** Proves every file, with these calls that throw. */
  readonly sound: LintOptions['tier'];
  readonly fix: boolean;
  readonly cache: boolean;
  readonly baseline: string | undefined;
  readonly updateBaseline: boolean;
  /** Called with the files that an analysis has read, of the project and its packages. */
  readonly onSources?: (paths: readonly string[]) => void;
  /** A compiler that several runs use; each starts its own without one. */
  readonly compiler?: SharedCompiler;
  /** The version of poundlock: cached findings of another version are ignored. */
  readonly version: string;
}

/** A compiler that runs one after the other use: of what has not changed it knows the types. */
export class SharedCompiler {
  #compiler: TypeScriptSeven | undefined;

  /** The compiler; `start` starts one where there is none. */
  use(start: () => TypeScriptSeven): TypeScriptSeven {
    return (this.#compiler ??= start());
  }

  /** Ends it: the next run starts another one. */
  close(): void {
    this.#compiler?.close();
    this.#compiler = undefined;
  }
}

/** What leaks most comes first, and tests come last. */
const ORDER = { error: 0, warning: 1, note: 2 } as const;

/** Rounds of fixing and linting again: a fix may enable another. */
const MAX_FIX_ROUNDS = 5;

/** Lints once. The engine is only loaded here, because it loads a compiler. */
export async function lintOnce(request: LintRequest, host: Host): Promise<Report<'lint'>> {
  const start = host.now();
  let run = await lintFiles(request, host);
  let fixed = 0;
  for (let round = 0; request.fix && round < MAX_FIX_ROUNDS; round++) {
    const applied = await applyFixes(run.findings);
    if (applied === 0) break;
    fixed += applied;
    run = await lintFiles(request, host);
  }
  for (const { message, ...position } of run.broken) {
    const error = new InputError(`not linted, a syntax error: ${message}`, position);
    host.stderr.write(failureLines(error, host));
  }
  for (const { message, ...position } of run.notices) {
    host.stderr.write(failureLines(new InputError(message, position), host));
  }
  const named = run.findings.map((finding) => withNames(finding, host.cwd));
  named.sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  const { baseline, updateBaseline } = request;
  if (baseline !== undefined && updateBaseline) {
    writeAtomically(baseline, host.cwd, baselineText(named));
  }
  const findings = baseline === undefined ? named : beyond(named, readBaseline(baseline, host.cwd));
  const result: ReportedLint = {
    verb: 'lint',
    files: run.files,
    unread: run.broken.length,
    suppressed: run.suppressed,
    known: named.length - findings.length,
    fixed,
    coverage: { ...run.coverage, kinds: run.coverage.kinds.length },
    elapsedMs: host.now() - start,
  };
  return reportOf('lint', request.version, [{ result, findings }]);
}

async function lintFiles(request: LintRequest, host: Host): Promise<CachedRun> {
  const { files, strict, sound, tests } = request;
  const [first = host.cwd] = files;
  const configFile = findConfig(dirname(first));
  const config = readConfig(configFile);
  const directory = projectOf(dirname(first));
  const cache = request.cache ? new LintCache(directory) : undefined;
  const key = cacheKey([request.version, String(strict), String(sound), tests, ...files]);
  const cached = cache?.get(key);
  if (cached !== undefined) return cached;
  const options: LintOptions = {
    ...config,
    strict,
    ...(sound && { tier: sound }),
    ...(tests === 'notes' && { isTest: (path) => isTest(path, host.cwd) }),
  };
  const run = await analyzeFiles(request, options, host);
  request.onSources?.(run.sources);
  const configs = ['tsconfig.json', 'package.json'].map((name) => join(directory, name));
  cache?.set(key, run, [...run.sources, ...configs, ...(configFile ? [configFile] : [])]);
  return run;
}

/** By its path in its package, or in the folder that is linted: fixtures are packages, too. */
function isTest(path: string, cwd: string): boolean {
  const inFolder = relative(cwd, path);
  const isInside = !inFolder.startsWith('..');
  return isTestPath(relative(projectOf(dirname(path)), path)) || (isInside && isTestPath(inFolder));
}

/** The nearest directory with a `package.json` or node_modules. */
function projectOf(directory: string): string {
  for (let folder = directory; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return directory;
}

async function analyzeFiles(
  { files, compiler: shared }: LintRequest,
  options: LintOptions,
  host: Host,
): Promise<CachedRun & { readonly sources: readonly string[] }> {
  const { lintProgram, positionOf } = await import('../index.ts');
  const { textOf, TypeScriptSeven } = await import('../typescript/seven.ts');
  const { VERSION_NOTICE } = await import('../typescript/seven-api.ts');
  if (VERSION_NOTICE !== undefined) host.stderr.write(`poundlock: ${VERSION_NOTICE}\n`);
  const progress = new Progress(host);
  let linted = 0;
  const onFile = (path: string): void => {
    const amount = { done: linted++, all: files.length, unit: 'file' };
    progress.update(`linting ${fileName(path, host.cwd)}`, [amount]);
  };
  const onFailure = (path: string, error: unknown): void => {
    host.stderr.write(failureLines(error, host, fileName(path, host.cwd)));
  };
  const own = shared ?? new SharedCompiler();
  let isDone = false;
  try {
    const compiler = own.use(() => new TypeScriptSeven(host.cwd));
    const programs = compiler.open(files);
    const errors = new Map(compiler.syntaxErrors().map((error) => [error.file, error]));
    const results = programs.map((program) => {
      const requested = program.requested.filter((path) => !errors.has(path));
      return lintProgram({ ...program, requested }, { ...options, onFile, onFailure });
    });
    const broken = files.flatMap((file): BrokenFile[] => {
      const error = errors.get(file);
      if (error === undefined) return [];
      const { line, column } = positionOf({ text: textOf(file) }, error.start);
      return [{ file, line, column, message: sentence(error.message) }];
    });
    isDone = true;
    return {
      broken,
      findings: results.flatMap(({ findings }) => findings),
      suppressed: results.reduce((sum, { suppressed }) => sum + suppressed, 0),
      coverage: sumOfCoverage(results.map(({ coverage }) => coverage)),
      notices: results.flatMap(({ notices }) => notices),
      files: results.reduce((sum, { files: some }) => sum + some.length, 0),
      // A file with a syntax error may belong to no project.
      sources: [...new Set([...files, ...results.flatMap(({ sources }) => sources)])],
    };
  } finally {
    // One that failed may have crashed.
    if (shared === undefined || !isDone) own.close();
    progress.clear();
  }
}

/** Removes the period at the end of a message. */
function sentence(text: string): string {
  return text.replace(/\.$/, '');
}

/** Writes the safe fixes; returns their number. */
async function applyFixes(findings: readonly LintFinding[]): Promise<number> {
  const { applyEdits } = await import('../fix.ts');
  const byFile = Map.groupBy(findings, ({ primary }) => primary.file);
  let applied = 0;
  for (const [file, some] of byFile) {
    const fixes = some.flatMap((finding) =>
      finding.fixes.filter(({ isSafe }) => isSafe).slice(0, 1),
    );
    if (fixes.length === 0) continue;
    const done = applyEdits(readText(file, file), fixes);
    if (done.applied > 0) writeAtomically(file, '/', done.text);
    applied += done.applied;
  }
  return applied;
}

function withNames(finding: LintFinding, cwd: string): LintFinding {
  const place = <P extends { readonly file: string }>(range: P): P => ({
    ...range,
    file: fileName(range.file, cwd),
  });
  return { ...finding, primary: place(finding.primary), labels: finding.labels.map(place) };
}
