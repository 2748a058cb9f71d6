// --json and --reporter NAME[=FILE]: selects how a report is rendered and where it is written.
import { dirname, relative, resolve, sep } from 'node:path';
import { Option, type Command } from 'commander';
import { InputError, nearest } from '@poundlock/core/internal/base';
import type { Report } from '@poundlock/core/internal/finding';
import { mustBeWritable, writeAtomically, type Host } from '@poundlock/core/internal/host';
import type { ReporterEnvironment } from '../../report/index.ts';
import { REPORTER_NAMES, type ReporterName } from '../../report/names.ts';
import { addColorOptions, readColor, type Color, type ColorOptions } from './color.ts';

/** The options of every verb that reports. */
export interface ReporterOptions extends ColorOptions {
  readonly json?: true;
  readonly reporter?: readonly string[];
}

/** One rendering; without a file it is written to stdout. */
export interface Target {
  readonly name: ReporterName;
  readonly file?: string;
  /** When colors are used; unless specified, the environment decides. */
  readonly color?: Color;
}

/** Adds the options to a verb. */
export function addReporterOptions(command: Command): Command {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  const names = REPORTER_NAMES.join(', ');
  const description = `${names}: to stdout or a file (repeatable)`;
  command
    .addOption(new Option('--reporter <NAME[=FILE]>', description).argParser(collect))
    .option('--json', 'the same as --reporter json');
  return addColorOptions(command);
}

function readTarget(text: string): Target {
  const at = text.indexOf('=');
  const word = at < 0 ? text : text.slice(0, at);
  const name = REPORTER_NAMES.find((one) => one === word);
  if (name === undefined) {
    const guess = nearest(word, REPORTER_NAMES);
    const list = `there are ${REPORTER_NAMES.join(', ')}`;
    const help = guess === undefined ? list : `did you mean ${guess}?`;
    throw new InputError(`there is no reporter ${word}: ${help}`);
  }
  const file = text.slice(at + 1);
  if (at >= 0 && file === '') throw new InputError(`--reporter ${text} needs a file after the =`);
  return at < 0 ? { name } : { name, file };
}

/** Reads the options; without any, the terminal reporter writes to stdout. */
export function readTargets({ reporter = [], json, ...colors }: ReporterOptions): Target[] {
  const all = [...reporter, ...(json === true ? ['json'] : [])];
  const targets = [...new Set(all.length === 0 ? ['terminal'] : all)].map(readTarget);
  const places = targets.map((target) => target.file ?? 'stdout');
  const shared = places.find((place, index) => places.indexOf(place) !== index);
  if (shared !== undefined) {
    throw new InputError(`two reporters write to ${shared}: give one of them another =FILE`);
  }
  const color = readColor(colors);
  return color === undefined ? targets : targets.map((target) => ({ ...target, color }));
}

/** Reads the options and throws before a long search if a file can not be written. */
export function writableTargets(options: ReporterOptions, host: Host): Target[] {
  const targets = readTargets(options);
  for (const { file } of targets) if (file !== undefined) mustBeWritable(file, host.cwd);
  return targets;
}

/** Renders a report to all targets. The renderers are loaded only here. */
export async function writeReport(
  report: Report,
  targets: readonly Target[],
  host: Host,
  schedules: ReporterEnvironment['schedules'] = 'hidden',
): Promise<void> {
  const { REPORTERS } = await import('../../report/index.ts');
  const { reporterEnvironment } = await import('../reporter-environment.ts');
  const svg = targets.find(({ name, file }) => name === 'svg' && file !== undefined)?.file;
  for (const { name, file, color } of targets) {
    const output = file === undefined ? host.stdout : undefined;
    const picture = svg === undefined ? undefined : pathBeside(svg, file ?? '', host.cwd);
    const environment = reporterEnvironment(host, output, { schedules, color, picture });
    const text = REPORTERS[name].render(report, environment);
    if (output === undefined) writeAtomically(file!, host.cwd, text);
    else output.write(text);
  }
}

/** The address of a file in a document, relative to the folder of the document. */
function pathBeside(file: string, document: string, cwd: string): string {
  const folder = dirname(resolve(cwd, document === '' ? 'stdout' : document));
  const path = relative(folder, resolve(cwd, file)).replaceAll(sep, '/');
  return encodeURI(path).replaceAll(/[<>]/g, encodeURIComponent);
}
