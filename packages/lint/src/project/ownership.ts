// The three answers of `Ownership`, from the types and the call targets of a project.
import { ownershipIn } from '../contract/tags.ts';
import type { ParameterRule } from '../contract/contract.ts';
import type { CallTarget } from '../flow/world.ts';
import { ownershipOfType } from '../obligations/brands.ts';
import type { TypeObligations } from '../obligations/from-type.ts';
import type {
  Ownership,
  ReceiverEffect,
  ResultOwner,
  Signature,
} from '../obligations/ownership.ts';
import type { TypeOracle, TypeShape } from '../oracle.ts';
import type {
  CallExpression,
  Expression,
  FunctionNode,
  Parameter,
  SourceFile,
} from '../syntax/node.ts';

/** The answers about a project's expressions and calls. */
export function ownershipOf(
  oracle: TypeOracle,
  obligations: TypeObligations,
  target: (call: CallExpression, file: SourceFile) => CallTarget,
): Ownership {
  const typeOf = (node: Expression): TypeShape | undefined => {
    if (node.kind === 'member') return oracle.shapes([node.whole])[0];
    return 'origin' in node ? oracle.shapes([node.origin])[0] : undefined;
  };
  return {
    obligation: (node) => {
      const type = typeOf(node);
      return type === undefined ? { k: 'nothing' } : obligations.of(type);
    },
    signature: (call, file) => {
      const found = target(call, file);
      const { callee } = call;
      const receiver = callee.kind === 'member' ? typeOf(callee.object) : undefined;
      return signatureOf(found, receiver && contractIn(obligations, receiver));
    },
    isPrimitive: (node) => {
      const type = typeOf(node);
      return type && type.k !== 'open' ? isPrimitive(type) : undefined;
    },
  };
}

function isPrimitive(type: TypeShape): boolean {
  return type.k === 'primitive' || (type.k === 'union' && type.of.every(isPrimitive));
}

function contractIn(
  obligations: TypeObligations,
  type: TypeShape,
): { release: readonly string[]; consumes: ReadonlySet<string> } | undefined {
  const shape = obligations.of(type);
  return shape.k === 'handle' ? shape.contract : undefined;
}

function signatureOf(
  { fn, classNode, promises, owned, name = '' }: CallTarget,
  receiver: { release: readonly string[]; consumes: ReadonlySet<string> } | undefined,
): Signature {
  const { returns } = promises;
  const isBorrowed = owned.k === 'handle' && owned.isBorrowed === true;
  return {
    fn,
    classNode,
    promises,
    parameter: (index) => parameterRule(fn, promises.parameters, index),
    receiver: effectOn(receiver, promises.consumes, name),
    returns: ownerOf(fn, returns) ?? (isBorrowed ? 'borrowed' : 'owned'),
    isStated: returns !== undefined || owned.k !== 'nothing',
    result: owned,
    releaseBefore: parentOf(fn, promises.releaseBefore),
  };
}

function effectOn(
  receiver: { release: readonly string[]; consumes: ReadonlySet<string> } | undefined,
  consumes: boolean,
  name: string,
): ReceiverEffect {
  if (consumes || receiver?.consumes.has(name)) return 'consumes';
  return receiver?.release.includes(name) === true ? 'releases' : 'uses';
}

function ownerOf(
  fn: FunctionNode | undefined,
  returns: CallTarget['promises']['returns'],
): ResultOwner | undefined {
  if (typeof returns !== 'object') return returns;
  return { alias: returns.alias === 'this' ? 'this' : Math.max(0, indexOf(fn, returns.alias)) };
}

function parentOf(
  fn: FunctionNode | undefined,
  name: string | undefined,
): number | 'this' | undefined {
  if (name === undefined || name === 'this') return name;
  const index = indexOf(fn, name);
  return index < 0 ? undefined : index;
}

function indexOf(fn: FunctionNode | undefined, name: string): number {
  const isIt = ({ target }: Parameter): boolean => target.kind === 'name' && target.text === name;
  return fn?.parameters.findIndex(isIt) ?? -1;
}

/** The stated ownership of a parameter: by its own tag, its brand, or a tag of the function. */
export function parameterRule(
  fn: FunctionNode | undefined,
  stated: ReadonlyMap<string, ParameterRule>,
  index: number,
): ParameterRule | undefined {
  const parameter = fn?.parameters[index] ?? fn?.parameters.findLast(({ rest }) => rest);
  if (fn === undefined || parameter === undefined) return undefined;
  const ownership = ownershipIn(parameter.doc) ?? ownershipOfType(parameter.type, fn.file);
  if (ownership !== undefined) return { ownership, path: [] };
  return parameter.target.kind === 'name' ? stated.get(parameter.target.text) : undefined;
}
