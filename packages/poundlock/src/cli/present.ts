// Makes a result ready to be shown: files as the user names them, tokens as whole commands.
import type {
  CheckResult,
  Finding,
  SourceLocation,
  TraceStep,
} from '@poundlock/core/internal/finding';
import type { Parameters } from '@poundlock/core/internal/finding';
import { checkCommand } from '../report/index.ts';

/** How a file is named to the user. */
export type Namer = (file: string) => string;

/** The command that replays a token, with some parameters changed. */
type Command = (token: string, changed?: Parameters) => string;

function presentStep(step: TraceStep, name: Namer): TraceStep {
  return step.file === undefined ? step : { ...step, file: name(step.file) };
}

function presentFinding(finding: Finding, name: Namer, command: Command): Finding {
  const place = (one: SourceLocation) => ({ ...one, file: name(one.file) });
  const { primary, labels, trace, replay, also } = finding;
  return {
    ...finding,
    primary: place(primary),
    labels: labels.map(place),
    ...(trace !== undefined && { trace: trace.map((step) => presentStep(step, name)) }),
    ...(replay !== undefined && { replay: command(replay) }),
    ...(also !== undefined && { also: { ...also, replay: command(also.replay, also.params) } }),
  };
}

/** The findings of a run; the replay commands are those of `check`. */
export function presentFindings(
  findings: readonly Finding[],
  file: string,
  overrides: Parameters,
  name: Namer,
): Finding[] {
  const command = (token: string) => checkCommand(file, overrides, token);
  return findings.map((finding) => presentFinding(finding, name, command));
}

/** `overrides` are the parameters that a command which repeats this check has to name. */
export function present(
  result: CheckResult,
  file: string,
  overrides: Parameters,
  name: Namer,
): CheckResult {
  const command: Command = (token, changed) =>
    checkCommand(file, { ...overrides, ...changed }, token);
  const { findings, example } = result;
  return {
    ...result,
    findings: findings.map((finding) => presentFinding(finding, name, command)),
    ...(example !== undefined && {
      example: {
        ...example,
        trace: example.trace.map((step) => presentStep(step, name)),
        replay: command(example.replay),
      },
    }),
  };
}
