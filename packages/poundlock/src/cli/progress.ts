// Shows the progress of a long search in one line on stderr, if stderr is a terminal.
import { counted, duration } from '../report/index.ts';
import { displayText } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';

/** The numbers that a search reports while it runs. */
export interface ProgressCounts {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly frontier: number;
}

/** Searches that end before this show no progress. */
const FIRST_AFTER_MS = 400;
const EVERY_MS = 100;
const CLEAR = '\r\u001b[2K';

export class ProgressLine {
  readonly #host: Host;
  readonly #start: number;
  #shown = false;
  #next: number;

  constructor(host: Host) {
    this.#host = host;
    this.#start = host.now();
    this.#next = this.#start + FIRST_AFTER_MS;
  }

  /** Updates the line, but not more often than is readable. */
  show(subject: string, { states, depth, frontier }: ProgressCounts): void {
    const { stderr, now } = this.#host;
    const time = now();
    if (!stderr.isTerminal || time < this.#next) return;
    this.#next = time + EVERY_MS;
    this.#shown = true;
    const spent = duration(time - this.#start);
    const facts = `${counted(states, 'state')}, depth ${depth}, ${counted(frontier, 'open state')}`;
    const text = `checking ${displayText(subject)}: ${facts} · ${spent}`;
    stderr.write(CLEAR + text.slice(0, stderr.columns - 1));
  }

  /** Shows a text, but not more often than is readable. */
  note(text: string): void {
    const { stderr, now } = this.#host;
    const time = now();
    if (!stderr.isTerminal || time < this.#next) return;
    this.#next = time + EVERY_MS;
    this.#shown = true;
    const shown = `${displayText(text)} · ${duration(time - this.#start)}`;
    stderr.write(CLEAR + shown.slice(0, stderr.columns - 1));
  }

  /** Removes the line before other output. */
  clear(): void {
    if (this.#shown) this.#host.stderr.write(CLEAR);
    this.#shown = false;
  }
}
