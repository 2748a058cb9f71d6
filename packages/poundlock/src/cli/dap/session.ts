// The debug adapter: a schedule as a program that is stepped forward and back, roles as threads.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Finding } from '@poundlock/core/internal/finding';
import {
  asInputError,
  fileName,
  inputErrorText,
  messageOf,
  type Host,
} from '@poundlock/core/internal/host';
import { agentName } from '../../report/index.ts';
import { open, type LaunchInput } from './open.ts';
import { isAt, type Line, type Replay } from './replay.ts';
import {
  Breakpoint,
  DebugSession,
  InitializedEvent,
  OutputEvent,
  Scope,
  Source,
  StackFrame,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from './sdk.ts';
import { groupsOf, References } from './variables.ts';

/** The number of an error that the user can correct. */
const INPUT_ERROR = 1;

/** Why the session stops: the word of the protocol. */
type Reason = 'entry' | 'step' | 'breakpoint' | 'exception' | 'pause';

/** One session over one pair of streams. */
export class ReplaySession extends DebugSession {
  readonly #host: Host;
  readonly #onEnd: () => void;
  readonly #references = new References();
  /** Lines with breakpoints, by file. */
  readonly #breakpoints = new Map<string, readonly Line[]>();
  /** Roles and units in the order in which they were first seen: their numbers from 1. */
  readonly #agents: string[] = [];
  #replay: Replay | undefined;
  #finding: Finding | undefined;
  #startAtFinding = false;

  constructor(host: Host, onEnd: () => void) {
    super();
    this.#host = host;
    this.#onEnd = onEnd;
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = {
      supportsConfigurationDoneRequest: true,
      supportsStepBack: true,
      supportsExceptionInfoRequest: true,
      supportsEvaluateForHovers: true,
      supportsStepInTargetsRequest: true,
    };
    this.sendResponse(response);
  }

  protected override launchRequest(
    response: DebugProtocol.LaunchResponse,
    input: DebugProtocol.LaunchRequestArguments,
  ): void {
    this.#answer(response, async () => {
      const wanted = input as unknown as LaunchInput;
      const { replay, summary, finding } = await open(wanted, this.#host);
      this.#replay = replay;
      this.#finding = finding;
      this.#startAtFinding = wanted.startAtFinding === true;
      for (const { agent } of [...replay.now.standing, ...replay.steps]) this.#number(agent);
      return () => {
        this.sendEvent(new OutputEvent(`${summary}\n`));
        if (finding !== undefined) {
          const text = `${finding.severity}[${finding.rule}]: ${finding.message}\n`;
          this.sendEvent(new OutputEvent(text, 'important'));
        }
        // Breakpoints are set from here on: their lines are known.
        this.sendEvent(new InitializedEvent());
      };
    });
  }

  protected override configurationDoneRequest(
    response: DebugProtocol.ConfigurationDoneResponse,
  ): void {
    this.#answer(response, async () => {
      if (this.#startAtFinding) await this.#require().goTo(Number.POSITIVE_INFINITY);
      return () => this.#stop('entry');
    });
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    const file = fileName(source.path ?? '', this.#host.cwd);
    const lines = breakpoints.map(({ line }) => ({ file, line }));
    this.#breakpoints.set(file, lines);
    const steps = this.#replay?.steps ?? [];
    response.body = {
      breakpoints: lines.map(({ line }) => {
        const isReached = steps.some((step) => isAt(step, { file, line }));
        return new Breakpoint(isReached, line);
      }),
    };
    this.sendResponse(response);
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    response.body = { threads: this.#agents.map((name, index) => new Thread(index + 1, name)) };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    { threadId }: DebugProtocol.StackTraceArguments,
  ): void {
    const agent = this.#agents[threadId - 1];
    const { now, steps, position } = this.#require();
    const next = steps[position];
    // The unit that moves next is at the line that issued its work.
    const at =
      now.operations.find(({ role }) => role === agent) ??
      (next?.agent === agent ? next : now.moves.find((move) => move.agent === agent));
    const state = now.standing.find((one) => one.agent === agent)?.text;
    const name = at?.text ?? state ?? 'idle';
    const source = this.#source(at?.file);
    // A kernel from another machine comes without its source: its PTX is there.
    const built = source === undefined ? this.#source(at?.ptx?.file) : undefined;
    const frame =
      built === undefined
        ? new StackFrame(threadId, name, source, at?.line, at?.column)
        : new StackFrame(threadId, name, built, at!.ptx!.line, 1);
    response.body = { stackFrames: [frame], totalFrames: 1 };
    this.sendResponse(response);
  }

  protected override scopesRequest(response: DebugProtocol.ScopesResponse): void {
    const groups = groupsOf(this.#require().now);
    response.body = {
      scopes: groups.map(({ name, inside }) => new Scope(name, this.#references.to(inside))),
    };
    this.sendResponse(response);
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference }: DebugProtocol.VariablesArguments,
  ): void {
    const variables = this.#references.of(variablesReference).map(({ name, value, inside }) => {
      return { name, value, variablesReference: this.#references.to(inside) };
    });
    response.body = { variables };
    this.sendResponse(response);
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression }: DebugProtocol.EvaluateArguments,
  ): void {
    const all = groupsOf(this.#require().now).flatMap(({ inside }) => inside);
    const found = all.find(({ name }) => name === expression.trim());
    if (found === undefined) {
      const text = `there is no barrier, stage or role ${expression.trim()}`;
      return this.sendErrorResponse(response, INPUT_ERROR, text);
    }
    const { value, inside } = found;
    response.body = { result: value, variablesReference: this.#references.to(inside) };
    this.sendResponse(response);
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    const { rule = 'finding', message = '', notes = [], helps = [] } = this.#shown() ?? {};
    const text = [
      message,
      ...notes.map((one) => `note: ${one}`),
      ...helps.map((one) => `help: ${one}`),
    ];
    response.body = { exceptionId: rule, description: text.join('\n'), breakMode: 'always' };
    this.sendResponse(response);
  }

  protected override nextRequest(
    response: DebugProtocol.NextResponse,
    { threadId }: DebugProtocol.NextArguments,
  ): void {
    const agent = this.#agents[threadId - 1] ?? '';
    this.#move(response, (replay) => replay.untilMovedBy(agent));
  }

  /** The moves that are possible: each of them can be the next step. */
  protected override stepInTargetsRequest(response: DebugProtocol.StepInTargetsResponse): void {
    const { moves } = this.#require().now;
    const targets = moves.map((move, at) => ({
      id: at + 1,
      label: `${agentName(move)}: ${move.text}`,
    }));
    response.body = { targets };
    this.sendResponse(response);
  }

  protected override stepInRequest(
    response: DebugProtocol.StepInResponse,
    { targetId }: DebugProtocol.StepInArguments,
  ): void {
    this.#move(response, (replay) => {
      return targetId === undefined ? replay.forward() : replay.choose(targetId - 1);
    });
  }

  protected override stepOutRequest(response: DebugProtocol.StepOutResponse): void {
    this.#move(response, (replay) => replay.forward());
  }

  protected override stepBackRequest(response: DebugProtocol.StepBackResponse): void {
    this.#move(response, (replay) => replay.goTo(replay.position - 1));
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    this.#move(response, (replay) => this.#run(replay, 1));
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.#move(response, (replay) => this.#run(replay, -1));
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.sendResponse(response);
    this.#stop('pause');
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    this.sendResponse(response);
    this.shutdown();
  }

  /** The command line ends the process: this class must not. */
  override shutdown(): void {
    this.#onEnd();
  }

  #run(replay: Replay, direction: 1 | -1): Promise<boolean> {
    const lines = [...this.#breakpoints.values()].flat();
    return replay.goTo(replay.nextAt(lines, direction));
  }

  /** Makes steps, and says where that has led. */
  #move(response: DebugProtocol.Response, make: (replay: Replay) => Promise<boolean>): void {
    this.#answer(response, async () => {
      const replay = this.#require();
      const hasMoved = await make(replay);
      const isOver = !hasMoved && replay.isAtEnd && replay.now.moves.length === 0;
      const isRight = this.#shown() === undefined;
      if (isOver && isRight) return () => this.sendEvent(new TerminatedEvent());
      return () => this.#stop('step');
    });
  }

  #stop(reason: Reason): void {
    this.#references.clear();
    const replay = this.#require();
    const finding = this.#shown();
    const agent = finding?.primary.role ?? replay.nextAgent;
    const thread = agent === undefined ? 1 : this.#number(agent);
    const event = new StoppedEvent(finding === undefined ? reason : 'exception', thread);
    const body = event.body as DebugProtocol.StoppedEvent['body'];
    body.allThreadsStopped = true;
    body.description = finding === undefined ? this.#at(replay) : finding.rule;
    body.text = finding === undefined ? this.#at(replay) : finding.message;
    this.sendEvent(event);
  }

  /** The finding of the state. What concerns levels of memory is at the end of its own schedule. */
  #shown(): Finding | undefined {
    const { now, isAtEnd, isOwn } = this.#require();
    return now.findings[0] ?? (isAtEnd && isOwn ? this.#finding : undefined);
  }

  #at({ position, steps }: Replay): string {
    return `step ${position} of ${steps.length}`;
  }

  /** The number of a role or unit, as a thread. */
  #number(agent: string): number {
    const at = this.#agents.indexOf(agent);
    return at < 0 ? this.#agents.push(agent) : at + 1;
  }

  #source(file: string | undefined): Source | undefined {
    if (file === undefined) return undefined;
    const path = resolve(this.#host.cwd, file);
    return existsSync(path) ? new Source(basename(path), path) : undefined;
  }

  #require(): Replay {
    if (this.#replay === undefined) throw new Error('nothing is launched');
    return this.#replay;
  }

  /** Sends the response, and then what the work has to report; an error is the response. */
  #answer(response: DebugProtocol.Response, work: () => Promise<() => void>): void {
    work().then(
      (report) => {
        this.sendResponse(response);
        report();
      },
      (error: unknown) => {
        const known = asInputError(error);
        const text = known === undefined ? messageOf(error) : inputErrorText(known, this.#host.cwd);
        // Braces are place holders.
        this.sendErrorResponse(response, INPUT_ERROR, text.replaceAll(/[{}]/g, ' '));
      },
    );
  }
}
