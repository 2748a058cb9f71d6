// Infers whether a function may throw: an uncaught `throw`, or a call of a function that may throw.
import { promisesOf } from '../contract/tags.ts';
import { isPlaceholder } from '../flow/placeholders.ts';
import { throwsMisuse } from '../flow/misuse.ts';
import type { CallTarget } from '../flow/world.ts';
import { forEachChild } from '../syntax/children.ts';
import type { CallExpression, FunctionNode, Node, SourceFile } from '../syntax/node.ts';

type Answer = 1 | 2 | undefined;

/** The deepest nesting of followed calls. */
const MAX_DEPTH = 4;

export class ThrowAnalysis {
  readonly #known = new Map<FunctionNode, Answer>();
  readonly #target: (call: CallExpression, file: SourceFile) => CallTarget;
  #depth = 0;

  constructor(target: (call: CallExpression, file: SourceFile) => CallTarget) {
    this.#target = target;
  }

  /** 1: it throws. 2: it calls a function that may throw. `undefined`: it does not throw. */
  of(fn: FunctionNode): Answer {
    const { throws } = promisesOf(fn.doc);
    if (throws !== undefined) return throws === 'never' ? undefined : 1;
    if (this.#known.has(fn)) return this.#known.get(fn);
    if (fn.body === undefined || this.#depth >= MAX_DEPTH || isPlaceholder(fn)) return 2;
    this.#known.set(fn, undefined);
    this.#depth++;
    const answer = this.#in(fn.body, fn.file);
    this.#depth--;
    this.#known.set(fn, answer);
    return answer;
  }

  forget(fn: FunctionNode): void {
    this.#known.delete(fn);
  }

  #in(node: Node, file: SourceFile): Answer {
    if (node.kind === 'function' || node.kind === 'class') return undefined;
    if (node.kind === 'throw') return throwsMisuse(node, file) ? 2 : 1;
    if (node.kind === 'await' || (node.kind === 'forEach' && node.isAwait)) return 1;
    if (node.kind === 'try' && node.handler !== undefined) {
      // A rethrown exception is as certain as the caught one.
      const caught = this.#in(node.block, file) ?? 2;
      const handler = this.#in(node.handler, file);
      const handled = handler === 1 ? caught : handler;
      return handled ?? (node.finalizer && this.#in(node.finalizer, file));
    }
    let answer: Answer = node.kind === 'call' ? this.#ofCall(node, file) : undefined;
    if (answer === 1) return 1;
    forEachChild(node, (child) => {
      if (answer !== 1) answer = this.#in(child, file) ?? answer;
    });
    return answer;
  }

  #ofCall(call: CallExpression, file: SourceFile): Answer {
    const { fn, promises, module, isPromise } = this.#target(call, file);
    if (promises.throws === 'never' || isPromise || module === 'lib') return undefined;
    if (promises.never) return 1;
    if (fn === undefined) return 2;
    return fn.isAsync ? undefined : this.of(fn);
  }
}
