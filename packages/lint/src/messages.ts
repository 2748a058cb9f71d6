// Renders findings as messages: a sentence with the cause, labels for related places, and notes on
// the effect of a leak, a second release or a late use of the resource.
import {
  severityOf,
  type Finding,
  type LintRule,
  type SourceLocation,
} from '@poundlock/core/internal/finding';
import type { Contract } from './contract/contract.ts';
import { isLock } from './flow/critical-section.ts';
import { excerpt, type FlowFinding } from './flow/report.ts';
import type { SourceRange } from './flow/state.ts';
import type { SourceFile } from './syntax/node.ts';

/** The line and column of an offset, from 1. */
export function positionOf(
  { text }: Pick<SourceFile, 'text'>,
  offset: number,
): { line: number; column: number } {
  let line = 1;
  let start = 0;
  let end = text.indexOf('\n');
  while (end !== -1 && end < offset) {
    line++;
    start = end + 1;
    end = text.indexOf('\n', start);
  }
  return { line, column: offset - start + 1 };
}

function placeOf(range: SourceRange, text: string): SourceLocation {
  const { file, start } = range;
  return { file: file.path, ...positionOf(file, start), text };
}

/** The rules of the default tier. */
type FlowRule = Exclude<LintRule, 'refused'>;

/** The rule of a finding; leaks are divided by their cause. */
export function ruleOf({ kind, instance, cause, reason }: FlowFinding): FlowRule {
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
export function remedy({ release, mustCall, via }: Contract, allowsUsing: boolean): string {
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
  return disposable === undefined || !allowsUsing ? call : `${call}, or bind it with ${binding}`;
}

interface Message {
  readonly message: string;
  readonly text: string;
  readonly labels: readonly SourceLocation[];
  readonly notes: readonly string[];
  readonly helps: readonly string[];
}

function quoted(range: SourceRange): string {
  return `\`${excerpt(range)}\``;
}

function leakMessage(finding: FlowFinding): Message {
  const { instance, cause, reason } = finding;
  const contract = instance?.contract;
  const type = nameOf(contract);
  const here = quoted(finding);
  const notes = contract?.leakEffect ? [`what leaks: ${contract.leakEffect}`] : [];
  const helps = contract === undefined ? [] : [remedy(contract, finding.file.allowsUsing())];
  const labels: SourceLocation[] = [];
  if (cause !== undefined) {
    const end = endOfLine(cause.file, cause.start);
    labels.push(placeOf({ file: cause.file, start: cause.start, end }, `this ${cause.what}`));
  }
  const common = { labels, notes, helps, text: `${type} from here is never released` };
  switch (reason) {
    case 'dropped':
      if (contract?.receiverRelease.length) return lockMessage(common, finding, contract);
      return {
        ...common,
        message: `the ${type} of ${here} is discarded: nothing can release it`,
        text: 'the returned handle is not stored',
        helps: [],
      };
    case 'overwritten':
      return {
        ...common,
        message: `${here} is overwritten while it holds a ${type} that was not released`,
        text: 'the previous handle is lost here',
      };
    case 'not-chained':
      return {
        ...common,
        message: `${here} overrides a method that releases a ${type} and does not call it`,
        text: 'overrides a method that releases a field',
        helps: [`call \`super.${excerpt(finding)}()\``],
      };
    case 'never-released-field':
      return {
        ...common,
        message: `no method of the class releases the ${type} in the field assigned from ${here}`,
        helps: ['release it in the method that disposes of the object'],
      };
    default:
  }
  if (cause === undefined) {
    const message = `the ${type} of ${here} is not released on every path`;
    if (finding.other !== undefined) labels.push(placeOf(finding.other, 'lost on this exit'));
    return { ...common, message, text: 'a path from here never releases it' };
  }
  const when = cause.tier === 0 ? 'an exception is thrown' : `something in between ${cause.what}`;
  const plain = when
    .replace(/ here$/, '')
    .replace('may be', 'is')
    .replace('may throw', 'throws');
  const message = `the ${type} of ${here} is not released when ${plain}`;
  return { ...common, message, text: `${type} from here is then never released` };
}

/** The message for a lock, which `lock.release()` releases whatever `lock.acquire()` returned. */
function lockMessage(
  common: Omit<Message, 'message'>,
  finding: FlowFinding,
  contract: Contract,
): Message {
  const receiver = /^(.*\.)[^.]*\(/s.exec(excerpt(finding))?.[1] ?? '';
  const release = `\`${receiver}${contract.receiverRelease[0]}()\``;
  return {
    ...common,
    message: `${quoted(finding)} is not followed by ${release} on every path`,
    text: 'the lock is then never released',
    helps: [`call ${release} in \`finally\``],
  };
}

function endOfLine({ text }: SourceFile, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function releaseMessage(finding: FlowFinding): Message {
  const { instance, other, reason } = finding;
  const contract = instance?.contract;
  const type = nameOf(contract);
  const effect = contract?.doubleRelease;
  // A second release of a moved handle affects its new owner.
  const notes = effect && reason !== 'moved' ? [`a second release: ${effect}`] : [];
  const labels = other === undefined ? [] : [placeOf(other, earlier(reason))];
  const messages: Partial<Record<NonNullable<FlowFinding['reason']>, string>> = {
    borrowed: `${quoted(finding)} releases a ${type} that is only borrowed here`,
    moved: `${quoted(finding)} releases a ${type} that was moved to another owner`,
    scoped: `${quoted(finding)} releases a ${type} that the end of its scope releases again`,
  };
  const message =
    messages[reason ?? 'parameter'] ?? `${quoted(finding)} releases a ${type} for a second time`;
  return { message, text: 'released here', labels, notes, helps: [] };
}

function earlier(reason: FlowFinding['reason']): string {
  if (reason === 'moved') return 'moved here';
  return reason === 'scoped' ? 'bound to its scope here' : 'first released here';
}

function useMessage(finding: FlowFinding): Message {
  const { instance, other, reason } = finding;
  const contract = instance?.contract;
  const type = nameOf(contract);
  const notes = contract?.useAfterRelease ? [`a late use: ${contract.useAfterRelease}`] : [];
  const labels =
    other === undefined
      ? []
      : [placeOf(other, reason === 'moved' ? 'moved here' : 'released here')];
  const here = quoted(finding);
  switch (reason) {
    case 'pending':
      if (instance !== undefined && isLock(instance)) {
        return {
          message: `the promise of ${here} is still pending when its ${type} is released`,
          text: 'not awaited before the release',
          labels,
          notes: ['the rest of its work then runs without the lock'],
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
        message: `${here} runs later, after its ${type} is released`,
        text: 'used by a function that runs later',
        labels,
        notes,
        helps: [],
      };
    default: {
      const after = reason === 'moved' ? 'it was moved' : 'its release';
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

function escapeMessage(finding: FlowFinding): Message {
  const { instance, other, reason } = finding;
  const type = nameOf(instance?.contract);
  const labels = other === undefined ? [] : [placeOf(other, 'released at the end of this scope')];
  if (reason === 'pending') {
    return {
      message: `the promise of ${quoted(finding)} uses a ${type} beyond the scope that releases it`,
      text: 'not awaited in the scope',
      labels,
      notes: [],
      helps: ['`await` it before it is returned'],
    };
  }
  return {
    message: `${quoted(finding)} lets a ${type} escape the scope that releases it`,
    text: 'escapes its scope here',
    labels,
    notes: [],
    helps: [],
  };
}

function orderMessage(finding: FlowFinding): Message {
  const { instance, other } = finding;
  return {
    message: `${quoted(finding)} releases what a live ${nameOf(instance?.contract)} depends on`,
    text: 'released too early',
    labels: other === undefined ? [] : [placeOf(other, 'still live')],
    notes: [],
    helps: ['release the dependent handle first'],
  };
}

/** A message without labels and notes. */
function plainMessage(message: string, text: string, ...helps: string[]): Message {
  return { message, text, labels: [], notes: [], helps };
}

/** An operation was created and never performed. */
function floatingMessage(finding: FlowFinding): Message {
  if (finding.kind === 'leak') return leakMessage(finding);
  const message = `the operation of ${quoted(finding)} is never performed`;
  return plainMessage(message, 'created here and not yielded', 'write `yield*` before it');
}

function captureMessage(finding: FlowFinding): Message {
  const message = `${quoted(finding)} assigns a variable declared outside the loop body`;
  const text = 'lost when the engine restores the loop state';
  return plainMessage(message, text, 'store it in the loop state');
}

function nondeterminismMessage(finding: FlowFinding): Message {
  const message = `${quoted(finding)} makes the role nondeterministic`;
  return plainMessage(message, 'differs from run to run');
}

function awaitMessage(): Message {
  return plainMessage('a role awaits a promise, which no engine can model', 'awaited here');
}

const MESSAGES = {
  leak: leakMessage,
  'leak-on-throw': leakMessage,
  'discarded-handle': leakMessage,
  'leaked-stage': leakMessage,
  'double-release': releaseMessage,
  'use-after-release': useMessage,
  'escaping-handle': escapeMessage,
  'release-order': orderMessage,
  'floating-op': floatingMessage,
  'loop-captures': captureMessage,
  'nondeterministic-role': nondeterminismMessage,
  'await-in-role': awaitMessage,
} satisfies Readonly<Record<FlowRule, (finding: FlowFinding) => Message>>;

/** A leak that its model calls mild, or of which only a symbol says that it is one. */
function isMild({ instance }: FlowFinding): boolean {
  const contract = instance?.contract;
  return contract?.isStructural === true || contract?.mildLeak !== undefined;
}

/** A finding as reporters show it; files are named by their paths. */
export function toFinding(finding: FlowFinding): Finding {
  const rule = ruleOf(finding);
  const { message, text, labels, notes, helps } = MESSAGES[rule](finding);
  // A leak that only an unknown call can cause is likely, not certain.
  const isLikely = finding.cause?.tier === 2 || (finding.kind === 'leak' && isMild(finding));
  const severity = isLikely ? 'warning' : severityOf(rule);
  return { rule, severity, message, primary: placeOf(finding, text), labels, notes, helps };
}
