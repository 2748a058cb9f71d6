// The origin of a callee, by syntax alone: for programs whose types cannot be resolved.
import type { CallExpression, Expression } from '../syntax/node.ts';
import { moduleOf } from '../syntax/modules.ts';
import type { Variable } from '../syntax/variable.ts';

export interface CalleeOrigin {
  /** The module of its import, or of the import of its receiver's class. */
  readonly module: string | undefined;
  /** The receiver's class, as written at its declaration. */
  readonly type: string | undefined;
  /** The type that the receiver is cast to. */
  readonly cast: string | undefined;
  /** A global function or class, of the platform. */
  readonly isGlobal: boolean;
  /** The receiver, as written. */
  readonly text: string;
  readonly argumentText: string;
  /** The call that the receiver was assigned from. */
  readonly receiverCall: string;
  /** The receiver as written, or the initializer of the variable of that name. */
  readonly standsFor: string;
}

const MAX_TEXT = 200;

export function originOf(call: CallExpression): CalleeOrigin {
  const { callee } = call;
  const subject = callee.kind === 'member' ? callee.object : callee;
  const text = textOf(subject);
  const written = subject.kind === 'name' ? subject.variable : undefined;
  const variable = written?.meaning ?? written;
  const initializer = variable?.assignments === 0 ? variable.initializer : undefined;
  const created = initializer?.kind === 'await' ? initializer.operand : initializer;
  const maker = created?.kind === 'call' ? created : subject;
  return {
    module: undefined,
    type: undefined,
    cast: subject.kind === 'name' || subject.kind === 'member' ? subject.cast : undefined,
    isGlobal: subject.kind === 'name' && variable === undefined && callee === subject,
    text,
    argumentText: call.args.map(writtenAs).join(', ').slice(0, MAX_TEXT),
    standsFor: initializer?.kind === 'member' ? textOf(initializer) : text,
    receiverCall: maker.kind === 'call' ? textOf(maker) : '',
    ...(subject.kind === 'member' && { module: namespaceOf(subject) }),
    ...(variable && declarationOf(variable, callee === subject)),
  };
}

/** The module of a variable's import, or its declared type. */
function declarationOf(variable: Variable, isCallee: boolean): Partial<CalleeOrigin> {
  const { imported } = variable;
  if (imported === undefined) return declaredAs(variable);
  const { module, imported: name } = imported;
  const isType = !isCallee && name !== '*' && name !== 'default';
  return { module, type: isType ? name : undefined };
}

/** `tf` of `tf.browser.fromPixels()`. */
function namespaceOf(node: Expression): string | undefined {
  if (node.kind === 'member') return namespaceOf(node.object);
  return node.kind === 'name' ? moduleOf(node, ({ variable }) => variable) : undefined;
}

/** `pool: Pool`, `const pool = new Pool()`, `const fs = require('fs')`. */
function declaredAs({ type, initializer }: Variable): Partial<CalleeOrigin> {
  if (type?.kind === 'named') return { type: type.name };
  const loaded = initializer && moduleOf(initializer, ({ variable }) => variable);
  if (loaded !== undefined) return { module: loaded };
  const call = initializer?.kind === 'await' ? initializer.operand : initializer;
  if (call?.kind !== 'call' || call.callee.kind !== 'name' || !call.isNew) return {};
  const { callee } = call;
  const module = callee.variable?.imported?.module;
  return { type: callee.text, module };
}

/** `writable` of `const { writable } = new TransformStream()`, `pair.writable` of such a `pair`. */
export function isOwnStream({ callee }: CallExpression): boolean {
  const stream = callee.kind === 'member' ? callee.object : callee;
  const maker =
    stream.kind === 'name'
      ? stream.variable?.partOf
      : stream.kind === 'member' && stream.object.kind === 'name'
        ? stream.object.variable?.initializer
        : undefined;
  return maker?.kind === 'call' && maker.isNew && isStreamClass(maker.callee);
}

/** A class of that name, or one of the project that extends such a class. */
function isStreamClass(callee: Expression): boolean {
  if (textOf(callee).endsWith('Stream')) return true;
  const variable = callee.kind === 'name' ? callee.variable : undefined;
  const declared = variable?.meaning?.initializer ?? variable?.initializer;
  return (
    declared?.kind === 'class' && declared.heritage.some((base) => textOf(base).endsWith('Stream'))
  );
}

/**
 * A writer whose only use is `write()`, of a stream whose other end escapes: the reader waits
 * forever.
 */
export function isLeftOpen({ callee, bound }: CallExpression): boolean {
  const fn = bound?.home;
  const end = callee.kind === 'member' && callee.object.kind === 'member' && callee.object.object;
  if (fn === undefined || !end || end.kind !== 'name') return false;
  if ([...bound!.called].some((name) => name !== 'write')) return false;
  const text = fn.file.text.slice(fn.start, fn.end);
  // Other uses than its declaration and its methods.
  const others = [...text.matchAll(new RegExp(`(?<![\\w$.])${bound!.name}\\b(?!\\??\\.)`, 'g'))];
  const handedOut = new RegExp(`\\breturn ${end.text}(\\.readable)?[;\\s]`);
  return others.length === 1 && handedOut.test(text);
}

/** An argument as written, or the initializer of its variable. */
function writtenAs(node: Expression): string {
  const initializer = node.kind === 'name' ? node.variable?.initializer : undefined;
  return textOf(initializer?.kind === 'object' && node.kind === 'name' ? initializer : node);
}

/** An expression as written, if it consists of names and members. */
export function textOf(node: Expression): string {
  switch (node.kind) {
    case 'name':
      return node.text;
    case 'this':
      return 'this';
    case 'literal':
      return String(node.value);
    case 'member':
      return `${textOf(node.object)}.${node.name ?? '[]'}`;
    case 'call':
      return `${textOf(node.callee)}()`;
    case 'await':
      return textOf(node.operand);
    case 'object':
      return `{${node.properties.map(({ key, value }) => `${key}:${textOf(value)}`).join()}}`;
    default:
      return '';
  }
}
