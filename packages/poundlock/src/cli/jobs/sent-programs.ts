// Which programs a thread was sent: both sides count alike, so that each is sent once.
import { invariant } from '@poundlock/core/internal/base';
import type { JobProgram } from './job.ts';

/** The most programs that a thread keeps as text. */
const MAX_PROGRAMS = 64;

/** The programs of a thread by their hash, on the side that sends them. */
export class SentPrograms {
  readonly #sent = new Set<string>();

  /** Whether a program has to be sent, which is then done. */
  add(sha256: string): boolean {
    if (this.#sent.has(sha256)) return false;
    if (this.#sent.size >= MAX_PROGRAMS) this.#sent.clear();
    this.#sent.add(sha256);
    return true;
  }
}

/** The same on the side that is sent them. */
export class ReceivedPrograms {
  readonly #programs = new Map<string, JobProgram>();

  add(program: JobProgram): void {
    if (this.#programs.size >= MAX_PROGRAMS) this.#programs.clear();
    this.#programs.set(program.sha256, program);
  }

  get(sha256: string): JobProgram {
    const program = this.#programs.get(sha256);
    invariant(program !== undefined, 'a program is sent before it is named');
    return program;
  }
}
