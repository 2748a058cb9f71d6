// A kernel with its parameters: the declarations, the roles, and fresh instances of each role.
import { Alarm, InputError, type Position } from '../base/index.ts';
import type { Parameters } from '../finding/index.ts';
import type { MachineShape } from '../machine/index.ts';
import type { SymbolicParameter } from './symbolic-parameter.ts';
import { RoleContext } from './context.ts';
import { declare, Declarations, NO_OPEN_COUNTS } from './declarations.ts';
import type { OpenCounts, Space } from './declarations.ts';
import { requireKernel, type Kernel } from './kernel.ts';
import type { Ownership } from './ownership.ts';
import { NAMED_BARRIERS } from '../machine/index.ts';
import { resolveParameters } from './parameters.ts';
import { Pieces } from './pieces.ts';
import type { KernelParameters, ResolvedParameters } from './parameters.ts';
import { gridsOf, type GridCtas } from './grid-ctas.ts';
import { declaresMemory, ReachedPieces } from './memory-use.ts';
import type { Role } from './role.ts';
import { RowsOfTries } from './rows-of-tries.ts';
import { classesOf, spanOf } from './strands.ts';
import { userCode } from './user-code.ts';

/** The most roles a kernel may have. */
const MAX_ROLES = 4_096;

/** A kernel that is ready to be run by any engine. */
export class Program {
  readonly kernel: Kernel;
  readonly resolved: ResolvedParameters;
  /** The values of {@link resolved}. */
  readonly params: Parameters;
  readonly declarations: Declarations;
  /** What the kernel returns, and the roles that engines run: a part of a role is one, too. */
  readonly written: readonly Role[];
  readonly roles: readonly Role[];
  /** CTAs of all grids, and by grid, which of them are its own. */
  readonly ctas: number;
  readonly gridCtas: readonly GridCtas[];
  /** What the buffers have in common. */
  readonly pieces: Pieces;
  /** The named barriers of a CTA: those of the hardware, and where strands of a role meet. */
  readonly namedBarriers: number;
  /** Whether strands that do different things are roles of their own. */
  readonly isApart: boolean;
  /** How often its tries may fail one after another. */
  readonly rows: RowsOfTries;
  /** Whether something was seen that orders memory, or names where it is. */
  namesMemory: boolean;
  /** What threads and asynchronous work were seen to reach. */
  readonly reachedPieces = new ReachedPieces();
  /** Rings when a check of the program must end. */
  readonly alarm: Alarm;
  /** What the kernel is called with: a symbolic parameter stands for every number. */
  readonly #arguments: Parameters;
  readonly #open: OpenCounts;
  /** By role: which of those that the kernel returns it is. */
  readonly #written: readonly number[];

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
    isApart = true,
  ) {
    requireKernel(kernel);
    this.isApart = isApart;
    this.alarm = alarm;
    this.kernel = kernel;
    this.resolved = resolveParameters(kernel, params);
    this.params = this.resolved.values;
    this.rows = new RowsOfTries(kernel, this.params);
    // The kernel takes its parameters for numbers: any other use than by a count is recorded.
    this.#arguments =
      symbolic === null
        ? this.params
        : userCode(`kernel ${kernel.name}`, () => this.resolved.withSymbolic(symbolic));
    this.#open = open;
    this.declarations = new Declarations(false, open, null);
    this.written = this.#call(this.declarations);
    this.gridCtas = gridsOf(this.written);
    const parts = this.written.map((role, index) => this.#partsOf(role, index));
    this.roles = parts.flat();
    this.#written = parts.flatMap((each, index) => each.map(() => index));
    this.ctas = this.gridCtas.at(-1)!.end;
    this.pieces = new Pieces(this.declarations, kernel, this.roles);
    this.namesMemory = declaresMemory(this.declarations, this.roles);
    const isDivided = this.roles.some(({ part }) => part !== null && part.classes > 1);
    this.namedBarriers = NAMED_BARRIERS + (isDivided ? this.written.length : 0);
    if (this.roles.length > MAX_ROLES) {
      throw new InputError(`kernel ${kernel.name} has more than ${MAX_ROLES} roles`);
    }
  }

  /** A program whose roles are not taken apart: their strands do what they do one after another. */
  static together(kernel: Kernel, params: KernelParameters = {}): Program {
    return new Program(kernel, params, null, undefined, undefined, false);
  }

  /** W01: a role for each class of strands that make the same operations; mostly it is one. */
  #partsOf(role: Role, written: number): Role[] {
    const cta = role.cta + this.gridCtas[role.grid]!.first;
    const { strands, lanes, name } = role;
    const classes = this.isApart ? classesOf(this.kernel, name, strands) : [[]];
    if (strands === 1) return [cta === role.cta ? role : { ...role, cta }];
    const threadsEach = lanes / strands;
    return classes.map((members, index) => {
      const isWhole = classes.length === 1;
      return {
        ...role,
        cta,
        name: isWhole ? name : `${name}.${spanOf(members)}`,
        lanes: isWhole ? lanes : members.length * threadsEach,
        part: {
          family: name,
          written,
          strands,
          threadsEach,
          members,
          index,
          classes: classes.length,
        },
      };
    });
  }

  /** P01: an instance of a role, taken from its own call of the kernel. */
  instance(index: number, capture: boolean, ownership?: Ownership): RoleContext {
    const { roles, declarations } = this.#callAgain(index);
    return this.#context(roles, index, declarations, capture, ownership);
  }

  /** One instance of each role, all from one call of the kernel: they share its variables. */
  instancesTogether(capture: boolean): RoleContext[] {
    const { roles, declarations } = this.#callAgain(this.roles.length - 1);
    return this.roles.map((_, index) => {
      const context = this.#context(roles, index, declarations, capture);
      context.sharesCall = true;
      return context;
    });
  }

  /** The memory that a physical piece is in. */
  spaceOf(piece: number): Space {
    const space = this.pieces.spaceOf(Math.floor(piece / this.ctas));
    // The tensor core writes accumulators alone, whatever is declared of them.
    return space === 'shared' && this.reachedPieces.isAccumulator(piece) ? 'tmem' : space;
  }

  /** Whether rules of memory apply unless a profile is named: what was seen needs them. */
  get usesMemory(): boolean {
    return this.namesMemory || this.reachedPieces.areMet;
  }

  /** Whether a physical piece is one for all CTAs. */
  isGlobal(piece: number): boolean {
    return this.pieces.isGlobal(Math.floor(piece / this.ctas));
  }

  #callAgain(last: number): { roles: readonly Role[]; declarations: Declarations } {
    const declarations = new Declarations(false, this.#open, this.declarations);
    const roles = this.#call(declarations);
    const isThere = roles[this.writtenIndex(last)] !== undefined;
    if (isThere && this.declarations.isSame(declarations)) {
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
    const own = this.roles[index]!;
    const written = roles[this.writtenIndex(index)]!;
    const role =
      own.part === null && own.cta === written.cta ? written : { ...own, body: written.body };
    const context = new RoleContext(role, index, declarations, capture, declaredAt, ownership);
    context.kernel = this.kernel;
    context.alarm = this.alarm;
    return context;
  }

  /** Where a role is declared; calls the kernel once more. */
  rolePosition(index: number): Position | undefined {
    const roles = this.#call(new Declarations(true, this.#open, this.declarations));
    return roles[this.writtenIndex(index)]?.position;
  }

  /** Which of the roles that the kernel returns a role is, or is a part of. */
  writtenIndex(index: number): number {
    return this.#written[index]!;
  }

  /** The machine that the program runs on. */
  shape(): MachineShape {
    const { barriers, cells, pools, registers } = this.declarations;
    const { pieces } = this;
    return {
      ctas: this.ctas,
      roleCtas: this.roles.map((role) => role.cta),
      barriers: barriers.map(({ count, mode, isGlobal }) => ({ count, mode, isGlobal })),
      cells: cells.map((cell) => cell.initial),
      buffers: pieces.count,
      named: this.namedBarriers,
      grids: this.gridCtas,
      globals: this.declarations.places.flatMap((_, buffer) =>
        pieces.isGlobal(buffer) ? pieces.of(buffer) : [],
      ),
      registers:
        registers === null ? null : { ...registers, roles: this.roles.map((role) => role.lanes) },
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
    const names = new Set<string>();
    for (const role of roles) {
      if (typeof role?.body !== 'function' || typeof role.name !== 'string') {
        throw new InputError(`kernel ${name} returns a value that is not a role`, position);
      }
      if (names.has(role.name)) {
        throw new InputError(`kernel ${name} has two roles named ${role.name}`, position);
      }
      names.add(role.name);
    }
    return roles;
  }
}
