// What the analysis finds in the file that ESLint is at: one analysis per program, whose files are
// walked when their turn comes, and whose findings all rules share.
import type { Rule } from 'eslint';
import {
  classicProgram,
  ProgramLint,
  type ClassicProgram,
  type LintFinding,
  type LintRule,
} from 'poundlock/lint';
import { compilerOf } from './compiler.ts';
import { typedFile } from './services.ts';
import { optionsFor, type Options } from './settings.ts';

const NONE: readonly LintFinding[] = [];

type ByRule = ReadonlyMap<string, readonly LintFinding[]>;

/** The findings of a file, once for all rules. */
const told = new WeakMap<object, ByRule>();

/** What one rule has to tell of the file at hand. */
export function findingsOf(context: Rule.RuleContext, rule: LintRule): readonly LintFinding[] {
  const { sourceCode } = context;
  const known = told.get(sourceCode);
  const found = known ?? Map.groupBy(lint(context, rule), (finding) => finding.rule as string);
  told.set(sourceCode, found);
  return found.get(rule) ?? NONE;
}

function lint(context: Rule.RuleContext, rule: LintRule): readonly LintFinding[] {
  const { program, file } = typedFile(context, rule);
  // A parser that took the script out of another file: places in it would be wrong.
  if (file === undefined || file.text !== context.sourceCode.text) return NONE;
  return analysisOf(program, optionsFor(context)).lint(file.fileName).findings;
}

interface Analysis {
  readonly program: ClassicProgram;
  readonly options: Options;
  readonly lint: ProgramLint;
}

const analyses = new WeakMap<ClassicProgram, Analysis>();
let latest: Analysis | undefined;

/** The analysis of a program: its own, or that of the one before it with the same texts. */
function analysisOf(program: ClassicProgram, options: Options): ProgramLint {
  const own = analyses.get(program);
  if (own?.options === options) return own.lint;
  const isSame = latest?.options === options && hasSameTexts(latest.program, program);
  if (!isSame) latest = started(program, options);
  analyses.set(program, latest!);
  return latest!.lint;
}

function started(program: ClassicProgram, options: Options): Analysis {
  const classic = classicProgram(compilerOf(program), program, []);
  return { program, options, lint: new ProgramLint(classic, options) };
}

/** A project service makes a new program for many a file that it opens, of the same sources. */
function hasSameTexts(one: ClassicProgram, other: ClassicProgram): boolean {
  const [ours, theirs] = [one.getSourceFiles(), other.getSourceFiles()];
  if (ours.length !== theirs.length) return false;
  return ours.every((file, index) => {
    const same = theirs[index]!;
    return file === same || (file.fileName === same.fileName && file.text === same.text);
  });
}
