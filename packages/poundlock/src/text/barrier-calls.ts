// Which calls of a program arrive on which barriers, as far as their text says it.
import { CATALOGUE, mayArrive, OpKind, type OpName } from '@poundlock/core/internal/op';
import { argumentsOf, type ProgramSyntax } from './program.ts';
import {
  child,
  isFunction,
  list,
  within,
  type Module,
  type Node,
  type Variable,
} from './syntax.ts';

/** The most variables that an argument is followed through. */
const MAX_DEPTH = 16;

/** What arrivals are at: a barrier by its name, or a named barrier by its number. */
export type TextTarget = { readonly name: string } | { readonly id: number };

/** Whether a call arrives somewhere; `null`: that is not known. */
export function arrivesOn(
  program: ProgramSyntax,
  module: Module,
  call: Node,
  target: TextTarget,
): boolean | null {
  const kind = kindOf(program, module, call);
  if (kind === null) return isOfLanguage(module, child(call, 'callee')!) ? false : null;
  if ('id' in target) return isAtNumber(kind, call, target.id);
  if (!mayArrive(kind)) return false;
  const names = namesIn(program, module, argumentsOf(call), 0);
  if (names === null) return null;
  return names.some((one) => one.test(target.name));
}

/** The operation that a call is by its name; `null`: it may be none, or several. */
export function kindOf(program: ProgramSyntax, module: Module, call: Node): OpKind | null {
  const name = program.libraryName(module, child(call, 'callee'));
  return name !== null && Object.hasOwn(OpKind, name) ? OpKind[name as OpName] : null;
}

/** Whether an operation is at the named barrier with a number. */
function isAtNumber(kind: OpKind, call: Node, id: number): boolean | null {
  if (CATALOGUE[kind]!.names !== 'named') return false;
  const [first] = argumentsOf(call);
  return first?.type === 'Literal' ? first['value'] === id : null;
}

/** Whether a callee is what every program has: `Math.floor`, a method of a literal. */
function isOfLanguage(module: Module, callee: Node): boolean {
  if (callee.type === 'Identifier') return !module.variables.has(callee);
  if (callee.type !== 'MemberExpression') return false;
  const object = child(callee, 'object')!;
  return /Literal$|^ArrayExpression$/.test(object.type) || isOfLanguage(module, object);
}

/** The names of what expressions stand for, as patterns; `null` where one is not known. */
function namesIn(
  program: ProgramSyntax,
  module: Module,
  nodes: readonly Node[],
  depth: number,
): RegExp[] | null {
  const found: RegExp[] = [];
  for (const node of nodes) {
    for (const each of within(node)) {
      const variable = each.type === 'Identifier' ? program.variableOf(module, each) : null;
      if (variable === null) continue;
      const names = namesOf(program, variable, depth + 1);
      if (names === null) return null;
      found.push(...names);
    }
  }
  return found;
}

/** The names of what a variable may hold: none where it holds no barrier. */
function namesOf(program: ProgramSyntax, variable: Variable, depth: number): RegExp[] | null {
  const { from, init, whole, file, kind } = variable;
  const module = program.moduleAt(file);
  if (depth > MAX_DEPTH || module === null) return null;
  if (from !== null) return [];
  if (kind === 'param' || kind === 'rest')
    return namesOfParameter(program, module, variable, depth);
  const value = init ?? whole;
  if (kind === 'let' || value === null || isFunction(value)) return [];
  const declared = [...within(value)].flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    return program.isLibrary(module, child(node, 'callee')!) ? [declaredName(node)] : [];
  });
  if (declared.includes(null)) return null;
  if (declared.length > 0) return declared as RegExp[];
  const names = [...within(value)].filter(({ type }) => type === 'Identifier');
  return namesIn(program, module, names, depth);
}

/** What a function is given for a parameter, wherever it is called. */
function namesOfParameter(
  program: ProgramSyntax,
  module: Module,
  { owner, name }: Variable,
  depth: number,
): RegExp[] | null {
  const index = list(owner, 'params').findIndex((one) => {
    return one.type === 'Identifier' && one['name'] === name;
  });
  const own = [...module.variables.values()].find(({ init }) => init === owner);
  // The parameters of a kernel are numbers, and those of functions in place are not barriers alone.
  if (own === undefined || index < 0) return [];
  const found: RegExp[] = [];
  for (const use of own.uses) {
    const call = module.parents.get(use);
    if (call?.type !== 'CallExpression' || call['callee'] !== use) return null;
    const value = argumentsOf(call)[index];
    const names = value === undefined ? [] : namesIn(program, module, [value], depth);
    if (names === null) return null;
    found.push(...names);
  }
  return found;
}

/** The name that a declaration gives, as a pattern; `null` where its text does not say it. */
function declaredName(call: Node): RegExp | null {
  const [first] = argumentsOf(call);
  const exact = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  if (first?.type === 'Literal' && typeof first['value'] === 'string')
    return new RegExp(`^${exact(first['value'])}(?:\\[\\d+\\])?$`);
  if (first?.type !== 'TemplateLiteral') return null;
  const parts = list(first, 'quasis').map((one) =>
    exact(String((one['value'] as { cooked?: string }).cooked)),
  );
  return new RegExp(`^${parts.join('.*')}(?:\\[\\d+\\])?$`);
}
