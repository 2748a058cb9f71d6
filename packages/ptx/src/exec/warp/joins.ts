// Which joins of lanes are steps: those before which a lane did something that others may observe.
import type { AccessStep, Step } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Warp } from './warp.ts';

/**
 * Whether a warp executes an instruction as one: each of its lanes comes to it before any goes on.
 * Thread barriers are apart: some do not wait, and those that do are joins by themselves.
 */
export function isCollective({ joins, effect }: Instruction): boolean {
  return joins === 'warp' && effect.kind !== 'barrier';
}

/**
 * Whether an instruction is one of the whole warp, so that lanes that run apart wait for one
 * another: the barrier of the cluster counts warps here, and `barrier.sync` counts threads.
 */
export function isOfWarp({ joins, effect }: Instruction): boolean {
  if (effect.kind !== 'barrier') return joins === 'warp';
  return effect.isAligned || effect.of === 'cluster';
}

/** Whether all threads of a warp have to execute an instruction together: it is `.aligned`. */
export function isAligned({ joins, effect }: Instruction): boolean {
  return effect.kind === 'barrier' ? effect.isAligned : joins === 'warp';
}

/** What lanes of a warp have done since they were joined. */
export class Joins {
  /** Lanes that did, or know of, something that not all lanes know of. */
  #unjoined = 0;
  #lastMask = 0;
  #lastSteps = -1;

  /** A copy that changes by itself. */
  copy(): Joins {
    const copy = new Joins();
    copy.#unjoined = this.#unjoined;
    copy.#lastMask = this.#lastMask;
    copy.#lastSteps = this.#lastSteps;
    return copy;
  }

  /** What later steps depend on, after a number of steps. */
  stateAfter(steps: number): string {
    const last = this.#lastSteps === steps ? this.#lastMask : 'none';
    return `${this.#unjoined} ${last}`;
  }

  /** A step of some lanes, with what is to be known of them. */
  stepOf(step: Step, lanes: number, warp: Warp): Step {
    const { isUncertain } = warp.mode;
    const doubts = isUncertain && step.op === 'access' ? doubtOf(step, warp) : null;
    const isTogether =
      warp.program.collective[step.at] === 1 || (step.op === 'named' && step.isSync);
    const isJoint = isTogether && !isUncertain && this.#areAll(warp.stack.mask, warp.live);
    this.#unjoined = isJoint ? 0 : this.#unjoined | lanes;
    const isWhole = lanes === warp.lanes || isJoint;
    if (isWhole && doubts === null && !isJoint) return step;
    return {
      ...step,
      ...doubts,
      ...(isWhole ? {} : { lanes }),
      ...(isJoint ? { isJoint } : {}),
    };
  }

  /** Whether a join of some lanes, after a number of steps, brings one of them news. */
  isNeeded(mask: number, steps: number): boolean {
    const isRepeated = this.#lastSteps === steps && this.#lastMask === mask;
    const isAlone = (mask & (mask - 1)) === 0;
    return !isAlone && !isRepeated && (this.#unjoined & mask) !== 0;
  }

  /** A join of some lanes that is a step; whether it joins all that live or did something. */
  join(mask: number, live: number, steps: number): boolean {
    this.#lastMask = mask;
    this.#lastSteps = steps;
    if (this.#areAll(mask, live)) {
      this.#unjoined = 0;
      return true;
    }
    this.#unjoined |= mask;
    return false;
  }

  /** Whether these lanes are all that live or did something. */
  #areAll(mask: number, live: number): boolean {
    return ((live | this.#unjoined) & ~mask) === 0;
  }
}

/** That an access may happen, and what is not known of it; the machine keeps why. */
function doubtOf(
  { at, unknown }: AccessStep,
  { machine, mode: { doubt } }: Warp,
): Pick<AccessStep, 'isPossible' | 'unknown'> {
  if (doubt !== null) machine.doubt(at, doubt.causes);
  // Whether it happens may depend on which bytes it would touch.
  if (unknown !== undefined) return { isPossible: true, unknown: 'some' };
  return doubt?.isFree === false ? { isPossible: true, unknown: 'whether' } : { isPossible: true };
}
