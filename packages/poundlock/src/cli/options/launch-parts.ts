// `--grid`, `--block`, `--cluster`, `--smem` and `--param`: parts of a launch on the command line.
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';
import { readCount } from './amount.ts';
import { assignment } from './assignment.ts';

/** The words of one `--param`: a list of numbers, a range of them, or a file of integers. */
export type ParamWords =
  | { readonly kind: 'numbers'; readonly values: readonly number[] }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'file'; readonly file: string };

/** The parts of a launch that the command line gives. */
export interface LaunchWordParts {
  readonly grid?: Dimensions;
  readonly block?: Dimensions;
  readonly cluster?: Dimensions;
  readonly sharedBytes?: number;
  /** By the name or the number of a parameter. */
  readonly params: ReadonlyMap<string, ParamWords>;
}

/** The arguments as the command line has them. */
export interface LaunchPartWords {
  readonly grid?: string;
  readonly block?: string;
  readonly cluster?: string;
  readonly smem?: string;
  readonly param?: readonly string[];
}

const SHAPE = 'NAME=VALUE, NAME=1,2,3, NAME=0..64 or NAME=@FILE.json';
const NUMBER = /^-?\d[\d_]*(?:\.\d+)?$/;
const RANGE = /^(-?\d+)\.\.(-?\d+)$/;

/** `8`, `8,1`, `16x16`: one to three sizes. */
function readSizes(option: string, text: string): Dimensions {
  const sizes = text.split(/[,x]/).map((each) => readCount(option, each.trim()));
  if (sizes.length > 3) throw new InputError(`${option} ${text}: one to three numbers`);
  return [sizes[0]!, sizes[1] ?? 1, sizes[2] ?? 1];
}

function readParam(text: string): readonly [string, ParamWords] {
  const [name, value] = assignment('--param', text, SHAPE);
  if (value.startsWith('@')) return [name, { kind: 'file', file: value.slice(1) }];
  const range = RANGE.exec(value);
  if (range !== null) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (from > to) throw new InputError(`--param ${text} has no values: ${from} is above ${to}`);
    return [name, { kind: 'range', from, to }];
  }
  const words = value.split(',').map((each) => each.trim());
  const wrong = words.find((each) => !NUMBER.test(each));
  if (wrong !== undefined) throw new InputError(`--param ${text}: write it as ${SHAPE}`);
  const values = words.map((each) => Number(each.replaceAll('_', '')));
  return [name, { kind: 'numbers', values: [...new Set(values)] }];
}

/** Reads the options. */
export function readLaunchParts(words: LaunchPartWords): LaunchWordParts {
  const { grid, block, cluster, smem, param = [] } = words;
  const params = new Map<string, ParamWords>();
  for (const text of param) {
    const [name, value] = readParam(text);
    const before = params.get(name);
    if (before !== undefined && !(before.kind === 'numbers' && value.kind === 'numbers'))
      throw new InputError(`--param gives ${name} twice`);
    const values =
      before?.kind === 'numbers' && value.kind === 'numbers'
        ? [...before.values, ...value.values]
        : null;
    params.set(name, values === null ? value : { kind: 'numbers', values });
  }
  return {
    ...(grid === undefined ? {} : { grid: readSizes('--grid', grid) }),
    ...(block === undefined ? {} : { block: readSizes('--block', block) }),
    ...(cluster === undefined ? {} : { cluster: readSizes('--cluster', cluster) }),
    ...(smem === undefined ? {} : { sharedBytes: readCount('--smem', smem, 0) }),
    params,
  };
}

/** The words of the command line that give these parts again. */
export function partWords(parts: LaunchWordParts): string[] {
  const { grid, block, cluster, sharedBytes, params } = parts;
  const size = (flag: string, value: Dimensions | undefined): string[] => {
    return value === undefined ? [] : [flag, value.join(',').replace(/(?:,1)+$/, '')];
  };
  return [
    ...size('--grid', grid),
    ...size('--block', block),
    ...size('--cluster', cluster),
    ...(sharedBytes === undefined ? [] : ['--smem', String(sharedBytes)]),
    ...[...params].flatMap(([name, words]) => ['--param', `${name}=${paramText(words)}`]),
  ];
}

function paramText(words: ParamWords): string {
  if (words.kind === 'file') return `@${words.file}`;
  return words.kind === 'range' ? `${words.from}..${words.to}` : words.values.join(',');
}

/** Whether nothing is given. */
export function isEmpty({ grid, block, cluster, sharedBytes, params }: LaunchWordParts): boolean {
  const sizes = [grid, block, cluster, sharedBytes];
  return params.size === 0 && sizes.every((each) => each === undefined);
}

/** The choice that leads to the launch of a result again. */
export function repeatedLaunch<Choice extends { readonly parts?: LaunchWordParts }>(
  { launch }: CheckResult,
  chosen: Choice,
): Choice {
  if (launch === undefined) return chosen;
  const { block, cluster, params: list } = launch;
  const params = new Map(chosen.parts?.params);
  // A number that a user gave stays as it was written: by its name or its place.
  const isFixed = [...params.values()].every(
    (words) => words.kind !== 'range' && (words.kind === 'file' || words.values.length === 1),
  );
  for (const { name, kind, from, value } of list)
    if (kind === 'number' && value !== undefined && !(isFixed && from === 'given'))
      params.set(name, { kind: 'numbers', values: [value] });
  const parts: LaunchWordParts = {
    ...chosen.parts,
    ...(block.from === 'text' ? {} : { block: block.value }),
    ...(cluster.from === 'text' ? {} : { cluster: cluster.value }),
    params,
  };
  return { ...chosen, parts };
}
