// Prepares a result for display: files as the user named them, replay commands from tokens.
import type { CheckResult, Finding, Parameters } from '@poundlock/core/internal/finding';
import type { CheckOptions } from '../check/index.ts';
import {
  checkCommand,
  presentFinding,
  presentStep,
  type Command,
  type Namer,
} from '../report/index.ts';
import { isBuilt, launchWords, type LaunchChoice } from './load-ptx.ts';

/** `checkCommand` of a file, with the parameters and the options that a replay must set. */
export function commandOf(
  file: string,
  params: Parameters,
  memory?: CheckOptions['memory'],
  chosen?: LaunchChoice,
): Command {
  const profile = memory === undefined ? [] : ['--memory', memory];
  return (token, { params: changed, launch, blocks } = {}) => {
    const words = isBuilt(file) ? launchWords(launch, blocks, chosen) : [];
    const more = [...words, ...profile];
    // Another launch has its own numbers.
    const own = launch === undefined ? params : {};
    return checkCommand(file, { ...own, ...changed }, token, more);
  };
}

/** The findings of a run; their replay commands call `check`. */
export function presentFindings(
  findings: readonly Finding[],
  file: string,
  params: Parameters,
  name: Namer,
  memory?: CheckOptions['memory'],
  chosen?: LaunchChoice,
): Finding[] {
  const command = commandOf(file, params, memory, chosen);
  return findings.map((finding) => presentFinding(finding, name, command));
}

/** `params` and `memory` are those that a repetition of this check must set. */
export function present(
  result: CheckResult,
  file: string,
  params: Parameters,
  name: Namer,
  memory?: CheckOptions['memory'],
  chosen?: LaunchChoice,
): CheckResult {
  const { findings, example, scope } = result;
  const assumptions = scope.assumptions.map(({ place, ...rest }) => {
    return place === undefined ? rest : { ...rest, place: { ...place, file: name(place.file) } };
  });
  return {
    ...result,
    scope: { ...scope, assumptions },
    findings: presentFindings(findings, file, params, name, memory, chosen),
    ...(example !== undefined && {
      example: {
        ...example,
        trace: example.trace.map((step) => presentStep(step, name)),
        replayCommand: commandOf(file, params, memory, chosen)(example.replayToken),
      },
    }),
  };
}
