// Samples the source lines of one kind of call: the first calls, then every thousandth, because
// capturing a stack costs a hundred times as much as the call.
import { currentPosition, formatPosition } from '../../core/src/base/index.ts';

/** Calls in a row from one line before sampling starts, and the calls between two samples. */
const SAMPLE_AFTER = 16;
const SKIPPED_CALLS = 1023;

/** The line of the current call. */
export function currentLine(): string {
  const position = currentPosition();
  return position === undefined ? 'an unknown line' : formatPosition(position);
}

/** The sampled lines of one kind of call of one endpoint. */
export class CallSites {
  /** The line of the last sampled call. */
  line = '';
  /** Whether {@link line} is that of the newest call, and not of an earlier one. */
  isExact = true;
  #repeats = 0;
  #skipsLeft = 0;

  /** Records a call. Returns whether {@link line} has changed. */
  record(): boolean {
    this.isExact = this.#skipsLeft === 0;
    if (!this.isExact) {
      this.#skipsLeft--;
      return false;
    }
    const line = currentLine();
    if (line !== this.line) {
      this.#repeats = 0;
      this.line = line;
      return true;
    }
    if (++this.#repeats >= SAMPLE_AFTER) this.#skipsLeft = SKIPPED_CALLS;
    return false;
  }
}

/** A line of {@link CallSites} for a message. */
export function formatCallSite(line: string, isExact: boolean): string {
  return isExact ? line : `${line} (sampled: the line of an earlier call)`;
}
