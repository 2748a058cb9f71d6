// What a pipe consists of: its stages in groups that share a thread, and the rings between them.
import { InputError, option, optionTable, requireOptions } from '../../../core/src/base/index.ts';
import type { OptionsOf } from '../../../core/src/base/index.ts';
import { defaultStages } from '../options.ts';

/** A function of one item, or a generator function of all items. */
export type PipeFunction = (item: never) => unknown;

/**
 * A stage of a pipe: under its name the module with the function, or the function itself, which
 * then runs on this thread. The function is the export of that name, or the default export.
 *
 * A plain function is called with each item, and what it returns goes on, `undefined` excepted. A
 * generator function is called once, with an iterable of the items, and what it yields goes on.
 */
export type PipeStage = PipeStageOptions & {
  readonly [name: string]: URL | PipeFunction | number | boolean | undefined;
};

/** Options of a stage whose function is in a module. */
export interface PipeStageOptions {
  /** How many worker threads run it; 1 unless specified. */
  readonly workers?: number;
  /** Whether the items leave several workers in the order in which they came. */
  readonly ordered?: boolean;
}

export const PIPE = optionTable({
  /** The most bytes of an item; 131,072 unless specified. */
  bytes: option.checkedLater<number>(),
  /** How many items fit between two threads; 64 below 4 KiB unless specified, else 8. */
  depth: option.checkedLater<number>(),
  /** Ends the pipe with the reason of the signal. */
  signal: option.checkedLater<AbortSignal>(),
  /** The name in messages; `pipe` unless specified. */
  name: option.text,
});

/** Options of {@link pipe}. */
export interface PipeOptions extends OptionsOf<typeof PIPE> {}

/** Threads that do the same work, in the description of a pipe. */
export interface PipeGroup {
  /** The names of its stages; none for a group that only passes items on. */
  readonly stages: readonly string[];
  /** Its worker threads; 0 if it runs on the thread that started the pipe. */
  readonly workers: number;
  /** Whether its items leave in order, although it has several workers. */
  readonly isOrdered: boolean;
}

/** A ring between two groups, in the description of a pipe. */
export interface PipeLink {
  /** Its stages. */
  readonly depth: number;
  /** How many threads write to it. */
  readonly producers: number;
  /** How many threads read from it. */
  readonly consumers: number;
}

/**
 * What a pipe consists of: plain data that `poundlock check` makes a kernel of. Link `n` is
 * between the groups `n` and `n + 1`.
 */
export interface PipeTopology {
  /** The name of the pipe. */
  readonly pipe: string;
  /** Its groups, from the source to the sink. */
  readonly groups: readonly PipeGroup[];
  /** The rings between them. */
  readonly links: readonly PipeLink[];
}

/** A stage with its function. */
export interface PlannedStage {
  readonly name: string;
  readonly work: URL | PipeFunction;
}

/** A group with its functions. */
export interface PlannedGroup extends PipeGroup {
  readonly work: readonly PlannedStage[];
}

export interface Plan {
  readonly name: string;
  readonly bytes: number;
  readonly groups: readonly PlannedGroup[];
  readonly links: readonly PipeLink[];
}

/** Twice what streams read at once. */
const DEFAULT_BYTES = 131_072;
const MAX_WORKERS = 1024;

/** Plans a pipe with these stages. */
export function planOf(stages: PipeStage | readonly PipeStage[], options: PipeOptions): Plan {
  requireOptions('a pipe', PIPE, options);
  const { name = 'pipe', bytes = DEFAULT_BYTES } = options;
  const { depth = defaultStages(bytes) } = options;
  const list = (Array.isArray(stages) ? stages : [stages]) as readonly PipeStage[];
  const groups = groupsOf(list.map(stageOf));
  const links = groups.slice(1).map((group, at): PipeLink => {
    return {
      depth,
      producers: Math.max(1, groups[at]!.workers),
      consumers: Math.max(1, group.workers),
    };
  });
  return { name, bytes, groups, links };
}

/** The description of a plan. */
export function topologyOf({ name, groups, links }: Plan): PipeTopology {
  return {
    pipe: name,
    groups: groups.map(({ stages, workers, isOrdered }) => ({ stages, workers, isOrdered })),
    links,
  };
}

interface ReadStage extends PlannedStage {
  readonly workers: number;
  readonly isOrdered: boolean;
}

function stageOf(stage: PipeStage): ReadStage {
  const {
    workers = 1,
    ordered = false,
    ...named
  } = stage as PipeStageOptions & Record<string, unknown>;
  const [entry, ...surplus] = Object.entries(named);
  if (entry === undefined || surplus.length > 0) {
    throw new InputError(
      'a stage of a pipe has one name, with its module or function: { parse: new URL(…) }',
    );
  }
  const [name, work] = entry;
  if (!(work instanceof URL) && typeof work !== 'function') {
    throw new InputError(`stage ${name} of a pipe must be the URL of a module, or a function`);
  }
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw new InputError(
      `the workers of stage ${name} must be a whole number ` +
        `from 1 to ${MAX_WORKERS}, not ${workers}`,
    );
  }
  if (typeof work === 'function') {
    if (stage.workers !== undefined || stage.ordered !== undefined) {
      throw new InputError(
        `stage ${name} is a function, which runs on this thread: workers need the URL of a module`,
      );
    }
    return { name, work: work as PipeFunction, workers: 0, isOrdered: false };
  }
  return { name, work, workers, isOrdered: ordered && workers > 1 };
}

/**
 * Neighbors on this thread are one group, and so are the ends of the pipe, which are on this
 * thread. Only one thread can number the items, and put them in order again: between workers, it
 * is this one.
 */
function groupsOf(stages: readonly ReadStage[]): PlannedGroup[] {
  const groups: PlannedGroup[] = [localGroup([])];
  for (const { workers, isOrdered, ...stage } of stages) {
    const last = groups.at(-1)!;
    if (workers === 0) {
      if (last.workers === 0) groups[groups.length - 1] = localGroup([...last.work, stage]);
      else groups.push(localGroup([stage]));
      continue;
    }
    if (last.workers > 0 && (last.isOrdered || isOrdered)) groups.push(localGroup([]));
    groups.push({ stages: [stage.name], workers, isOrdered, work: [stage] });
  }
  if (groups.at(-1)!.workers > 0) groups.push(localGroup([]));
  return groups;
}

function localGroup(work: readonly PlannedStage[]): PlannedGroup {
  return { stages: work.map(({ name }) => name), workers: 0, isOrdered: false, work };
}
