// Finds words that names, messages, comments and documentation must not contain: private English.
import { basename } from 'node:path';
import { faultAt, type Fault, type Source } from './source.ts';

/** Words that no file name and no identifier may contain. */
const NAME_WORDS = new Set(
  [
    'told tell tells asked asks asking whoever nobody somebody everybody someone anybody doomed',
    'mood moods thing things made given said lent kept heir heirs fate fates twin twins hears heard',
  ]
    .join(' ')
    .split(' '),
);

/** Words that are also banned in messages, comments and documentation, where they have a synonym. */
const TEXT_WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(told|tells)\b/i, 'report, show'],
  [/\b(whoever|nobody|somebody|everybody|anybody)\b/i, 'the thing as subject'],
  [/\b(doomed|moods?|heirs?|fates?)\b/i, 'the standard term'],
  [/\blent\b/i, 'borrowed'],
  [/\bhears\b/i, 'is notified, receives'],
  [/\b(stands?|stood) still\b/i, 'stall'],
  [/\bmend(s|ed)?\b/i, 'fix'],
  [/\bto the last bit\b/i, 'bit-identical'],
  [/\bwithout wit\b/i, 'unoptimized'],
  [/\btaken for alike\b/i, 'treated as equal'],
  [/\b(analys(e|ed|ing)|behaviours?|colours?|labell(ed|ing)|cancell(ed|ing))\b/i, 'US spelling'],
  [/\b(initiali|finali|recogni|speciali|optimi|summari|seriali)s(e|es|ed|ing)\b/i, 'US spelling'],
];

/** Words that no file name and no exported name may contain, and the standard term. */
const TERMS: Readonly<Record<string, string>> = {
  apart: 'independent, divergent',
  beside: 'what it is compared with',
  doubt: 'may-access',
  dull: 'reference, naive',
  fibers: 'divergent lane groups',
  leftovers: 'final-state warnings',
  mended: 'fixed',
  overseer: 'watchdog',
  patience: 'adaptive spin',
  performer: 'executor',
  plays: 'emits',
  retold: 'the thing that it becomes',
  shade: 'affine value',
  shaded: 'affine value',
  sightings: 'violations',
  strangers: 'outliers',
  surroundings: 'environment, neighborhood',
  ways: 'paths',
};

/** Words that name nothing if they are all of a name. */
const EMPTY_NAMES = new Set('all each found known least most one other own rest'.split(' '));

/** Words that names still contain; this list only gets shorter. */
const PENDING_WORDS = new Set(
  'apart beside dull leftovers most overseer own surroundings ways'.split(' '),
);

/** The words of `camelCase`, `PascalCase`, `UPPER_CASE` and `kebab-case` names, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

function bannedIn(name: string): string | undefined {
  return wordsOf(name).find((word) => NAME_WORDS.has(word));
}

/** The banned words in a file's name. */
export function fileNameFaults(path: string): Fault[] {
  const word = bannedIn(basename(path));
  return word === undefined ? [] : [`${path}:1 the file name contains '${word}'`];
}

/** The banned words in the identifiers of a source file. */
export function identifierFaults(file: Source): Fault[] {
  return [...file.code.matchAll(/[A-Za-z$_][\w$]*/g)].flatMap((match) => {
    const word = bannedIn(match[0]);
    return word === undefined
      ? []
      : [faultAt(file, match.index, `the identifier ${match[0]} contains '${word}'`)];
  });
}

const EXPORTED =
  /\bexport\s+(?:\w+\s+)*?(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/g;

function withoutTerm(name: string): string | undefined {
  const words = wordsOf(name).filter((word) => !PENDING_WORDS.has(word));
  const word = words.find((each) => Object.hasOwn(TERMS, each));
  if (word !== undefined) return `contains '${word}': write ${TERMS[word]}`;
  const isEmpty = wordsOf(name).length === 1 && words.some((each) => EMPTY_NAMES.has(each));
  return isEmpty ? 'says nothing' : undefined;
}

/** File names and exported names that have a standard term, or say nothing. */
export function termFaults(file: Source): Fault[] {
  const inName = withoutTerm(basename(file.path).replace(/\..*$/, ''));
  const inExports = [...file.code.matchAll(EXPORTED)].flatMap(({ index, 1: name = '' }) => {
    const fault = withoutTerm(name);
    return fault === undefined ? [] : [faultAt(file, index, `the export ${name} ${fault}`)];
  });
  return inName === undefined
    ? inExports
    : [`${file.path}:1 the file name ${inName}`, ...inExports];
}

/** The banned words in the text of a file: messages, comments, documentation. */
export function textFaults(file: Source): Fault[] {
  return TEXT_WORDS.flatMap(([pattern, instead]) => {
    const all = new RegExp(pattern, 'gi');
    return [...file.text.matchAll(all)].map((match) =>
      faultAt(file, match.index, `'${match[0]}': write ${instead}`),
    );
  });
}
