// A launch that a text allows, with an origin for each part: what is chosen makes a document of it.
import { extentsOf, sharedVariables, staticShared } from '../launch/legal.ts';
import type { Dimensions } from '../launch/launch.ts';
import { volume } from '../launch/launch.ts';
import type { Origin } from '../launch/origin.ts';
import { sharedLimit } from '../launch/shared-limits.ts';
import type { PtxFunction, PtxModule } from '../text/module.ts';
import { factsOf } from './kernel-facts.ts';
import type { KernelFacts } from './kernel-facts.ts';
import { slotsOf } from './slots.ts';
import type { Slot, SlottedParameter } from './slots.ts';

/** A part of a launch with where it comes from; `null` where the text leaves it open. */
export interface Part<Value> {
  readonly value: Value;
  readonly from: Origin;
}

/** Parts of a launch that a user or a compiler gives. */
export interface SuppliedParts {
  readonly grid?: Dimensions;
  readonly block?: Dimensions;
  /** Warps of a block of one dimension; a directive of the text wins. */
  readonly warps?: number;
  readonly cluster?: Dimensions;
  readonly sharedBytes?: number;
  /** Whether the compiler says so: its shared memory does not depend on numbers of the launch. */
  readonly isOfCompiler?: boolean;
  readonly isCooperative?: boolean;
  readonly isProgrammatic?: boolean;
  /** Values of numbers by the names of slots; several vary. */
  readonly values: ReadonlyMap<string, readonly number[]>;
  /** Contents behind pointers, by the names of slots. */
  readonly contents: ReadonlyMap<string, readonly number[]>;
  /** Bytes of boxes of maps, by the names of slots. */
  readonly boxes: ReadonlyMap<string, number>;
  /** The same in the order of the parameters, where a compiler says them so. */
  readonly boxesInOrder?: readonly (number | null)[];
}

/** What a text and what is supplied say of a launch. */
export interface Skeleton {
  readonly module: PtxModule;
  readonly entry: PtxFunction;
  readonly facts: KernelFacts;
  readonly parameters: readonly SlottedParameter[];
  readonly supplied: SuppliedParts;
  readonly block: Part<Dimensions> | null;
  readonly cluster: Part<Dimensions> | null;
  readonly grid: Part<Dimensions> | null;
  readonly sharedBytes: Part<number>;
}

/** All that a launch needs beside what its skeleton says. */
export interface LaunchChoice {
  readonly block: Dimensions;
  readonly cluster: Dimensions;
  /** Values of numbers by the names of slots. */
  readonly values: ReadonlyMap<string, number>;
  /** Contents behind pointers, beside those that are supplied. */
  readonly contents?: ReadonlyMap<string, readonly number[]>;
}

/** No part is supplied. */
export const NOTHING_SUPPLIED: SuppliedParts = {
  values: new Map(),
  contents: new Map(),
  boxes: new Map(),
};

const ONE: Dimensions = [1, 1, 1];

/** What a kernel's text says of its launch. */
export function skeletonOf(
  module: PtxModule,
  entry: PtxFunction,
  supplied: SuppliedParts,
): Skeleton {
  const facts = factsOf(module, entry);
  const ofText = (name: string): Part<Dimensions> | null => {
    const value = extentsOf(entry, name);
    return value === null ? null : { value, from: 'text' };
  };
  const ofUser = (value: Dimensions | undefined): Part<Dimensions> | null => {
    return value === undefined ? null : { value, from: 'given' };
  };
  const parameters = slotsOf(entry, facts);
  const alone: Part<Dimensions> | null = facts.usesCluster ? null : { value: ONE, from: 'text' };
  return {
    module,
    entry,
    facts,
    parameters,
    supplied: withBoxes(supplied, parameters),
    block: ofUser(supplied.block) ?? ofText('reqntid') ?? ofText('maxntid') ?? ofWarps(supplied),
    cluster: ofUser(supplied.cluster) ?? ofText('reqnctapercluster') ?? alone,
    grid: ofUser(supplied.grid),
    sharedBytes: sharedOf(module, entry, supplied),
  };
}

