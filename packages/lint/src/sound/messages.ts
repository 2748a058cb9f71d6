// Renders refusals of the calculus as findings: a sentence, the place of the handle, and what to
// write so that the proof goes on.
import type { At } from '../calculus/core.ts';
import type { Refusal, Wrong } from '../calculus/rules.ts';
import type { LintRule, SourceLocation } from '@poundlock/core/internal/finding';
import { excerpt } from '../flow/report.ts';
import type { LintFinding } from '../lint.ts';
import { positionOf } from '../messages.ts';
import type { SourceFile } from '../syntax/node.ts';

const RULES = {
  leak: 'leak',
  'double-release': 'double-release',
  'use-after-release': 'use-after-release',
  escape: 'escaping-handle',
  order: 'release-order',
  refused: 'refused',
  bound: 'refused',
} as const satisfies Readonly<Record<Wrong, LintRule>>;

/** A callee without a body gets a handle. */
export const NO_OWNER = 'no tag says who owns it afterwards';
/** A callee without a body gets a function. */
export const NO_TIMES = 'it is unknown how often it is called';

/** What to do about a refusal that nothing else explains. */
const HELPS: Readonly<Record<string, string>> = {
  [NO_OWNER]:
    'tag the parameter of the callee with `@owned` or `@borrowed`; in an overlay for a package',
  'who owns it afterwards':
    'write `/** @owned */` or `/** @borrowed */` in the type of the function',
  [NO_TIMES]: 'tag the callee with `@callsNow` or `@callsLater`',
  'stored where no code is seen to release it': 'keep it in a field of a class that releases it',
  'a list of the module, which no code is seen to empty':
    'keep it in a field of a class that releases it',
  'too many situations': 'split the function',
  'the function is refused itself': 'see what is refused in the function',
  'released while a promise uses it': '`await` the promise before the release',
  'never awaited': '`await` the promise, or return it',
  'a cast that loses what has to be released': 'remove the cast',
  'a cast to a type that has to be released': 'get the value from a function with a signature',
};

const DEFAULT_HELPS = {
  leak: 'bind it with `using`, or release it in `finally`: every call without `@nothrow` may throw',
  'double-release': 'release it once, by its owner',
  'use-after-release': 'use it before its release, or copy what is needed',
  escape: 'copy what is needed, or move the handle out of its scope',
  order: 'release the dependent handle first',
  refused: 'write it in a way that shows the owner',
  bound: 'split the function',
} as const satisfies Readonly<Record<Wrong, string>>;

/** Where a finding is shown: a leak at the handle, anything else where it happens. */
export function placeOfRefusal({ wrong, at, origin }: Refusal, file: SourceFile): At {
  if (wrong === 'leak' && origin?.file === file) return origin;
  return at.file === file ? at : (origin ?? at);
}

/** The finding of a refusal. */
export function findingOf(refusal: Refusal, file: SourceFile): LintFinding {
  const { wrong, why, at, origin } = refusal;
  const place = placeOfRefusal(refusal, file);
  const here = `\`${excerpt({ file, start: place.start, end: place.end })}\``;
  const other = place === at ? origin : at;
  const labels =
    other?.file === file && other.start !== place.start ? [label(file, other, place === at)] : [];
  return {
    rule: RULES[wrong],
    severity: 'error',
    message: sentence(wrong, why, here),
    primary: location(file, place, SHOWN[wrong]),
    labels,
    notes: [],
    helps: [HELPS[why] ?? DEFAULT_HELPS[wrong]],
    fixes: [],
  };
}

const SHOWN = {
  leak: 'not released on some path from here',
  'double-release': 'released here',
  'use-after-release': 'used here',
  escape: 'escapes here',
  order: 'released too early',
  refused: 'not shown',
  bound: 'too many situations',
} as const satisfies Readonly<Record<Wrong, string>>;

function sentence(wrong: Wrong, why: string, here: string): string {
  switch (wrong) {
    case 'leak':
      return `what ${here} gives is not released on every path`;
    case 'double-release':
      return `${here} releases what is not owned here any more: ${why}`;
    case 'use-after-release':
      return `${here} uses a handle after its release: ${why}`;
    case 'escape':
      return `${here} lets a handle outlive its release: ${why}`;
    case 'order':
      return `${here} releases what a live handle depends on`;
    case 'refused':
    case 'bound':
      return `no proof of ${here}: ${why}`;
  }
}

function label(file: SourceFile, at: At, isOrigin: boolean): SourceLocation {
  return location(file, at, isOrigin ? 'the handle is from here' : 'lost here');
}

function location(file: SourceFile, { start }: At, text: string): SourceLocation {
  return { file: file.path, ...positionOf(file, start), text };
}
