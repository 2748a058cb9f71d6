// Findings in words: one sentence with the cause in it, every other party a label, and what a
// second release, a late use or a leak really does to the resource at hand.
import {
  severityOf,
  type Finding,
  type LintRule,
  type SourceLocation,
} from '@poundlock/core/internal/finding';
import type { Contract } from './contract/contract.ts';
import { isLock } from './flow/critical-section.ts';
import { excerpt, type Finding as Found } from './flow/report.ts';
import type { Place as Range } from './flow/state.ts';
import type { SourceFile } from './syntax/node.ts';

/** The line and column of an offset, from 1. */
export function positionOf(
  { text }: Pick<SourceFile, 'text'>,
  offset: number,
): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

function placeOf(range: Range, text: string): SourceLocation {
  const { file, start } = range;
  return { file: file.path, ...positionOf(file, start), text };
}

/** The rule of a finding: leaks are told apart by what they take. */
export function ruleOf({ kind, instance, cause, reason }: Found): LintRule {
  const isStage = instance?.contract.isStage === true;
  if (kind === 'leak' && isStage && instance?.status === 'pending') return 'floating-op';
  if (kind !== 'leak') return kind;
  if (isStage) return 'leaked-stage';
  if (cause !== undefined && cause.tier > 0) return 'leak-on-throw';
  return reason === 'dropped' ? 'discarded-handle' : 'leak';
}

function nameOf(contract: Contract | undefined): string {
  return contract === undefined ? 'handle' : `\`${contract.typeName}\``;
}

/** `call .close(), or bind it with using`. */
function remedy({ release, mustCall, via }: Contract): string {
  const disposable = release.find((name) => name.startsWith('[Symbol.'));
  const methods = release.filter((name) => !name.startsWith('['));
  const binding = disposable?.includes('async') ? '`await using`' : '`using`';
  const ways = methods.map((name) => `\`.${name}()\``);
  ways.push(
    ...via.map(({ owner, name }) => `\`${owner === undefined ? '' : `${owner}.`}${name}(…)\``),
  );
  if (ways.length === 0 && !mustCall) ways.push(`\`${release[0] ?? 'release'}\``);
  const named = ways.length === 0 ? [] : [`with ${ways.slice(0, 3).join(' or ')}`];
  const how = mustCall ? [...named, 'by calling it'] : named;
  const call = `release it ${how.join(' or ')} in \`finally\``;
  return disposable === undefined ? call : `${call}, or bind it with ${binding}`;
}

interface Wording {
  readonly message: string;
  readonly text: string;
  readonly labels: readonly SourceLocation[];
  readonly notes: readonly string[];
  readonly helps: readonly string[];
}

function quoted(range: Range): string {
  return `\`${excerpt(range)}\``;
}

function leakWords(found: Found): Wording {
  const { instance, cause, reason } = found;
  const contract = instance?.contract;
  const type = nameOf(contract);
  const here = quoted(found);
  const notes = contract?.leakEffect ? [`what leaks: ${contract.leakEffect}`] : [];
  const helps = contract === undefined ? [] : [remedy(contract)];
  const labels: SourceLocation[] = [];
  if (cause !== undefined) {
    const end = endOfLine(cause.file, cause.start);
    labels.push(placeOf({ file: cause.file, start: cause.start, end }, `this ${cause.what}`));
  }
  const words = { labels, notes, helps, text: `${type} from here is never released` };
  switch (reason) {
    case 'dropped':
      if (contract?.receiverRelease.length) return lockWords(words, found, contract);
      return {
        ...words,
        message: `the ${type} of ${here} is dropped at once: nothing can release it`,
        text: 'nothing holds what this returns',
        helps: [],
      };
    case 'overwritten':
      return {
        ...words,
        message: `${here} is given another value while it holds a ${type} that was not released`,
        text: 'what was here before is lost',
      };
    case 'not-chained':
      return {
        ...words,
        message: `${here} does not call the method that it overrides, which releases a ${type}`,
        text: 'overrides a method that releases a field',
        helps: [`call \`super.${excerpt(found)}()\``],
      };
    case 'never-released-field':
      return {
        ...words,
        message: `no method of its class releases the ${type} in the field filled by ${here}`,
        helps: ['release it in the method that ends the life of the object'],
      };
    default:
  }
  if (cause === undefined) {
    const message = `the ${type} of ${here} is not released on every path`;
    if (found.other !== undefined) labels.push(placeOf(found.other, 'this way out loses it'));
    return { ...words, message, text: 'there is a way on from here that never releases it' };
  }
  const when = cause.tier === 0 ? 'an exception is thrown' : `something in between ${cause.what}`;
  const plain = when
    .replace(/ here$/, '')
    .replace('may be', 'is')
    .replace('may throw', 'throws');
  const message = `the ${type} of ${here} is not released when ${plain}`;
  return { ...words, message, text: `${type} from here is then never released` };
}

