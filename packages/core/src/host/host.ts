// The process that a command runs in, as an interface: tests pass their own.

/** Where text goes to. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The width of the terminal. */
  readonly columns: number;
}

export interface Host {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since some start. */
  readonly now: () => number;
  /** Lets timers and signals run. */
  readonly pause: () => Promise<void>;
  /** Calls back at the first Ctrl-C, the second one ends the process; returns how to stop that. */
  readonly onInterrupt: (callback: () => void) => () => void;
  /** Calls back when nothing is left to wait for; returns how to stop that. */
  readonly onIdle: (callback: () => void) => () => void;
  /** Starts watching this thread: user code runs in it from now on and may never return. */
  readonly oversee: () => void;
}
