// What a program does with a parameter that counts items: whether it counts only, and which single
// numbers it compares it with.
import type { Position } from '@poundlock/core/internal/base';
import { argumentsOf, type ProgramSyntax } from './program.ts';
import { child, isFunction, list, within } from './syntax.ts';
import type { Module, Node } from './syntax.ts';
import { NumberUses } from './number-uses.ts';

/** What the text says of a parameter. */
export interface NumberUse {
  /** Whether it is counted with wherever it occurs, and nothing else. */
  readonly onlyCounts: boolean;
  /** Numbers that it is compared with, or that stand in a table where it is looked up. */
  readonly constants: readonly number[];
  /** A test of single values: `tiles === 5000 (line 17)`. */
  readonly single: string | null;
}

/** A node with the module that it is in. */
interface Placed {
  readonly module: Module;
  readonly node: Node;
}

/** The declaration of a kernel. */
interface Declared {
  readonly defaults: Placed;
  readonly build: Placed;
}

/**
 * What a program does with a parameter of a kernel; `null` where that is not understood. A run has
 * seen that the calls at `countedAt` count with it.
 */
export function numberUse(
  program: ProgramSyntax,
  kernel: string,
  parameter: string,
  countedAt: readonly Position[],
): NumberUse | null {
  const declared = declarationOf(program, kernel);
  if (declared === null) return null;
  const uses = new NumberUses(program, countedAt);
  const isUnderstood = new Parameters(program, declared, uses).follow(parameter);
  const { constants, single, others } = uses;
  return { onlyCounts: isUnderstood && others === 0, constants: [...constants], single };
}

/** The one call of `kernel` with this name, or the only one. */
function declarationOf(program: ProgramSyntax, name: string): Declared | null {
  const all = program.modules.flatMap((module) =>
    [...within(module.program)].flatMap((node) => {
      if (node.type !== 'CallExpression') return [];
      const isKernel = program.libraryName(module, child(node, 'callee')) === 'kernel';
      return isKernel ? [{ module, call: node }] : [];
    }),
  );
  const named = all.filter(({ call }) => argumentsOf(call)[0]?.['value'] === name);
  const [one, ...more] = named.length === 0 ? all : named;
  if (one === undefined || more.length > 0) return null;
  const [, defaults, build] = argumentsOf(one.call);
  if (defaults === undefined || build === undefined) return null;
  const callback = program.valueOf(one.module, build);
  if (callback === null || !isFunction(callback.node)) return null;
  const declared = program.valueOf(one.module, defaults) ?? { module: one.module, node: defaults };
  return { defaults: declared, build: callback };
}

/** The parameters of a kernel that have the value of one of them. */
class Parameters {
  readonly #program: ProgramSyntax;
  readonly #declared: Declared;
  readonly #uses: NumberUses;
  readonly #seen = new Set<string>();

  constructor(program: ProgramSyntax, declared: Declared, uses: NumberUses) {
    this.#program = program;
    this.#declared = declared;
    this.#uses = uses;
  }

  /** Follows a parameter into the callback, and into those that have its value by their default. */
  follow(parameter: string): boolean {
    if (this.#seen.has(parameter)) return true;
    this.#seen.add(parameter);
    const { build, defaults } = this.#declared;
    const isOfBuild = this.#followInto(build, parameter);
    return this.#followDefaults(defaults, parameter) && isOfBuild;
  }

  #followDefaults({ module, node }: Placed, parameter: string): boolean {
    if (node.type !== 'ObjectExpression') return false;
    return list(node, 'properties').every((each) => {
      if (each.type === 'SpreadElement') {
        const spread = this.#program.valueOf(module, child(each, 'argument')!);
        return spread !== null && this.#followDefaults(spread, parameter);
      }
      const value = child(each, 'value');
      if (value === null || each['computed'] === true) return false;
      if (!isFunction(value)) return true;
      // A default that is the parameter counts if what it is a default of does.
      if (copiedParameter(module, value) === parameter)
        return this.follow(String(child(each, 'key')?.['name']));
      return this.#followInto({ module, node: value }, parameter);
    });
  }

  #followInto({ module, node }: Placed, parameter: string): boolean {
    return this.#uses.followNamed(module, list(node, 'params')[0] ?? null, parameter);
  }
}

/** The parameter whose value a default has: `({ tiles }) => tiles`. */
function copiedParameter(module: Module, value: Node): string | null {
  const body = child(value, 'body');
  const [param] = list(value, 'params');
  if (body?.type !== 'Identifier' || param?.type !== 'ObjectPattern') return null;
  const variable = module.variables.get(body);
  const part = list(param, 'properties').find((each) => {
    const name = child(each, 'value');
    return name !== null && module.variables.get(name) === variable;
  });
  return part === undefined ? null : String(child(part, 'key')?.['name']);
}
