// Code in which a handle may occur at all: nothing is lost or misused anywhere else, so that only
// this code is walked.
import { hasHandleOf } from '../obligations/from-type.ts';
import { walk } from '../syntax/children.ts';
import type { CallExpression, ClassNode, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import type { Contract } from '../contract/contract.ts';
import type { CallTarget, ValueShape, World } from './world.ts';

/** A handle that may be a number or a text: it has no method that releases it. */
export function isPlainHandle({ release }: Contract): boolean {
  return release.length === 0;
}

type Code = FunctionNode | ClassNode | SourceFile;

/** What code contains: a call that gives a handle, or other code that it leads to. */
interface Contents {
  readonly hasHandle: boolean;
  readonly leadsTo: ReadonlySet<FunctionNode | ClassNode>;
}

export class Holding {
  readonly #world: World;
  readonly #contents = new WeakMap<Code, Contents>();
  readonly #holding = new WeakSet<Code>();
  readonly #counts: (contract: Contract) => boolean;

  /** `counts`: whether handles of a contract matter. */
  constructor(world: World, counts: (contract: Contract) => boolean = () => true) {
    this.#world = world;
    this.#counts = counts;
  }

  /** Whether a walk of this code, without handles from outside, may meet one. */
  in(code: Code): boolean {
    if (this.#holding.has(code)) return true;
    const reached = new Set<Code>([code]);
    for (const each of reached) {
      const { hasHandle: isSource, leadsTo } = this.#contentsOf(each);
      if (isSource || this.#holding.has(each)) {
        this.#holding.add(code);
        return true;
      }
      for (const next of leadsTo) if (this.#isWalked(next)) reached.add(next);
    }
    return false;
  }

  #has(shape: ValueShape): boolean {
    return hasHandleOf(shape, this.#counts);
  }

  #isWalked(code: FunctionNode | ClassNode): boolean {
    if (code.kind === 'class') return true;
    return code.body !== undefined && this.#world.isRelevant(code);
  }

  #contentsOf(code: Code): Contents {
    const known = this.#contents.get(code);
    if (known !== undefined) return known;
    const contents = 'kind' in code && code.kind === 'class' ? this.#ofClass(code) : this.#of(code);
    this.#contents.set(code, contents);
    return contents;
  }

  #of(code: FunctionNode | SourceFile): Contents {
    const [root, file] = 'kind' in code ? [code, code.file] : [code.body, code];
    return this.#found([root], file, 'kind' in code ? code.owner : undefined);
  }

  /** An instance of a class, which may have handles in its fields. */
  #ofClass(node: ClassNode): Contents {
    const { fields, methods, heritage, file } = node;
    const initial = fields.flatMap(({ initializer }) => initializer ?? []);
    const found = this.#found(initial, file, undefined);
    const bases = heritage.flatMap((each) => this.#world.classOf(each) ?? []);
    const stated = this.#world.statedContract(node);
    const isStated = stated !== undefined && this.#counts(stated);
    const isSource = found.hasHandle || isStated || this.#takesHandle(node);
    return { hasHandle: isSource, leadsTo: new Set([...found.leadsTo, ...methods, ...bases]) };
  }

  /** `constructor(private readonly file: File)`. */
  #takesHandle({ methods }: ClassNode): boolean {
    return methods.some(
      (fn) =>
        fn.form === 'constructor' &&
        fn.parameters.some(({ type }) => this.#has(this.#world.shapeOf(type, fn))),
    );
  }

  #found(roots: readonly Node[], file: SourceFile, owner: ClassNode | undefined): Contents {
    const leadsTo = new Set<FunctionNode | ClassNode>();
    let isSource = false;
    const visit = (node: Node): void => {
      if (isSource) return;
      if (node.kind === 'call') isSource = this.#gives(node, file, leadsTo);
      if (node.kind === 'name') {
        const { initializer } = node.variable ?? {};
        const isCode = initializer?.kind === 'function' || initializer?.kind === 'class';
        if (isCode) leadsTo.add(initializer);
      }
      if (node.kind === 'this' && owner !== undefined) leadsTo.add(owner);
    };
    for (const root of roots) walk(root, visit);
    return { hasHandle: isSource, leadsTo };
  }

  /** Whether a call gives a handle itself; notes what it leads to. */
  #gives(call: CallExpression, file: SourceFile, leadsTo: Set<FunctionNode | ClassNode>): boolean {
    const target = this.#world.target(call, file);
    const { fn, classNode, owned, guess, callbackHandles } = target;
    if (this.#has(owned) || this.#has(guess) || callbackHandles !== undefined) return true;
    if (fn !== undefined) leadsTo.add(fn);
    if (classNode !== undefined) leadsTo.add(classNode);
    return this.#givesToCallback(target);
  }

  /** `withFile(work: (file: File) => void)`. */
  #givesToCallback({ fn }: CallTarget): boolean {
    if (fn === undefined) return false;
    return fn.parameters.some(
      ({ type }) =>
        type?.kind === 'function' &&
        type.parameters.some((each) => this.#has(this.#world.shapeOf(each.type, fn))),
    );
  }
}