/** Boxes by names, where they are known in the order of the maps: each map has one. */
function withBoxes(
  supplied: SuppliedParts,
  parameters: readonly SlottedParameter[],
): SuppliedParts {
  const { boxesInOrder = [], boxes } = supplied;
  const maps = slotsIn({ parameters }).filter(
    ({ kind }) => kind === 'map' || kind === 'pointer to a map',
  );
  if (boxesInOrder.length !== maps.length) return supplied;
  const own = maps.flatMap(({ name }, at) => {
    const bytes = boxes.get(name) ?? boxesInOrder[at] ?? null;
    return bytes === null ? [] : [[name, bytes] as const];
  });
  return { ...supplied, boxes: new Map(own) };
}

/** A block by its warps. */
function ofWarps({ warps }: SuppliedParts): Part<Dimensions> | null {
  return warps === undefined ? null : { value: [32 * warps, 1, 1], from: 'given' };
}

/** Dynamic shared memory: with less than the most, right kernels are refused. */
function sharedOf(module: PtxModule, entry: PtxFunction, supplied: SuppliedParts): Part<number> {
  if (supplied.sharedBytes !== undefined) return { value: supplied.sharedBytes, from: 'given' };
  const isDynamic = sharedVariables(module, entry).some(({ size }) => size === 0);
  if (!isDynamic) return { value: 0, from: 'text' };
  const value = Math.max(0, sharedLimit(module.target) - staticShared(module, entry));
  return { value, from: 'bound' };
}

/** All values of a skeleton. */
export function slotsIn({ parameters }: Pick<Skeleton, 'parameters'>): Slot[] {
  return parameters.flatMap(({ slots }) => slots);
}

/** Clusters of a grid in x, unless it is supplied; 2 blocks along the other axes that are read. */
const CLUSTERS = 8;

/** The grid of a cluster: a single one where all of them would do the same. */
export function gridOf({ grid, facts }: Skeleton, cluster: Dimensions): Dimensions {
  if (grid !== null) return grid.value;
  if (!facts.hasDifferentBlocks) return cluster;
  const along = (axis: string): number => (facts.flows.specials.has(`%ctaid.${axis}`) ? 2 : 1);
  return [CLUSTERS * cluster[0], along('y') * cluster[1], along('z') * cluster[2]];
}

const FLOATS: Readonly<Record<number, string>> = { 2: 'f16', 4: 'f32', 8: 'f64' };

/** The entry of a value in `params`. */
function entryOf(
  slot: Slot,
  { supplied }: Skeleton,
  { values, contents }: Pick<LaunchChoice, 'values' | 'contents'>,
): object {
  const { name, bytes, kind } = slot;
  const boxBytes = supplied.boxes.get(name);
  const box = boxBytes === undefined ? {} : { boxBytes };
  const int32 = contents?.get(name) ?? supplied.contents.get(name);
  switch (kind) {
    case 'map':
      return { kind: 'tensormap', name, ...box };
    case 'pointer to a map':
      return { kind: 'pointer', name, content: 'tensormap', ...box };
    case 'pointer':
      return { kind: 'pointer', name, ...(int32 === undefined ? {} : { int32 }) };
    case 'float':
      return { kind: 'scalar', name, type: FLOATS[bytes] ?? 'f32', value: values.get(name) ?? 1 };
    case 'number':
      return { kind: 'scalar', name, type: `i${bytes * 8}`, value: values.get(name) ?? 0 };
  }
}

/** The document of a launch, version 1 of the format. */
export function launchDocument(skeleton: Skeleton, choice: LaunchChoice): object {
  const { entry, supplied, sharedBytes } = skeleton;
  const { block, cluster } = choice;
  return {
    kernel: entry.name,
    grid: gridOf(skeleton, cluster),
    block,
    cluster,
    dynamicSharedMemory: sharedBytes.value,
    ...(volume(cluster) > 8 ? { nonPortableCluster: true } : {}),
    ...(supplied.isCooperative === true ? { cooperative: true } : {}),
    ...(supplied.isProgrammatic === true ? { programmatic: true } : {}),
    params: skeleton.parameters.map(({ name, isStruct, slots }) => {
      if (!isStruct) return entryOf(slots[0]!, skeleton, choice);
      const fields = slots.map((slot) => {
        return { offset: slot.offset, ...entryOf(slot, skeleton, choice) };
      });
      return { kind: 'struct', name, fields };
    }),
  };
}
