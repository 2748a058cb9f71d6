// The launch of a verdict: its parts with their origins, and what was tried of them.
import type { LaunchScope, TriedPart } from '@poundlock/core/internal/finding';
import { gridOf, slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import type { Skeleton } from '@poundlock/ptx/internal/infer/skeleton';
import type { Slot } from '@poundlock/ptx/internal/infer/slots';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';
import { preconditionsOf } from './preconditions.ts';
import { originsOf, sizeText } from './shapes.ts';
import type { ShapeOrigins } from './shapes.ts';
import { fits } from './subject.ts';
import type { LaunchRun } from './subject.ts';

const KINDS: Readonly<Record<Slot['kind'], string>> = {
  pointer: 'pointer',
  map: 'map',
  'pointer to a map': 'pointer to a map',
  number: 'number',
  float: 'float',
};

/** Values in order, each once. */
function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function shapesTried(runs: readonly LaunchRun[], { block, cluster }: Skeleton): TriedPart[] {
  const of = (part: 'block' | 'cluster'): TriedPart => {
    const sizes = runs.map(({ choice }) => sizeText(choice[part]));
    return { what: part, values: unique(sizes) };
  };
  return [...(block === null ? [of('block')] : []), ...(cluster === null ? [of('cluster')] : [])];
}

/** What was tried of each number, the ordinary values first. */
function numbersTried(runs: readonly LaunchRun[], skeleton: Skeleton): TriedPart[] {
  const numbers = slotsIn(skeleton).filter(({ kind }) => kind === 'number');
  return numbers.flatMap(({ name }): TriedPart[] => {
    if ((skeleton.supplied.values.get(name)?.length ?? 0) === 1) return [];
    const ordinary = runs.filter(({ special }) => special === null);
    const special = runs.filter((run) => run.special?.slot.name === name);
    const values = [...ordinary, ...special].flatMap(({ choice }) => choice.values.get(name) ?? []);
    return values.length === 0 ? [] : [{ what: name, values: unique(values) }];
  });
}

/** The launch that a verdict about some runs is about; `shown` is the one whose findings it has. */
export function launchScope(
  skeleton: Skeleton,
  shown: LaunchRun | undefined,
  runs: readonly LaunchRun[],
  guess: ShapeOrigins | null,
): LaunchScope {
  const origins = guess ?? originsOf(skeleton, 'tried');
  const { block, cluster, values } = shown?.choice ?? runs[0]!.choice;
  const size = (value: Dimensions, from: LaunchScope['block']['from']): LaunchScope['block'] => {
    return { value, from };
  };
  const fitting = runs.filter(fits);
  const bytes = fitting.map(({ reference }) => reference.shared?.().dynamicBytes ?? 0);
  return {
    from: 'inferred',
    grid: size(gridOf(skeleton, cluster), skeleton.grid?.from ?? 'tried'),
    block: size(block, origins.block),
    cluster: size(cluster, origins.cluster),
    sharedMemory: skeleton.sharedBytes,
    params: slotsIn(skeleton).map(({ name, kind }) => ({
      name,
      kind: KINDS[kind],
      from:
        skeleton.supplied.values.has(name) || skeleton.supplied.contents.has(name)
          ? 'given'
          : 'tried',
      ...(values.has(name) ? { value: values.get(name)! } : {}),
    })),
    tried: [...shapesTried(fitting, skeleton), ...numbersTried(fitting, skeleton)],
    preconditions: preconditionsOf(runs),
    needs: { sharedMemory: Math.max(0, ...bytes) },
  };
}
