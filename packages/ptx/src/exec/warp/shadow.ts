// The shadow of a warp: a try that is not repeated is answered no, and the shadow goes on with yes.
import { registersIn } from '../../flow/liveness.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import { Peek } from './peek.ts';
import type { Try, WarpState } from './peek.ts';
import { LOOK_AHEAD, Status } from './program.ts';
import type { Action } from './program.ts';
import type { SimtStack } from './stack.ts';
import type { Warp } from './warp.ts';

const APART = 'a try that is not repeated, by lanes that run apart from others of their warp';
const out: Wide = { low: 0, high: 0 };

/** The try of a warp whose answer is open, if there is one. */
export class Shadow {
  readonly #warp: Warp;
  #peek: Peek | null = null;
  /** The peek that the instruction in execution opens. */
  #opened: Peek | null = null;
  readonly #files: [RegisterFile | null, RegisterFile | null] = [null, null];
  /** Whether the warp has the state of a shadow, or of a ghost. */
  isRunning = false;

  constructor(warp: Warp) {
    this.#warp = warp;
  }

  /** Whether the answer of a try is open. */
  get isOpen(): boolean {
    return this.#peek !== null;
  }

  /** The try whose answer is open, as one that no other is. */
  get attempt(): Peek | null {
    return this.#peek;
  }

  /** Whether there is no shadow. */
  get isIdle(): boolean {
    return !this.isRunning && this.#peek === null;
  }

  /** A try that is not repeated: the shadow begins behind it. */
  open(attempt: Try, result: number, mask: number): void {
    const warp = this.#warp;
    if (warp.apart.fibers.length > 0) return warp.machine.undecided(attempt.at, APART);
    const stack = warp.stack.copy();
    stack.counter = attempt.at + 1;
    const registers = this.#spareFile(stack);
    const shadow = { registers, local: warp.local.copy(), stack, clock: warp.progress.clock };
    out.low = 1;
    out.high = 0;
    registers.copyFrom(result, warp.registers);
    registers.setUniform(result, out, true, mask, warp.lanes);
    const last = warp.progress.waited.get(attempt.state) ?? -1;
    this.#opened = new Peek(attempt, shadow, result, last);
  }

  /** The live registers, in one of two files: a try may open before the last one closes. */
  #spareFile(stack: SimtStack): RegisterFile {
    const { registers, program } = this.#warp;
    this.#files.reverse();
    const file = (this.#files[0] ??= registers.copy());
    // Constants and special registers never change.
    for (const counter of stack.counters())
      for (const register of registersIn(program.liveBefore(counter)))
        file.copyFrom(register, registers);
    return file;
  }

  /** Executes a state of the warp up to the next instruction that others can observe. */
  run(state: WarpState): void {
    const warp = this.#warp;
    warp.ahead.elsewhere(state, () => {
      this.isRunning = true;
      warp.run(LOOK_AHEAD);
      this.isRunning = false;
    });
  }

  /** Executes an instruction that others can observe, while the answer of a try may be open. */
  beside(at: number, action: Extract<Action, { kind: 'visible' }>, mask: number): Status {
    const warp = this.#warp;
    if (this.#peek === null || warp.ahead.look !== null) return action.run(warp, mask);
    if (this.#peek.isForgotten(warp, at)) this.#peek = null;
    const peek = this.#peek;
    const status = action.run(warp, mask);
    if (status !== Status.done || peek === null) return status;
    const outcome = peek.after(warp, at);
    if (outcome === 'decisive') this.#decides(peek);
    if (outcome === 'forgotten') this.#peek = null;
    return status;
  }

  /** The instruction was executed: the try that it made is the open one. */
  settle(): void {
    if (this.#opened === null) return;
    const { shadow, result } = this.#opened;
    // What one try has left behind is unknown when the next one is made.
    if (this.#peek?.widen(this.#warp, shadow, result) === false) this.#decides(this.#peek);
    this.#peek = this.#opened;
    this.#opened = null;
  }

  /** The warp ends, as the shadow has to. */
  end(): void {
    const peek = this.#peek;
    if (this.isRunning || peek === null) return;
    this.#peek = null;
    if (!peek.hasEnded(this.#warp)) this.#decides(peek);
  }

  #decides(peek: Peek): never {
    this.#warp.machine.decisions.leavesOpen('tries');
    return this.#warp.machine.undecided(
      peek.try.at,
      'the answer of a try that is not repeated decides what the warp does',
    );
  }
}
