// Prepares findings for display: files as the user named them, replay commands from tokens.
import type { PtxLine } from '@poundlock/core/internal/base';
import type { Finding, SourceLocation, TraceStep } from '@poundlock/core/internal/finding';

/** How a file is named in the output. */
export type Namer = (file: string) => string;

/** The command that replays a token, with the changed parameters. */
export type Command = (
  token: string,
  changed?: Pick<Finding, 'params' | 'launch' | 'blocks'>,
) => string;

/** A step with its file as the user named it. */
export function presentStep(step: TraceStep, name: Namer): TraceStep {
  return step.file === undefined ? step : placed({ ...step, file: step.file }, name);
}

interface Placed {
  readonly file: string;
  readonly ptx?: PtxLine;
}

function placed<P extends Placed>(place: P, name: Namer): P {
  const { file, ptx } = place;
  return { ...place, file: name(file), ...(ptx && { ptx: { ...ptx, file: name(ptx.file) } }) };
}

/** A finding with its files as the user named them, and its replay commands. */
export function presentFinding(finding: Finding, name: Namer, command: Command): Finding {
  const place = (one: SourceLocation) => placed(one, name);
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
