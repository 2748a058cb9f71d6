// Prepares a result for display: files as the user named them, replay commands from tokens.
import type {
  CheckResult,
  Finding,
  SourceLocation,
  TraceStep,
} from '@poundlock/core/internal/finding';
import type { Parameters } from '@poundlock/core/internal/finding';
import type { CheckOptions } from '../check/index.ts';
import { checkCommand } from '../report/index.ts';
import { isPtx, launchWords, type LaunchChoice } from './load-ptx.ts';

/** How a file is named in the output. */
export type Namer = (file: string) => string;

/** The command that replays a token, with the changed parameters. */
type Command = (token: string, changed?: Pick<Finding, 'params' | 'launch'>) => string;

function presentStep(step: TraceStep, name: Namer): TraceStep {
  return step.file === undefined ? step : { ...step, file: name(step.file) };
}

function presentFinding(finding: Finding, name: Namer, command: Command): Finding {
  const place = (one: SourceLocation) => ({ ...one, file: name(one.file) });
  const { primary, labels, trace, replayToken, also } = finding;
  return {
    ...finding,
    primary: place(primary),
    labels: labels.map(place),
    ...(trace !== undefined && { trace: trace.map((step) => presentStep(step, name)) }),
    ...(replayToken !== undefined && { replayCommand: command(replayToken, finding) }),
    ...(also !== undefined && {
      also: { ...also, replayCommand: command(also.replayToken, also) },
    }),
  };
}

/** `checkCommand` of a file, with the parameters and the options that a replay must set. */
function commandOf(
  file: string,
  params: Parameters,
  memory?: CheckOptions['memory'],
  chosen?: LaunchChoice,
): Command {
  const profile = memory === undefined ? [] : ['--memory', memory];
  return (token, { params: changed, launch } = {}) => {
    const more = [...(isPtx(file) ? launchWords(launch, chosen) : []), ...profile];
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
  const { findings, example } = result;
  return {
    ...result,
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
