// From which lines one kind of call is made: asked with each of the first, then now and then, since
// a stack costs a hundred times what the call does.
import { currentPosition, formatPosition } from '../../core/src/base/index.ts';

/** Calls in a row from one line before only some are asked, and how many go unasked then. */
const SURE_AFTER = 16;
const UNASKED = 1023;

/** The line that calls now. */
export function here(): string {
  const position = currentPosition();
  return position === undefined ? 'an unknown line' : formatPosition(position);
}

/** The lines of one kind of call of one endpoint. */
export class Sites {
  /** Where the call that was asked last came from. */
  line = '';
  /** Whether {@link line} is that of the newest call, and not of one before it. */
  isSure = true;
  #alike = 0;
  #unasked = 0;

  /** Notes a call. Answers whether {@link line} is another one now. */
  note(): boolean {
    this.isSure = this.#unasked === 0;
    if (!this.isSure) {
      this.#unasked--;
      return false;
    }
    const line = here();
    if (line !== this.line) {
      this.#alike = 0;
      this.line = line;
      return true;
    }
    if (++this.#alike >= SURE_AFTER) this.#unasked = UNASKED;
    return false;
  }
}

/** A line of {@link Sites} in words. */
export function saidOf(line: string, isSure: boolean): string {
  return isSure ? line : `${line}, as the calls did that were looked at`;
}
