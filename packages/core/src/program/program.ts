// A kernel with its parameters: the declarations, the roles, and fresh instances of each role.
import { Alarm, InputError, type Position } from '../base/index.ts';
import type { Parameters } from '../finding/index.ts';
import type { MachineShape } from '../machine/index.ts';
import type { SymbolicParameter } from './symbolic-parameter.ts';
import { RoleContext } from './context.ts';
import { declare, Declarations, NO_OPEN_COUNTS, type OpenCounts } from './declarations.ts';
import { requireKernel, type Kernel } from './kernel.ts';
import type { Ownership } from './ownership.ts';
import { resolveParameters } from './parameters.ts';
import type { KernelParameters, ResolvedParameters } from './parameters.ts';
import type { Role } from './role.ts';
import { userCode } from './user-code.ts';

/** The most roles a kernel may have. */
export const MAX_ROLES = 200;

/** A kernel that is ready to be run by any engine. */
export class Program {
  readonly kernel: Kernel;
  readonly resolved: ResolvedParameters;
  /** The values of {@link resolved}. */
  readonly params: Parameters;
  readonly declarations: Declarations;
  readonly roles: readonly Role[];
  readonly ctas: number;
  /** Rings when a check of the program must end. */
  readonly alarm: Alarm;
  /** What the kernel is called with: a symbolic parameter stands for every number. */
  readonly #arguments: Parameters;
  readonly #open: OpenCounts;

  /**
   * `symbolic` takes the place of the parameter of its name when the kernel is called; `open` are
   * the counts that stand for any number of items. `alarm` ends what takes too long.
   */
  constructor(
    kernel: Kernel,
    params: KernelParameters = {},
    symbolic: SymbolicParameter | null = null,
    open: OpenCounts = NO_OPEN_COUNTS,
    alarm = new Alarm(),
  ) {
    requireKernel(kernel);
    this.alarm = alarm;
    this.kernel = kernel;
    this.resolved = resolveParameters(kernel, params);
    this.params = this.resolved.values;
    // The kernel takes its parameters for numbers: any other use than by a count is recorded.
    this.#arguments =
      symbolic === null
        ? this.params
        : userCode(`kernel ${kernel.name}`, () => this.resolved.withSymbolic(symbolic));
    this.#open = open;
    this.declarations = new Declarations(false, open, null);
    this.roles = this.#call(this.declarations);
    this.ctas = 1 + Math.max(...this.roles.map((role) => role.cta));
  }

  /** P01: an instance of a role, taken from its own call of the kernel. */
  instance(index: number, capture: boolean, ownership?: Ownership): RoleContext {
    const { roles, declarations } = this.#callAgain(index);
    return this.#context(roles, index, declarations, capture, ownership);
  }

  /** One instance of each role, all from one call of the kernel: they share its variables. */
  instancesTogether(capture: boolean): RoleContext[] {
    const { roles, declarations } = this.#callAgain(this.roles.length - 1);
    return roles.map((_, index) => {
      const context = this.#context(roles, index, declarations, capture);
      context.sharesCall = true;
      return context;
    });
  }

  #callAgain(last: number): { roles: readonly Role[]; declarations: Declarations } {
    const declarations = new Declarations(false, this.#open, this.declarations);
    const roles = this.#call(declarations);
    if (roles[last] !== undefined && this.declarations.isSame(declarations)) {
      return { roles, declarations };
    }
    const { name, position } = this.kernel;
    throw new InputError(`two calls of kernel ${name} declare different things`, position);
  }

  #context(
    roles: readonly Role[],
    index: number,
    declarations: Declarations,
    capture: boolean,
    ownership?: Ownership,
  ): RoleContext {
    const declaredAt = (): Position | undefined => this.rolePosition(index);
    const role = roles[index]!;
    const context = new RoleContext(role, index, declarations, capture, declaredAt, ownership);
    context.alarm = this.alarm;
    return context;
  }

  /** Where a role is declared; calls the kernel once more. */
  rolePosition(index: number): Position | undefined {
    return this.#call(new Declarations(true, this.#open, this.declarations))[index]?.position;
  }

  /** The machine that the program runs on. */
  shape(): MachineShape {
    const { barriers, buffers, cells, pools } = this.declarations;
    return {
      ctas: this.ctas,
      roleCtas: this.roles.map((role) => role.cta),
      barriers: barriers.map(({ count, mode }) => ({ count, mode })),
      cells: cells.map((cell) => cell.initial),
      buffers: buffers.length,
      pools: pools.map(({ capacity, buffers: ids }) => ({ capacity, buffers: ids })),
    };
  }

  #call(declarations: Declarations): readonly Role[] {
    const { name, position } = this.kernel;
    const build = (): readonly Role[] => this.kernel.build({ ...this.#arguments });
    const roles = declare(declarations, () => userCode(`kernel ${name}`, build));
    if (!Array.isArray(roles) || roles.length === 0) {
      throw new InputError(`kernel ${name} must return a list of roles`, position);
    }
    if (roles.length > MAX_ROLES) {
      throw new InputError(`kernel ${name} has more than ${MAX_ROLES} roles`, position);
    }
    for (const [at, role] of roles.entries()) {
      if (typeof role?.body !== 'function' || typeof role.name !== 'string') {
        throw new InputError(`kernel ${name} returns a value that is not a role`, position);
      }
      if (roles.findIndex((other) => other.name === role.name) !== at) {
        throw new InputError(`kernel ${name} has two roles named ${role.name}`, position);
      }
    }
    return roles;
  }
}