/** What `lock.acquire()` takes, `lock.release()` gives back; its result is only one way more. */
function lockWords(words: Omit<Wording, 'message'>, found: Found, contract: Contract): Wording {
  const receiver = /^(.*\.)[^.]*\(/s.exec(excerpt(found))?.[1] ?? '';
  const release = `\`${receiver}${contract.receiverRelease[0]}()\``;
  return {
    ...words,
    message: `${quoted(found)} is not followed by ${release} on every path`,
    text: 'what this takes is then never given back',
    helps: [`call ${release} in \`finally\``],
  };
}

function endOfLine({ text }: SourceFile, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function releaseWords(found: Found): Wording {
  const { instance, other, reason } = found;
  const contract = instance?.contract;
  const type = nameOf(contract);
  const effect = contract?.doubleRelease;
  // Whoever was given it is the one who meets the consequences.
  const notes = effect && reason !== 'given' ? [`a second release: ${effect}`] : [];
  const labels = other === undefined ? [] : [placeOf(other, earlier(reason))];
  const why: Partial<Record<NonNullable<Found['reason']>, string>> = {
    borrowed: `${quoted(found)} releases a ${type} that is only lent here`,
    given: `${quoted(found)} releases a ${type} that was given to another owner`,
    scoped: `${quoted(found)} releases a ${type} that the end of its scope releases again`,
  };
  const message =
    why[reason ?? 'parameter'] ?? `${quoted(found)} releases a ${type} for a second time`;
  return { message, text: 'released here', labels, notes, helps: [] };
}

function earlier(reason: Found['reason']): string {
  if (reason === 'given') return 'given away here';
  return reason === 'scoped' ? 'bound to its scope here' : 'released here before';
}

function useWords(found: Found): Wording {
  const { instance, other, reason } = found;
  const contract = instance?.contract;
  const type = nameOf(contract);
  const notes = contract?.useAfterRelease ? [`a late use: ${contract.useAfterRelease}`] : [];
  const labels =
    other === undefined
      ? []
      : [placeOf(other, reason === 'given' ? 'given away here' : 'released here')];
  const here = quoted(found);
  switch (reason) {
    case 'pending':
      if (instance !== undefined && isLock(instance)) {
        return {
          message: `the promise of ${here} goes on after its ${type} is given back`,
          text: 'not awaited before the release',
          labels,
          notes: ['what goes on then is not locked any more'],
          helps: ['`await` it before the release'],
        };
      }
      return {
        message: `the promise of ${here} still uses a ${type} that is released before it settles`,
        text: 'not awaited before the release',
        labels,
        notes,
        helps: ['`await` it before the release'],
      };
    case 'late-closure':
      return {
        message: `${here} runs later, when its ${type} is released`,
        text: 'used by a function that runs later',
        labels,
        notes,
        helps: [],
      };
    default: {
      const after = reason === 'given' ? 'it was given away' : 'its release';
      return {
        message: `${here} uses a ${type} after ${after}`,
        text: 'used here',
        labels,
        notes,
        helps: [],
      };
    }
  }
}

function escapeWords(found: Found): Wording {
  const { instance, other, reason } = found;
  const type = nameOf(instance?.contract);
  const labels = other === undefined ? [] : [placeOf(other, 'released at the end of this scope')];
  if (reason === 'pending') {
    return {
      message: `the promise of ${quoted(found)} uses a ${type} beyond the scope that releases it`,
      text: 'not awaited in the scope',
      labels,
      notes: [],
      helps: ['`await` it before it is returned'],
    };
  }
  return {
    message: `a ${type} leaves the scope that releases it, by ${quoted(found)}`,
    text: 'leaves its scope here',
    labels,
    notes: [],
    helps: [],
  };
}

function orderWords(found: Found): Wording {
  const { instance, other } = found;
  return {
    message: `${quoted(found)} ends what a living ${nameOf(instance?.contract)} depends on`,
    text: 'released too early',
    labels: other === undefined ? [] : [placeOf(other, 'still alive')],
    notes: [],
    helps: ['release the inner one first'],
  };
}

/** A finding about a place alone. */
function plainWords(message: string, text: string, ...helps: string[]): Wording {
  return { message, text, labels: [], notes: [], helps };
}

/** The wait for a stage was started and nothing waits for its result. */
function floatingWords(found: Found): Wording {
  if (found.kind === 'leak') return leakWords(found);
  const message = `the operation of ${quoted(found)} is never performed`;
  return plainWords(message, 'made here, and not yielded', 'write `yield*` before it');
}

function captureWords(found: Found): Wording {
  const message = `${quoted(found)} changes a variable from outside the round`;
  const text = 'lost when the engine restores the round';
  return plainWords(message, text, 'carry it in the state of the loop');
}

function nondeterminismWords(found: Found): Wording {
  const message = `${quoted(found)} makes a role depend on more than its answers`;
  return plainWords(message, 'differs from run to run');
}

function awaitWords(): Wording {
  return plainWords('a role waits for a promise, which no engine sees', 'awaited here');
}

const WORDINGS = {
  leak: leakWords,
  'leak-on-throw': leakWords,
  'discarded-handle': leakWords,
  'leaked-stage': leakWords,
  'double-release': releaseWords,
  'use-after-release': useWords,
  'escaping-handle': escapeWords,
  'release-order': orderWords,
  'floating-op': floatingWords,
  'loop-captures': captureWords,
  'nondeterministic-role': nondeterminismWords,
  'await-in-role': awaitWords,
} satisfies Readonly<Record<LintRule, (found: Found) => Wording>>;

/** A finding as the reports show it; files are named by their paths. */
export function inWords(found: Found): Finding {
  const rule = ruleOf(found);
  const { message, text, labels, notes, helps } = WORDINGS[rule](found);
  // What only an unknown call could cause is likely, not certain.
  const severity = found.cause?.tier === 2 ? 'warning' : severityOf(rule);
  return { rule, severity, message, primary: placeOf(found, text), labels, notes, helps };
}
