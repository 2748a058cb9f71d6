// What the caller of a function without a known body owns: the type of the call's result decides.
import { disposableOwner, type DisposableOwner } from '../heuristics/disposables.ts';
import { subscribes } from '../heuristics/subscriptions.ts';
import type { IsOn } from '../heuristics/index.ts';
import { endsOfLocal } from '../heuristics/ended-locals.ts';
import type { CallTarget, ValueShape } from '../flow/world.ts';
import type { ObjectShape, TypeOracle, TypeShape } from '../oracle.ts';
import { walk, walkOwn } from '../syntax/children.ts';
import type { CallExpression, Expression, FunctionNode, SourceFile } from '../syntax/node.ts';
import { isOfArguments } from './generic-results.ts';
import { hasHandle, type TypeObligations } from './from-type.ts';

const NOTHING: ValueShape = { k: 'nothing' };

/** The code around a call: a function, the field of a class, or the module. */
export type Surroundings = FunctionNode | 'field' | 'module';

/** What is context of a call whose result has a handle. */
interface Context {
  readonly owner: () => DisposableOwner;
  readonly isSubscribing: boolean;
}

export class ResultTypes {
  readonly #isOn: IsOn;
  readonly #oracle: TypeOracle;
  readonly #obligations: TypeObligations;
  readonly #around = new WeakMap<SourceFile, Map<CallExpression, Surroundings>>();

  constructor(oracle: TypeOracle, obligations: TypeObligations, isOn: IsOn) {
    this.#isOn = isOn;
    this.#oracle = oracle;
    this.#obligations = obligations;
  }

  /** The handles in the result of a call. */
  of(call: CallExpression, file: SourceFile, target: CallTarget): ValueShape {
    if (target.module === 'lib' || isPlain(call, target)) return NOTHING;
    if (isOfArguments(target.fn) && !this.#isStated(target)) return NOTHING;
    const [type] = this.#oracle.shapes([call.origin]);
    if (type === undefined) return NOTHING;
    const owed = this.#obligations.of(type);
    if (!hasHandle(owed)) return NOTHING;
    const result = objectIn(type);
    const receiver = this.#receiver(call);
    const mayBeReceiver = this.#isOn('fluent-calls') && !this.#isStated(target);
    if (result !== undefined && mayBeReceiver && isFluent(call, receiver, result)) return NOTHING;
    const owner = (): DisposableOwner => {
      if (result === undefined) return 'other';
      const within = this.#surroundings(call, file);
      const holders = this.#holders(call);
      const disposable = { call, within, target, result, receiver, holders };
      return disposableOwner(disposable, this.#isOn);
    };
    if (this.takesResult(call)) return NOTHING;
    return this.#withOwner(owed, { owner, isSubscribing: subscribes(call) });
  }

  /** Whether a method returns its receiver, by their types. */
  returnsReceiver(call: CallExpression): boolean {
    const receiver = this.#receiver(call);
    if (receiver === undefined) return false;
    const [type] = this.#oracle.shapes([call.origin]);
    const result = type && objectIn(type);
    return result !== undefined && isFluent(call, receiver, result);
  }

  /** `onDidClose(listener, null, context.subscriptions)`: the list gets the subscription. */
  takesResult(call: CallExpression): boolean {
    if (!subscribes(call)) return false;
    const lists = call.args.flatMap((each) =>
      each.kind === 'name' || each.kind === 'member' ? [each.origin] : [],
    );
    return this.#oracle.shapes(lists).some((shape) => shape !== undefined && mayBeList(shape));
  }

  #isStated({ promises }: CallTarget): boolean {
    return promises.returns !== undefined || promises.consumes;
  }

  #receiver({ callee }: CallExpression): ObjectShape | undefined {
    return callee.kind === 'member' ? this.#shapeOf(callee.object) : undefined;
  }

