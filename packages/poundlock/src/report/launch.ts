// The launch of a verdict in words: what a certificate claims, and what the launch has to be.
import { grouped, rangesOf } from '@poundlock/core/internal/base';
import type { LaunchScope, LaunchSize, TriedPart } from '@poundlock/core/internal/finding';

const FROM: ReadonlyMap<LaunchSize['from'], string> = new Map([
  ['text', ' by the text'],
  ['solved', ', the only one that fits'],
  ['tried', ' tried'],
]);

function sizeText({ value: [x, y, z] }: LaunchSize): string {
  if (z > 1) return `${x}x${y}x${z}`;
  return y > 1 ? `${x}x${y}` : String(x);
}

/** Values in order: numbers as ranges. */
function valuesText({ values }: TriedPart): string {
  const numbers = values.filter((each) => typeof each === 'number');
  if (numbers.length < values.length) return values.join(', ');
  return rangesOf(numbers.toSorted((a, b) => a - b));
}

function partText(scope: LaunchScope, part: 'block' | 'cluster'): string {
  const tried = scope.tried.find(({ what }) => what === part);
  const { from } = scope[part];
  if (tried !== undefined && tried.values.length > 1)
    return `${part} ${tried.values.join(', ')} tried`;
  return `${part} ${sizeText(scope[part])}${FROM.get(from) ?? ''}`;
}

/** `block 64 by the text; tiles = 0–5, 512 and 768, one at a time; grid 8`. */
export function launchText(scope: LaunchScope, isCertified: boolean): string {
  const { grid, cluster, params, tried } = scope;
  const isCluster = cluster.value.some((size) => size > 1) || cluster.from === 'tried';
  const numbers = params.flatMap(({ name, kind, from, value }) => {
    const list = tried.find(({ what }) => what === name);
    if (list !== undefined && isCertified) return [`${name} = ${valuesText(list)}`];
    const isShown = kind === 'number' && (from === 'given' || !isCertified);
    return isShown && value !== undefined ? [`${name}=${value}`] : [];
  });
  return [
    partText(scope, 'block'),
    ...(numbers.length === 0 ? [] : [numbers.join(', ')]),
    `grid ${sizeText(grid)}`,
    ...(isCluster ? [partText(scope, 'cluster')] : []),
  ].join('; ');
}

/** What a reader has to know of a launch that was inferred, a sentence each. */
export function launchNotes(
  { from, tried, preconditions, needs, params }: LaunchScope,
  isCertified: boolean,
): string[] {
  if (from !== 'inferred') return [];
  const number = params.find(({ kind }) => kind === 'number');
  const example = number === undefined ? '--block 128' : `--param ${number.name}=4096`;
  const isTried = tried.some(({ values }) => values.length > 1);
  return [
    ...(isTried && isCertified
      ? [
          `these launches were tried, not given: name yours with ${example}, or write them down ` +
            'with `poundlock launch`',
        ]
      : []),
    ...preconditions,
    ...(needs.sharedMemory > 0
      ? [`needs ${grouped(needs.sharedMemory)} B of dynamic shared memory`]
      : []),
  ];
}
