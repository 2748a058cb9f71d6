// The flow of control of one function of a program, with the functions that it calls in their
// places: calls in the order in which they are made, and what decides between ways.
import { argumentsOf, type ProgramSyntax } from './program.ts';
import {
  child,
  childrenOf,
  isFunction,
  list,
  positionAt,
  type Module,
  type Node,
} from './syntax.ts';

/** A place in the text. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A call that is not followed: one of the library, or of the language. */
export interface FlowCall {
  readonly module: Module;
  readonly node: Node;
  /** Where the language says that it is called. */
  readonly place: TextPlace;
}

/** Ways through a function. */
export interface FlowGraph {
  readonly successors: readonly (readonly number[])[];
  readonly entry: number;
  readonly exit: number;
  readonly calls: ReadonlyMap<number, FlowCall>;
  /** By node with several successors: the condition that decides. */
  readonly decisions: ReadonlyMap<number, TextPlace>;
  /** `continue`, `break`, `return` and `throw`. */
  readonly jumps: ReadonlyMap<number, TextPlace>;
}

/** The most functions that are called in one another, and the most nodes (bound `flow-nodes`). */
const MAX_DEPTH = 8;
const MAX_NODES = 5_000;

/** The text has more than is followed. */
class TooMuch extends Error {}

/** The flow of a function; `null` where it is too large, or calls itself. */
export function flowGraph(program: ProgramSyntax, module: Module, body: Node): FlowGraph | null {
  try {
    return new FlowBuilder(program).build(module, body);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

/** Where a jump leads, and how many `finally` blocks are around it. */
interface Target {
  readonly node: number;
  readonly depth: number;
}

/** What is around a statement. */
interface Context {
  readonly module: Module;
  readonly returns: Target;
  /** Where the library goes on behind the function that it runs in rounds, if that says so. */
  readonly ends: Target | null;
  readonly throws: Target;
  readonly breaks: Target | null;
  readonly continues: Target | null;
  readonly labels: ReadonlyMap<
    string,
    { readonly breaks: Target; readonly continues: Target | null }
  >;
  /** `finally` blocks, the outermost first. */
  readonly finals: readonly Node[];
  /** Labels of the statement itself. */
  readonly own: readonly string[];
  /** Functions that are called in one another. */
  readonly inside: readonly Node[];
}

class FlowBuilder {
  readonly #program: ProgramSyntax;
  readonly #successors: number[][] = [];
  readonly #calls = new Map<number, FlowCall>();
  readonly #decisions = new Map<number, TextPlace>();
  readonly #jumps = new Map<number, TextPlace>();

  constructor(program: ProgramSyntax) {
    this.#program = program;
  }

  build(module: Module, body: Node): FlowGraph {
    const exit = this.#node();
    const entry = this.#function(body, { next: exit, throws: exit }, module, []);
    return {
      successors: this.#successors,
      entry,
      exit,
      calls: this.#calls,
      decisions: this.#decisions,
      jumps: this.#jumps,
    };
  }

  #node(...successors: number[]): number {
    if (this.#successors.length >= MAX_NODES) throw new TooMuch();
    return this.#successors.push(successors) - 1;
  }

  #decision(place: TextPlace, ...ways: number[]): number {
    const node = this.#node(...ways);
    this.#decisions.set(node, place);
    return node;
  }

  /** A function that returns to `next`, or to `ends` with a result of the library. */
  #function(
    node: Node,
    {
      next,
      ends,
      throws,
    }: { readonly next: number; readonly ends?: number; readonly throws: number },
    module: Module,
    around: readonly Node[],
  ): number {
    if (around.length >= MAX_DEPTH || around.includes(node)) throw new TooMuch();
    const body = child(node, 'body')!;
    const context: Context = {
      module,
      returns: { node: next, depth: 0 },
      ends: ends === undefined ? null : { node: ends, depth: 0 },
      throws: { node: throws, depth: 0 },
      breaks: null,
      continues: null,
      labels: new Map(),
      finals: [],
      own: [],
      inside: [...around, node],
    };
    return body.type === 'BlockStatement'
      ? this.#statement(body, next, context)
      : this.#expression(body, next, context);
  }

  #all(nodes: readonly Node[], next: number, context: Context): number {
    return nodes.reduceRight((after, one) => this.#statement(one, after, context), next);
  }

  /** A statement that `next` follows: where it begins. */
  #statement(node: Node, next: number, around: Context): number {
    const context = around.own.length === 0 ? around : { ...around, own: [] };
    const part = (field: string): Node | null => child(node, field);
    switch (node.type) {
      case 'BlockStatement':
        return this.#all(list(node, 'body'), next, context);
      case 'IfStatement': {
        const otherwise = part('alternate');
        const no = otherwise === null ? next : this.#statement(otherwise, next, context);
        const yes = this.#statement(part('consequent')!, next, context);
        return this.#branch(part('test')!, yes, no, context);
      }
      case 'ForStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
        return this.#loop(node, next, around);
      case 'SwitchStatement':
        return this.#switch(node, next, context);
      case 'TryStatement':
        return this.#try(node, next, context);
      case 'LabeledStatement':
        return this.#labeled(node, next, around);
      case 'ReturnStatement': {
        const result = part('argument');
        const jump = this.#jump(node, this.#returnOf(result, context), context);
        return this.#expression(result, jump, context);
      }
      case 'ThrowStatement':
        return this.#expression(
          part('argument'),
          this.#jump(node, context.throws, context),
          context,
        );
      case 'BreakStatement':
      case 'ContinueStatement':
        return this.#leave(node, context);
      default:
        return this.#expression(node, next, context);
    }
  }

  #returnOf(result: Node | null, { ends, returns, module }: Context): Target {
    const isOfLibrary =
      result?.type === 'CallExpression' &&
      this.#program.isLibrary(module, child(result, 'callee')!);
    return (isOfLibrary ? ends : null) ?? returns;
  }

  #leave(node: Node, context: Context): number {
    const label = child(node, 'label')?.['name'];
    const targets = label === undefined ? context : context.labels.get(String(label));
    const target = node.type === 'BreakStatement' ? targets?.breaks : targets?.continues;
    if (target === undefined || target === null) throw new TooMuch();
    return this.#jump(node, target, context);
  }

  /** A jump, and the `finally` blocks on its way. */
  #jump(node: Node, { node: target, depth }: Target, context: Context): number {
    const { finals, module } = context;
    let after = target;
    for (let at = depth; at < finals.length; at++)
      after = this.#statement(finals[at]!, after, { ...context, finals: finals.slice(0, at) });
    const jump = this.#node(after);
    this.#jumps.set(jump, positionAt(module, node.start));
    return jump;
  }

  #labeled(node: Node, next: number, context: Context): number {
    const name = String(child(node, 'label')!['name']);
    const breaks = { node: next, depth: context.finals.length };
    const labels = new Map([...context.labels, [name, { breaks, continues: null }]]);
    const inner = { ...context, labels, own: [...context.own, name] };
    return this.#statement(child(node, 'body')!, next, inner);
  }

  #loop(node: Node, next: number, around: Context): number {
    const depth = around.finals.length;
    const again = this.#node();
    const [breaks, continues] = [
      { node: next, depth },
      { node: again, depth },
    ];
    const own = around.own.map((name) => [name, { breaks, continues }] as const);
    const labels = new Map([...around.labels, ...own]);
    const context: Context = { ...around, breaks, continues, labels, own: [] };
    const [test, body] = [child(node, 'test'), child(node, 'body')!];
    const head = this.#node();
    const round = this.#statement(body, again, context);
    const link = (from: number, to: number): void => void this.#successors[from]!.push(to);
    if (node.type === 'DoWhileStatement') {
      link(again, this.#branch(test!, round, next, context));
      return round;
    }
    const isList = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
    if (isList) {
      const place = positionAt(around.module, node.start);
      link(head, this.#decision(place, round, next));
    } else link(head, test === null ? round : this.#branch(test, round, next, context));
    link(again, this.#expression(child(node, 'update'), head, context));
    return this.#expression(child(node, isList ? 'right' : 'init'), head, context);
  }

  #switch(node: Node, next: number, context: Context): number {
    const breaks = { node: next, depth: context.finals.length };
    const inner = { ...context, breaks };
    let after = next;
    const ways: number[] = [];
    let hasDefault = false;
    for (const one of list(node, 'cases').toReversed()) {
      after = this.#all(list(one, 'consequent'), after, inner);
      ways.unshift(after);
      hasDefault ||= child(one, 'test') === null;
    }
    if (!hasDefault) ways.push(next);
    const on = child(node, 'discriminant')!;
    const decision = this.#decision(positionAt(context.module, on.start), ...ways);
    return this.#expression(on, decision, context);
  }

  #try(node: Node, next: number, context: Context): number {
    const [block, handler, last] = [
      child(node, 'block')!,
      child(node, 'handler'),
      child(node, 'finalizer'),
    ];
    const after = last === null ? next : this.#statement(last, next, context);
    const finals = last === null ? context.finals : [...context.finals, last];
    const inner = { ...context, finals };
    if (handler === null) return this.#statement(block, after, inner);
    const caught = this.#statement(child(handler, 'body')!, after, inner);
    const throws = { node: caught, depth: finals.length };
    return this.#statement(block, after, { ...inner, throws });
  }

  /** A condition with two ways behind it. */
  #branch(test: Node, yes: number, no: number, context: Context): number {
    const [left, right] = [child(test, 'left'), child(test, 'right')];
    if (test.type === 'LogicalExpression' && test['operator'] === '&&')
      return this.#branch(left!, this.#branch(right!, yes, no, context), no, context);
    if (test.type === 'LogicalExpression' && test['operator'] === '||')
      return this.#branch(left!, yes, this.#branch(right!, yes, no, context), context);
    if (test.type === 'UnaryExpression' && test['operator'] === '!')
      return this.#branch(child(test, 'argument')!, no, yes, context);
    if (test.type === 'Literal') return test['value'] ? yes : no;
    const decision = this.#decision(positionAt(context.module, test.start), yes, no);
    return this.#expression(test, decision, context);
  }

  /** An expression that is evaluated before `next`. */
  #expression(node: Node | null, next: number, context: Context): number {
    if (node === null || isFunction(node) || node.type.startsWith('Class')) return next;
    const part = (field: string): Node => child(node, field)!;
    switch (node.type) {
      case 'FunctionDeclaration':
        return next;
      case 'ConditionalExpression': {
        const yes = this.#expression(part('consequent'), next, context);
        const no = this.#expression(part('alternate'), next, context);
        return this.#branch(part('test'), yes, no, context);
      }
      case 'LogicalExpression': {
        const right = this.#expression(part('right'), next, context);
        const isOr = node['operator'] !== '&&';
        return this.#branch(part('left'), isOr ? next : right, isOr ? right : next, context);
      }
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(node, next, context);
      default: {
        const inner = childrenOf(node).toSorted((one, other) => one.start - other.start);
        return inner.reduceRight((after, one) => this.#expression(one, after, context), next);
      }
    }
  }

  /** A call: what it calls in its place, where that is a function of the program. */
  #call(node: Node, next: number, context: Context): number {
    const { module, inside } = context;
    const callee = child(node, 'callee')!;
    const parts = [...(isFunction(callee) ? [] : [callee]), ...argumentsOf(node)];
    const before = (at: number): number =>
      parts.reduceRight((after, one) => this.#expression(one, after, context), at);
    const called = this.#program.functionOf(module, callee);
    if (called !== null) {
      const isRun = called['generator'] !== true || isDelegated(module, node);
      const throws = this.#jump(node, context.throws, context);
      const of = this.#program.moduleOf(called) ?? module;
      return before(isRun ? this.#function(called, { next, throws }, of, inside) : next);
    }
    const at = this.#node(next);
    this.#calls.set(at, { module, node, place: placeOfCall(module, node) });
    const rounds = argumentsOf(node).filter((one) => this.#isRun(module, node, one));
    if (rounds.length === 0) return before(at);
    // Functions that it is given may be called any number of times.
    const head = this.#decision(placeOfCall(module, node));
    const throws = this.#jump(node, context.throws, context);
    const bodies = rounds.map((one) => {
      return this.#function(one, { next: head, ends: at, throws }, module, inside);
    });
    this.#successors[head]!.push(...bodies, at);
    return before(head);
  }

  /** Whether a function is an argument that a call calls. */
  #isRun(module: Module, call: Node, argument: Node): boolean {
    if (!isFunction(argument)) return false;
    return (
      this.#program.isInline(module, argument) ||
      this.#program.isLibrary(module, child(call, 'callee')!)
    );
  }
}

/** Whether a call is the operand of `yield*`. */
function isDelegated(module: Module, call: Node): boolean {
  const parent = module.parents.get(call);
  return parent?.type === 'YieldExpression' && parent['delegate'] === true;
}

/** Where the language says that a call is made: at the name of a method, or at the function. */
export function placeOfCall(module: Module, call: Node): TextPlace {
  const callee = child(call, 'callee')!;
  if (call.type === 'NewExpression') return positionAt(module, call.start);
  const at = callee.type === 'MemberExpression' ? child(callee, 'property')! : callee;
  return positionAt(module, at.start);
}
