// Reads ownership tags from documentation comments. TypeScript only recognizes tags at the start of
// a line; here `@nothrow @returnsOwned` on one line are two.
import { InputError, nearest, requireWord } from '@poundlock/core/internal/base';
import { NO_PROMISES, makeContract, type Contract, type FunctionContract } from './contract.ts';
import type { ParameterRule, ReleaseVia } from './contract.ts';

interface Tag {
  readonly name: string;
  readonly text: string;
}

const NAMES = [
  'mustRelease',
  'mustCall',
  'owned',
  'owns',
  'borrowed',
  'borrows',
  'returnsOwned',
  'returnsBorrowed',
  'returnsAlias',
  'startsObligation',
  'releaseBefore',
  'releasedWith',
  'nothrow',
  'maythrow',
  'throws',
  'never',
  'exits',
  'safeAfterRelease',
  'idempotentRelease',
  'scopeAfterRelease',
  'consumes',
  'stageHandle',
  'callsNow',
  'callsLater',
  'linear',
] as const;

/** Other spellings of tags. */
const SYNONYMS: Readonly<Record<string, string>> = { owns: 'owned', borrows: 'borrowed' };

/** A quick test for any of the known tags. */
const OURS = new RegExp(`@(${NAMES.join('|')})\\b`);

/** Tags that say how a function ends and when it calls, but nothing of a handle. */
const OF_CONTROL: ReadonlySet<string> = new Set<(typeof NAMES)[number]>([
  'nothrow',
  'maythrow',
  'throws',
  'never',
  'exits',
  'callsNow',
  'callsLater',
]);

const OF_HANDLES = new RegExp(`@(${NAMES.filter((name) => !OF_CONTROL.has(name)).join('|')})\\b`);

/** Throws unless the configured text of a declaration has known tags alone. */
export function requireTags(declaration: string, text: string): void {
  const tags = tagsIn(text);
  if (tags.length === 0) throw new InputError(`the tags of ${declaration} have no @tag`);
  for (const { name } of tags) requireWord(`a tag of ${declaration}`, name, NAMES);
}

/** A tag that is probably misspelt. */
export interface TagFault {
  readonly name: string;
  readonly message: string;
  /** Where the tag is in the text. */
  readonly index: number;
}

/** Shorter names are near to too many words. */
const MIN_NAME = 6;

/** Tags that other tools define; they are no misspelt ones of ours. */
const OTHERS =
  /^(return|returns|throw|throws|own|owner|borrow|exit|never|linear|release|callback)$/;

/** The tags of a comment that look like a known one. */
export function tagFaults(doc: string): TagFault[] {
  return [...doc.matchAll(/@([A-Za-z]+)\b/g)].flatMap(({ index, 1: name = '' }): TagFault[] => {
    if (name.length < MIN_NAME || OTHERS.test(name) || NAMES.includes(name as never)) return [];
    const meant = nearest(name, NAMES);
    if (meant === undefined || !isNear(name, meant)) return [];
    return [{ name, message: `no tag @${name}: did you mean @${meant}?`, index }];
  });
}

/** Of equal length but for a letter or two, and with the same first letter. */
function isNear(name: string, meant: string): boolean {
  const isLong = Math.abs(name.length - meant.length) <= 2 && meant.length >= MIN_NAME;
  return isLong && name[0]?.toLowerCase() === meant[0];
}

/** Whether a text contains any known tag. */
export function hasTags(text: string): boolean {
  return OURS.test(text);
}

/** Whether a text contains a tag that speaks of handles. */
export function hasHandleTags(text: string): boolean {
  return OF_HANDLES.test(text);
}

function tagsIn(doc: string): Tag[] {
  const plain = doc.replaceAll(/^[ \t]*\*/gm, '');
  return [...plain.matchAll(/@([A-Za-z]+)([^@]*)/g)].map(([, name = '', text = '']) => ({
    name: SYNONYMS[name] ?? name,
    text: text.trim(),
  }));
}

