// Whether the result of each try of a program only decides whether a wait follows (T7).
import { argumentsOf, valuesAssigned, type ProgramSyntax } from './program.ts';
import { textOf, type Obstacle } from './self-contained.ts';
import { child, isFunction, list, positionAt, within } from './syntax.ts';
import type { Module, Node, Variable } from './syntax.ts';

/** The first try whose result may decide more than a wait; `null`: there is none. */
export function firstDecisiveTry(program: ProgramSyntax): Obstacle | null {
  for (const module of program.modules) {
    const check = new TryCheck(program, module);
    for (const node of within(module.program)) {
      if (!check.isTry(node) || check.decidesOneWait(node)) continue;
      return { what: textOf(node, module), place: positionAt(module, node.start) };
    }
  }
  return null;
}

/** A wait that takes the result of a try of the same handle. */
const TAKES_RESULT = /wait|acquire/i;
const LOOPS = /^(?:For|While|DoWhile)\w*Statement$/;

class TryCheck {
  readonly #program: ProgramSyntax;
  readonly #module: Module;

  constructor(program: ProgramSyntax, module: Module) {
    this.#program = program;
    this.#module = module;
  }

  /** Whether a node is a call of the library that tries. A claim is no try: it is a choice. */
  isTry(node: Node): boolean {
    if (node.type !== 'CallExpression') return false;
    const callee = child(node, 'callee')!;
    const name = this.#calledName(callee);
    return /try[A-Z]/i.test(name) && !/claim/i.test(name) && this.#isLibrary(callee);
  }

