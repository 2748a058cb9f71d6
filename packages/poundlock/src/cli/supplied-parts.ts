// Parts of a launch from the command line: for a kernel whose launch is inferred, and for the text
// of a launch file, of which they replace parts.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError, unknownName } from '@poundlock/core/internal/base';
import { atFile } from '@poundlock/core/internal/host';
import { slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import type { SuppliedParts, Skeleton } from '@poundlock/ptx/internal/infer/skeleton';
import type { Slot } from '@poundlock/ptx/internal/infer/slots';
import { parameterList } from '@poundlock/ptx/internal/launch/written';
import type { PtxFunction } from '@poundlock/ptx/internal/text/module';
import { parameterName } from '@poundlock/ptx/internal/text/names';
import type { LaunchWordParts, ParamWords } from './options/launch-parts.ts';

/** Values of a range that are tried. */
const MAX_OF_RANGE = 65;
const MAX_INTEGERS = 1 << 20;

/** The integers in a JSON file. */
function integersIn(file: string, cwd: string): number[] {
  const text = atFile(file, () => readFileSync(resolve(cwd, file), 'utf8'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError(`${file} is not JSON`);
  }
  const isList = Array.isArray(value) && value.length <= MAX_INTEGERS;
  const isWord = (each: unknown): each is number =>
    typeof each === 'number' && Number.isInteger(each) && each >= -(2 ** 31) && each < 2 ** 32;
  if (!isList || !(value as unknown[]).every(isWord))
    throw new InputError(`${file} has to be an array of 32-bit integers`);
  return value as number[];
}

/** The values of a range: all of a short one, else its ends and what the text compares with. */
function valuesOf(words: Exclude<ParamWords, { kind: 'file' }>, slot: Slot): number[] {
  if (words.kind === 'numbers') return [...words.values];
  const { from, to } = words;
  if (to - from < MAX_OF_RANGE) {
    const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return [Math.min(to, Math.max(from, 17)), ...all];
  }
  const { thresholds, widths } = slot.facts;
  const near = [...thresholds, ...widths].flatMap(({ value }) => [value - 1, value, value + 1]);
  const all = [512, 768, from, to, from + 1, from + 2, from + 3, from + 5, from + 7, ...near];
  return [...new Set(all)].filter((each) => each >= from && each <= to).slice(0, MAX_OF_RANGE);
}

/** The value that a name or a number means. */
function slotNamed(name: string, skeleton: Pick<Skeleton, 'parameters' | 'entry'>): Slot {
  const slots = slotsIn(skeleton);
  const found = slots.find((slot) => slot.name === name);
  if (found !== undefined) return found;
  const place = /^(\d+)(?:\+(\d+))?$/.exec(name);
  const numbered = slots.find(({ parameter, offset }) => {
    return parameter === Number(place?.[1] ?? -1) && offset === Number(place?.[2] ?? 0);
  });
  if (numbered !== undefined) return numbered;
  const unknown =
    unknownName(
      [name],
      slots.map((slot) => slot.name),
    ) ?? name;
  throw new InputError(
    `--param ${name}: the kernel has ${unknown} (${parameterList(skeleton.entry)})`,
  );
}

/** What is supplied of a launch that is inferred, by the names of its values. */
export function suppliedOf(
  parts: LaunchWordParts,
  facts: SuppliedParts,
  skeleton: Skeleton,
  cwd: string,
): SuppliedParts {
  const values = new Map(facts.values);
  const contents = new Map(facts.contents);
  for (const [name, words] of parts.params) {
    const slot = slotNamed(name, skeleton);
    const isNumber = slot.kind === 'number' || slot.kind === 'float';
    if (words.kind === 'file') {
      if (slot.kind !== 'pointer')
        throw new InputError(`--param ${name}: it is a ${slot.kind}, not a pointer`);
      contents.set(slot.name, integersIn(words.file, cwd));
    } else if (isNumber) values.set(slot.name, valuesOf(words, slot));
    else
      throw new InputError(
        `--param ${name}: it is a ${slot.kind}: give its contents as @FILE.json`,
      );
  }
  const { grid, block, cluster, sharedBytes } = parts;
  return {
    ...facts,
    ...(grid === undefined ? {} : { grid }),
    ...(block === undefined ? {} : { block }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(sharedBytes === undefined ? {} : { sharedBytes, isOfCompiler: false }),
    values,
    contents,
  };
}

/** An object of a JSON document. */
type Json = Record<string, unknown>;

/** A launch file with parts replaced. */
export function patchedLaunch(
  text: string,
  parts: LaunchWordParts,
  entry: PtxFunction,
  cwd: string,
): string {
  const document = JSON.parse(text) as Json;
  const launches = Array.isArray(document['launches'])
    ? (document['launches'] as Json[])
    : [document];
  const { grid, block, cluster, sharedBytes, params } = parts;
  for (const launch of launches) {
    const sizes = { grid, block, cluster, dynamicSharedMemory: sharedBytes };
    const origin = launch['origin'] as Json | undefined;
    for (const [part, value] of Object.entries(sizes)) {
      if (value === undefined) continue;
      launch[part] = value;
      if (origin !== undefined) origin[part] = 'given';
    }
    for (const [name, words] of params) {
      const found = paramNamed(launch, name, entry);
      if (found === null)
        throw new InputError(
          `--param ${name}: there is none of that name (${parameterList(entry)})`,
        );
      replace(found, name, words, cwd);
    }
  }
  return JSON.stringify(document);
}

/** The entry of a parameter, or of a field of one. */
function paramNamed(launch: Json, name: string, entry: PtxFunction): Json | null {
  const key = Array.isArray(launch['parameters']) ? 'parameters' : 'params';
  const list = (Array.isArray(launch[key]) ? launch[key] : []) as Json[];
  const fields = list.flatMap((each) =>
    Array.isArray(each['fields']) ? (each['fields'] as Json[]) : [],
  );
  const own = [...list, ...fields].find((each) => each['name'] === name);
  if (own !== undefined) return own;
  const index = /^\d+$/.test(name)
    ? Number(name)
    : entry.parameters.findIndex((each) => parameterName(entry, each.name) === name);
  return list[index] ?? null;
}

function replace(param: Json, name: string, words: ParamWords, cwd: string): void {
  if (words.kind === 'file') {
    if (param['kind'] !== 'pointer')
      throw new InputError(`--param ${name}: it is no pointer of the file`);
    param['int32'] = integersIn(words.file, cwd);
    return;
  }
  const value = words.kind === 'range' ? words.to : words.values[0]!;
  if (typeof param['bytes'] === 'string' && param['kind'] === undefined) {
    param['bytes'] = hexOf(value, param['bytes'].length / 2);
    return;
  }
  if (param['kind'] !== 'scalar')
    throw new InputError(`--param ${name}: it is no scalar of the file`);
  param['value'] = value;
  delete param['vary'];
  if (words.kind === 'range') param['vary'] = { from: words.from, to: words.to };
  else if (words.values.length > 1) param['vary'] = words.values.slice(1);
}

/** An integer in the bytes of a parameter. */
function hexOf(value: number, bytes: number): string {
  const bits = BigInt.asUintN(8 * bytes, BigInt(Math.trunc(value)));
  const digits = bits.toString(16).padStart(2 * bytes, '0');
  return (digits.match(/../g) ?? []).toReversed().join('');
}
