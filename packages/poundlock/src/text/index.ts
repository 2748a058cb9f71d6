// What the text of a program proves, so that a verdict need not assume it.
import type { Position } from '@poundlock/core/internal/base';
import type { ProgramSource } from '@poundlock/core/internal/program';
import { ProgramSyntax } from './program.ts';
import { numberUse, type NumberUse } from './numbers.ts';
import type { TextPlace } from './flow-graph.ts';
import type { TextTarget } from './barrier-calls.ts';
import { keyOfTarget, nameOfPlace, RoleText, type PastCalls } from './role-arrivals.ts';
import { firstChange, type Obstacle } from './self-contained.ts';
import { firstDecisiveTry } from './tries.ts';

export type { PastCalls, NumberUse, Obstacle, RoleText, TextPlace, TextTarget };

/** The text of a program that is understood. */
export class ProgramText {
  readonly #syntax: ProgramSyntax;

  private constructor(syntax: ProgramSyntax) {
    this.#syntax = syntax;
  }

  /** Reads a program; `null` where one of its modules is not understood. */
  static of(source: ProgramSource): ProgramText | null {
    const syntax = ProgramSyntax.of(source);
    return syntax === null ? null : new ProgramText(syntax);
  }

  /** Where a function may change what is outside of it; `null`: nowhere. */
  get change(): Obstacle | null {
    return firstChange(this.#syntax);
  }

  /** A try that may decide more than a wait; `null`: there is none. */
  get decisiveTry(): Obstacle | null {
    return firstDecisiveTry(this.#syntax);
  }

  /**
   * What it does with a parameter of a kernel; `null` where that is not understood. A run has seen
   * that the calls at `countedAt` count with it.
   */
  use(kernel: string, parameter: string, countedAt: readonly Position[] = []): NumberUse | null {
    return numberUse(this.#syntax, kernel, parameter, countedAt);
  }

  /** The text of the role that is declared at a place; `null` where it is not understood. */
  role(declared: TextPlace): RoleText | null {
    return RoleText.of(this.#syntax, declared);
  }

  /** What targets of an array have in common, as a name. */
  keyOf(target: TextTarget): string {
    return keyOfTarget(target);
  }

  /** The name of a call that is made at a place. */
  nameOf(place: TextPlace): string {
    return nameOfPlace(place);
  }
}
