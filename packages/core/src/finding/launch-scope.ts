// The launch of a kernel as built, with where each part comes from, and what it has to be.

/**
 * Where a part of a launch comes from: the text leaves no other (`text`), a user or a compiler says
 * so (`given`), other values fail (`solved`), it is the largest that is legal (`bound`), or it is
 * one of several that the text allows (`tried`).
 */
export type LaunchOrigin = 'text' | 'given' | 'solved' | 'bound' | 'tried';

/** A size of a launch. */
export interface LaunchSize {
  /** Along x, y and z. */
  readonly value: readonly [x: number, y: number, z: number];
  /** Where it comes from. */
  readonly from: LaunchOrigin;
}

/** A parameter of a launch, or a field of one. */
export interface LaunchParameter {
  /** Its name, with the offset of a field. */
  readonly name: string;
  /** What it is: `pointer`, `map`, `number`, `float`. */
  readonly kind: string;
  /** Where its value comes from. */
  readonly from: LaunchOrigin;
  /** The value of a number in the run that is shown; absent for others. */
  readonly value?: number;
}

/** What was tried of one part, each value alone. */
export interface TriedPart {
  /** `block`, `cluster`, or the name of a parameter. */
  readonly what: string;
  /** The values, in order. */
  readonly values: readonly (number | string)[];
}

/** The launch that a verdict is about. */
export interface LaunchScope {
  /** Whether it was inferred from the text, or is that of a file. */
  readonly from: 'inferred' | 'file';
  /** Blocks of the grid. */
  readonly grid: LaunchSize;
  /** Threads of a block. */
  readonly block: LaunchSize;
  /** Blocks of a cluster. */
  readonly cluster: LaunchSize;
  /** Dynamic shared memory in bytes. */
  readonly sharedMemory: { readonly value: number; readonly from: LaunchOrigin };
  /** The parameters, and the fields of those that are structures. */
  readonly params: readonly LaunchParameter[];
  /** What was tried: all that the verdict is about. */
  readonly tried: readonly TriedPart[];
  /** What a launch has to be, a sentence each: others do not fit the kernel. */
  readonly preconditions: readonly string[];
  /** What the runs needed. */
  readonly needs: { readonly sharedMemory: number };
}

/** A guess that a possible finding rests on. */
export interface FindingRest {
  /** `block`, `cluster`, or the name of a parameter. */
  readonly what: string;
  /** Its value. */
  readonly value: string;
  /** Why it was tried, and what to give. */
  readonly why: string;
}