function find(tags: readonly Tag[], name: string): Tag | undefined {
  return tags.find((tag) => tag.name === name);
}

/** `close | [Symbol.dispose]`, `free, or Pool.giveBack(this)`; what is in brackets is a remark. */
function destructors(text: string): { release: string[]; via: ReleaseVia[] } {
  const release: string[] = [];
  const via: ReleaseVia[] = [];
  const [first = ''] = text.split('\n');
  for (const word of first.split(/[|,]|\bor\b/)) {
    const call = /^\s*(?:([\w$]+)\.)?([\w$]+)\(this\)/.exec(word);
    const method = /^\s*(\[Symbol\.\w+\]|[\w$#]+)/.exec(word)?.[1];
    if (call) via.push({ owner: call[1], name: call[2]!, argument: 0 });
    else if (method !== undefined) release.push(method);
  }
  return { release, via };
}

/** The contract of a type whose documentation has `@mustRelease`. */
export function contractOf(typeName: string, doc: string): Contract | undefined {
  if (!hasTags(doc)) return undefined;
  const tags = tagsIn(doc);
  const must = find(tags, 'mustRelease');
  const isCalled = must === undefined && find(tags, 'mustCall') !== undefined;
  if (must === undefined && !isCalled) return undefined;
  return makeContract({
    id: typeName,
    typeName,
    ...(must === undefined ? {} : destructors(must.text)),
    mustCall: isCalled,
    idempotent: find(tags, 'idempotentRelease') !== undefined,
    usableAfter: find(tags, 'safeAfterRelease') !== undefined,
    isStage: find(tags, 'stageHandle') !== undefined,
    isLinear: find(tags, 'linear') !== undefined,
    scopeAfterRelease: find(tags, 'scopeAfterRelease') !== undefined,
  });
}

/** `h`, `hs and all elements`, `o.handle`: the parameter and the path in it. */
function parameterRule(
  text: string,
  ownership: ParameterRule['ownership'],
): [string, ParameterRule] {
  const [name = '', ...path] = (/^[\w$.]+/.exec(text)?.[0] ?? '').split('.');
  return [name, { ownership, path: path.filter((part) => part !== '') }];
}

/** The contract in a function's documentation; in a parameter's, `''` is the parameter itself. */
export function promisesOf(doc: string): FunctionContract {
  if (!hasTags(doc)) return NO_PROMISES;
  const tags = tagsIn(doc);
  const has = (name: string): boolean => find(tags, name) !== undefined;
  const parameters = new Map<string, ParameterRule>();
  for (const { name, text } of tags) {
    if (name === 'owned' || name === 'borrowed') parameters.set(...parameterRule(text, name));
  }
  const alias = find(tags, 'returnsAlias')?.text.match(/^[\w$]+/)?.[0];
  const throws = has('nothrow') ? 'never' : has('maythrow') || has('throws') ? 'may' : undefined;
  return {
    throws,
    parameters,
    returns:
      alias !== undefined
        ? { alias }
        : has('returnsOwned')
          ? 'owned'
          : has('returnsBorrowed')
            ? 'borrowed'
            : undefined,
    mustCall: has('mustCall'),
    never: has('never'),
    exits: has('exits'),
    startsObligation: has('startsObligation'),
    safeAfterRelease: has('safeAfterRelease'),
    consumes: has('consumes'),
    releasedWith: find(tags, 'releasedWith')?.text.match(/^[\w$]+/)?.[0],
    releaseBefore: find(tags, 'releaseBefore')?.text.match(/^[\w$]+/)?.[0],
    callsNow: has('callsNow'),
    callsLater: has('callsLater'),
  };
}

/** The ownership stated in a parameter's own comment. */
export function ownershipIn(doc: string): ParameterRule['ownership'] | undefined {
  if (!hasTags(doc)) return undefined;
  if (/@own(ed|s)\b/.test(doc)) return 'owned';
  return /@borrow(ed|s)\b/.test(doc) ? 'borrowed' : undefined;
}