  /** Whether the result is passed to a wait, or tested for one, and decides nothing else. */
  decidesOneWait(call: Node): boolean {
    const performed = this.#parent(call);
    if (performed.type !== 'YieldExpression' || performed['delegate'] !== true) return false;
    const variable = this.#variableAssigned(performed);
    if (variable === null) return this.#isPoll(performed) || this.#isTaken(performed, call);
    const owner = this.#program.ownerOf(this.#module, variable);
    if (owner !== this.#program.runnerOf(this.#module, call)) return false;
    const assigned = valuesAssigned(this.#module, variable);
    const values = variable.init === null ? assigned : [variable.init, ...assigned];
    const tries = values.map((value) => (value === null ? null : this.#triesIn(value)));
    const reads = variable.uses.filter((use) => !this.#isTarget(use));
    const [read, ...more] = reads;
    if (read === undefined || more.length > 0 || tries.includes(null)) return false;
    if (!this.#isRenewed(variable, read)) return false;
    return tries.flat().every((one) => this.#isTaken(read, one!) && this.#reaches(one!, read));
  }

  /** `while (!(yield* tryWait(full, phase))) {}`: a wait. */
  #isPoll(performed: Node): boolean {
    const not = this.#parent(performed);
    const loop = this.#parent(not);
    const body = child(loop, 'body');
    const isEmpty =
      body?.type === 'EmptyStatement' ||
      (body?.type === 'BlockStatement' && list(body, 'body').length === 0);
    const isNot = not.type === 'UnaryExpression' && not['operator'] === '!';
    return isNot && loop.type === 'WhileStatement' && isEmpty;
  }

  /** The variable that gets the result, also through `wanted && (yield* …)`; `null` for none. */
  #variableAssigned(performed: Node): Variable | null {
    let at = performed;
    let parent = this.#parent(at);
    while (parent.type === 'LogicalExpression' || parent.type === 'ConditionalExpression') {
      if (parent['left'] === at || parent['test'] === at) return null;
      at = parent;
      parent = this.#parent(at);
    }
    const field = parent.type === 'VariableDeclarator' ? 'id' : 'left';
    const target = child(parent, field);
    const isAssigned =
      parent.type === 'VariableDeclarator' || parent.type === 'AssignmentExpression';
    return isAssigned && target !== null ? (this.#module.variables.get(target) ?? null) : null;
  }

  /** The tries in a value that is a result of one, or `false`; `null` for anything else. */
  #triesIn(value: Node): Node[] | null {
    switch (value.type) {
      case 'Literal':
        return value['value'] === false ? [] : null;
      case 'YieldExpression': {
        const call = child(value, 'argument')!;
        return value['delegate'] === true && this.isTry(call) ? [call] : null;
      }
      case 'LogicalExpression':
        return value['operator'] === '&&' ? this.#triesIn(child(value, 'right')!) : null;
      case 'ConditionalExpression': {
        const one = this.#triesIn(child(value, 'consequent')!);
        const other = this.#triesIn(child(value, 'alternate')!);
        return one === null || other === null ? null : [...one, ...other];
      }
      default:
        return null;
    }
  }

  #isTarget(use: Node): boolean {
    const parent = this.#parent(use);
    return parent.type === 'AssignmentExpression' && parent['left'] === use;
  }

  /** Whether a wait takes the result, or is made if there is none, for what was tried. */
  #isTaken(use: Node, tried: Node): boolean {
    const parent = this.#parent(use);
    if (parent.type === 'CallExpression') return this.#isArgument(use, parent, tried);
    const branch = this.#parent(parent);
    const isNot = parent.type === 'UnaryExpression' && parent['operator'] === '!';
    if (!isNot || branch.type !== 'IfStatement' || child(branch, 'alternate') !== null)
      return false;
    const statement = onlyStatement(child(branch, 'consequent')!);
    const performed = statement === null ? null : child(statement, 'expression');
    if (performed?.type !== 'YieldExpression' || performed['delegate'] !== true) return false;
    const wait = child(performed, 'argument')!;
    const name = wait.type === 'CallExpression' ? child(wait, 'callee') : null;
    const waited = this.#program.libraryName(this.#module, name);
    const known = this.#program.libraryName(this.#module, child(tried, 'callee'));
    if (
      waited === null ||
      known?.replace(/^try(.)/, (_, one: string) => one.toLowerCase()) !== waited
    )
      return false;
    return this.#text(argumentsOf(wait)) === this.#text(argumentsOf(tried));
  }

  /** `yield* producer.acquire(ready)`, where `producer` was tried. */
  #isArgument(use: Node, call: Node, tried: Node): boolean {
    const [callee, other] = [child(call, 'callee')!, child(tried, 'callee')!];
    if (callee.type !== 'MemberExpression' || other.type !== 'MemberExpression') return false;
    const isWait = TAKES_RESULT.test(this.#calledName(callee)) && !this.isTry(call);
    if (!isWait || !this.#isLibrary(callee) || argumentsOf(call).at(-1) !== use) return false;
    if (this.#parent(call).type !== 'YieldExpression') return false;
    const [one, two] = [child(callee, 'object')!, child(other, 'object')!];
    const before = argumentsOf(call).slice(0, -1);
    return this.#text([one, ...before]) === this.#text([two, ...argumentsOf(tried)]);
  }

  /** Whether each round of the loop around a read has a result of its own. */
  #isRenewed(variable: Variable, read: Node): boolean {
    const body = this.#loopBody(read);
    if (body === null) return true;
    const declared = [...within(body)].some((node) => {
      const id = node.type === 'VariableDeclarator' ? child(node, 'id') : null;
      return id !== null && this.#module.variables.get(id) === variable;
    });
    return (
      declared ||
      variable.uses.some((use) => {
        return this.#isTarget(use) && this.#parent(this.#parent(this.#parent(use))) === body;
      })
    );
  }

  /** Whether what was tried is the same at the wait: no name in it is written between. */
  #reaches(tried: Node, read: Node): boolean {
    const callee = child(tried, 'callee')!;
    const object = child(callee, 'object');
    const parts = [...argumentsOf(tried), ...(object === null ? [] : [object])];
    const nodes = parts.flatMap((each) => [...within(each)]);
    if (nodes.some(({ type }) => type === 'CallExpression' || type === 'YieldExpression'))
      return false;
    const isBetween = this.#between(tried, read);
    if (isBetween === null) return false;
    return nodes.every((name) => {
      const variable = this.#module.variables.get(name);
      return (
        variable === undefined || !variable.uses.some((use) => this.#isWrite(use) && isBetween(use))
      );
    });
  }

  /** What is executed between a try and the wait that reads its result; `null`: not understood. */
  #between(tried: Node, read: Node): ((use: Node) => boolean) | null {
    const block = this.#blockOf(tried);
    if (!isWithin(read, block)) return null;
    if (tried.start < read.start) return ({ start }) => start > tried.start && start < read.start;
    const body = this.#loopBody(read);
    if (body === null || block !== body) return null;
    // Around the end of the round: its rest, what the loop itself does, and its beginning.
    const loop = this.#parent(body);
    return (use) =>
      isWithin(use, loop) &&
      (use.start > tried.start || use.start < read.start || !isWithin(use, body));
  }

  #isWrite(use: Node): boolean {
    const { type, ...parent } = this.#parent(use);
    return (
      type === 'UpdateExpression' || (type === 'AssignmentExpression' && parent['left'] === use)
    );
  }

  /** The body of the innermost loop around a node, in its function. */
  #loopBody(node: Node): Node | null {
    let at = node;
    for (;;) {
      const parent = this.#parent(at);
      if (isFunction(parent) || parent.type === 'Program') return null;
      if (LOOPS.test(parent.type)) return child(parent, 'body') === at ? at : parent;
      at = parent;
    }
  }

  #blockOf(node: Node): Node {
    let at = this.#parent(node);
    while (at.type !== 'BlockStatement' && at.type !== 'Program' && !isFunction(at))
      at = this.#parent(at);
    return at;
  }

  #calledName(callee: Node): string {
    const name = callee.type === 'MemberExpression' ? child(callee, 'property') : callee;
    const known = this.#program.libraryName(this.#module, callee);
    return known ?? String(name?.['name']);
  }

  #isLibrary(callee: Node): boolean {
    return this.#program.isLibrary(this.#module, callee);
  }

  #text(nodes: readonly Node[]): string {
    return nodes.map(({ start, end }) => this.#module.text.slice(start, end)).join();
  }

  #parent(node: Node): Node {
    return this.#module.parents.get(node)!;
  }
}

function isWithin({ start, end }: Node, outer: Node): boolean {
  return start >= outer.start && end <= outer.end;
}

/** The one statement of a branch. */
function onlyStatement(branch: Node): Node | null {
  if (branch.type !== 'BlockStatement') return branch;
  const body = list(branch, 'body');
  return body.length === 1 ? body[0]! : null;
}