  #holders({ callee }: CallExpression): ObjectShape[] {
    const holders: ObjectShape[] = [];
    for (let part = callee; part.kind === 'member'; part = part.object) {
      const shape = this.#shapeOf(part.object);
      if (shape !== undefined) holders.push(shape);
    }
    return holders;
  }

  #shapeOf(node: Expression): ObjectShape | undefined {
    const type = 'origin' in node ? this.#oracle.shapes([node.origin])[0] : undefined;
    return type && objectIn(type);
  }

  /** The shape, without handles that only a symbol suggests and that have another owner. */
  #withOwner(shape: ValueShape, context: Context, isInside = false): ValueShape {
    switch (shape.k) {
      case 'handle': {
        const { isModel, isStructural, mildLeak } = shape.contract;
        // Which functions give the handles of a model, the model states itself, but for listeners.
        if (isModel && !(context.isSubscribing && mildLeak === 'listener')) return NOTHING;
        if (!isModel && !isStructural) return shape;
        const decided = isInside ? 'other' : context.owner();
        if (decided === 'other') return NOTHING;
        return decided === 'proven' ? { ...shape, needsProof: true } : shape;
      }
      case 'promise': {
        const of = this.#withOwner(shape.of, context, isInside);
        return hasHandle(of) ? { k: 'promise', of } : NOTHING;
      }
      case 'many': {
        const of = this.#withOwner(shape.of, context, true);
        return hasHandle(of) ? { k: 'many', of } : NOTHING;
      }
      case 'tuple':
        return { k: 'tuple', of: shape.of.map((each) => this.#withOwner(each, context, true)) };
      case 'either':
        return { k: 'either', of: shape.of.map((each) => this.#withOwner(each, context, true)) };
      case 'object': {
        const entries = [...shape.of].map(([name, each]): [string, ValueShape] => {
          return [name, this.#withOwner(each, context, true)];
        });
        return { k: 'object', of: new Map(entries) };
      }
      case 'constant':
      case 'nothing':
        return shape;
    }
  }

  #surroundings(call: CallExpression, file: SourceFile): Surroundings {
    const known = this.#around.get(file) ?? surroundingsIn(file);
    this.#around.set(file, known);
    return known.get(call) ?? 'module';
  }
}

/** The models of Node.js are complete, but for locals that the function itself ends. */
function isPlain(call: CallExpression, { module, fn }: CallTarget): boolean {
  if (fn?.returns?.kind === 'keyword' && fn.returns.name !== 'this') return true;
  return module?.startsWith('node:') === true && endsOfLocal(call).length === 0;
}

/** A list, which an optional parameter may lack. */
function mayBeList(type: TypeShape): boolean {
  return type.k === 'many' || (type.k === 'union' && type.of.some(mayBeList));
}

/** The object in a type, without promises and alternatives that are no objects. */
function objectIn(type: TypeShape): ObjectShape | undefined {
  switch (type.k) {
    case 'object':
      return type;
    case 'promise':
      return objectIn(type.of);
    case 'union':
      return type.of.map(objectIn).find((each) => each !== undefined);
    default:
      return undefined;
  }
}

/** `server.on(…)` returns its receiver. */
function isFluent(
  { isNew }: CallExpression,
  receiver: ObjectShape | undefined,
  result: ObjectShape,
): boolean {
  if (isNew || receiver === undefined) return false;
  const keys = new Set(receiver.names.flatMap(({ declarations }) => declarations));
  return result.names.some(({ declarations }) => declarations.some((key) => keys.has(key)));
}

function surroundingsIn(file: SourceFile): Map<CallExpression, Surroundings> {
  const found = new Map<CallExpression, Surroundings>();
  for (const node of file.classes) {
    for (const { initializer } of node.fields) {
      if (initializer === undefined) continue;
      walk(initializer, (each) => void (each.kind === 'call' && found.set(each, 'field')));
    }
  }
  for (const fn of file.functions) {
    if (fn.body === undefined) continue;
    walkOwn(fn.body, (each) => void (each.kind === 'call' && found.set(each, fn)));
  }
  return found;
}
