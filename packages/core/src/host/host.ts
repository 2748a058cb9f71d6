// The process that a command runs in, as an interface: tests pass their own.

/** Where text goes to. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The width of the terminal. */
  readonly columns: number;
}

/** An error that the code of a program text left uncaught. */
export interface LateFailure {
  readonly file: string;
  readonly error: unknown;
}

export interface Host {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since some start. */
  readonly now: () => number;
  /** Milliseconds of work of the processor; the same as {@link now} where it is not known. */
  readonly cpuNow?: () => number;
  /** All text of the standard input; missing where there is none. */
  readonly readInput?: () => string;
  /** Lets timers and signals run. */
  readonly pause: () => Promise<void>;
  /** Calls back at the first Ctrl-C, the second one ends the process; returns how to stop that. */
  readonly onInterrupt: (callback: () => void) => () => void;
  /** Calls back when nothing is left to wait for; returns how to stop that. */
  readonly onIdle: (callback: () => void) => () => void;
  /**
   * Runs work that calls the code of the program text `file`. The work is rejected where that code
   * ends the process, leaves an error uncaught, or does not return: within `timeoutMs` and a second
   * if that is specified.
   */
  readonly guarded: <T>(file: string, work: () => Promise<T>, timeoutMs?: number) => Promise<T>;
  /** Errors that the code of a program text left uncaught after its work was done, each once. */
  readonly lateFailures: () => readonly LateFailure[];
}
