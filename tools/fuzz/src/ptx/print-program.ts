// Writes a random kernel as PTX with its launch file.
import type { Amount, Body, By, KernelProgram, Source, Space, Statement } from './program.ts';

const SLOT_BYTES = 256;
const REGISTERS = 64;
const COPY = 'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes';

/** Writes the text of a kernel. */
class Printer {
  readonly #lines: string[] = [];
  readonly #program: KernelProgram;
  #registers = 20;
  #predicates = 10;
  #labels = 0;
  /** The registers with the numbers of the iterations of the loops around. */
  #iterations: string[] = [];

  constructor(program: KernelProgram) {
    this.#program = program;
  }

  print(): string {
    const { warps, isSingle, barriers, words } = this.#program;
    for (const [at, count] of barriers.entries()) {
      const amount = this.#amount(count);
      this.#add(`@%p1 mbarrier.init.shared::cta.b64 [bars+${8 * at}], ${amount};`);
    }
    if (!this.#areOfGrid)
      for (let word = 0; word < words; word++)
        this.#add(`@%p1 st.shared.u32 [words+${4 * word}], 0;`);
    this.#add('fence.mbarrier_init.release.cluster;', 'bar.sync 0;');
    if (isSingle) this.#add('@!%p3 bra END;');
    for (const [warp, body] of warps.entries()) {
      if (warp + 1 < warps.length)
        this.#add(`setp.ne.u32 %p4, %r2, ${warp};`, `@%p4 bra WARP${warp + 1};`);
      this.#body(body);
      if (warp + 1 < warps.length) this.#add('bra END;', `WARP${warp + 1}:`);
    }
    return `.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u32 n, .param .u64 p2)
{
  .reg .pred %p<${this.#predicates + 1}>;
  .reg .b32 %r<${this.#registers + 1}>;
  .reg .b64 %rd<10>;
  .shared .align 128 .b8 tile[2048];
  .shared .align 8 .b8 bars[64];
  .shared .align 4 .b8 words[64];
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  ld.param.u64 %rd6, [p2];
  ld.param.u32 %r6, [n];
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  and.b32 %r3, %r1, 31;
  shl.b32 %r4, %r3, 2;
  setp.eq.u32 %p1, %r1, 0;
  setp.eq.u32 %p3, %r3, 0;
${this.#lines.map((line) => (/^\w+:$/.test(line) ? line : `  ${line}`)).join('\n')}
END:
  ret;
}
`;
  }

  #add(...lines: string[]): void {
    this.#lines.push(...lines);
  }

  #register(): string {
    return `%r${this.#registers++}`;
  }

  #predicate(): string {
    return `%p${this.#predicates++}`;
  }

  #label(): string {
    return `L${this.#labels++}`;
  }

  /** A register with a number of an origin. */
  #source({ origin, form }: Source): string {
    const register = this.#register();
    const choose = (...lines: (readonly string[])[]): void =>
      this.#add(...lines[form % lines.length]!);
    const bits = (wide: string): string[] => [
      wide,
      'shr.u64 %rd5, %rd5, 20;',
      `cvt.u32.u64 ${register}, %rd5;`,
      `and.b32 ${register}, ${register}, 3;`,
    ];
    const mov = (from: string): string[] => [`mov.u32 ${register}, ${from};`];
    switch (origin) {
      case 'launch':
        choose(mov('%r6'), mov('%nctaid.x'), mov('%ntid.x'));
        break;
      case 'block':
        choose(mov('%ctaid.x'), mov('%ctaid.y'), [
          ...mov('%ctaid.y'),
          `mov.u32 %r7, %ctaid.x;`,
          `add.u32 ${register}, ${register}, %r7;`,
        ]);
        break;
      case 'time':
        choose(mov('%clock'), mov('%globaltimer_lo'));
        break;
      case 'place':
        choose(bits('mov.u64 %rd5, %rd1;'), bits('sub.u64 %rd5, %rd2, %rd1;'));
        break;
      case 'machine':
        choose(mov('%warpid'), mov('%smid'));
        break;
      case 'data':
        this.#add(`ld.global.u32 ${register}, [%rd1+${1024 + 4 * (form % 3)}];`);
        break;
      case 'none':
        // A register that nothing writes, or a word that nothing stores.
        if (form % 2 === 1)
          this.#add(`ld.shared.u32 ${register}, [tile+${2044 - 4 * (form % 3)}];`);
        break;
    }
    return register;
  }

  /** A predicate on a number. */
  #test(source: Source): string {
    const value = this.#source(source);
    const predicate = this.#predicate();
    if (source.form % 3 === 0) {
      const bit = this.#register();
      this.#add(`and.b32 ${bit}, ${value}, 1;`, `setp.eq.u32 ${predicate}, ${bit}, 0;`);
    } else {
      const compare = source.form % 3 === 1 ? 'eq.u32' : 'ge.u32';
      const bound = source.form % 3 === 1 ? 1 : 2;
      this.#add(`setp.${compare} ${predicate}, ${value}, ${bound};`);
    }
    return predicate;
  }

  /** A number, or the register that it is in. */
  #amount({ value, plus }: Amount, factor = 1): string {
    if (plus === undefined) return String(value * factor);
    const register = this.#register();
    this.#add(
      `and.b32 ${register}, ${this.#source(plus)}, 1;`,
      `mad.lo.u32 ${register}, ${register}, ${factor}, ${value * factor};`,
    );
    return register;
  }

  /** The parity of the phase of a wait: it counts with the innermost loop. */
  #parity(phase: number): string {
    const iteration = this.#iterations.at(-1);
    if (iteration === undefined) return String(phase & 1);
    const register = this.#register();
    this.#add(
      `add.u32 ${register}, ${iteration}, ${phase & 1};`,
      `and.b32 ${register}, ${register}, 1;`,
    );
    return register;
  }

  /** The address of the word of a lane in a slot. */
  #address(space: Space, slot: Amount, by: By): string {
    const offset = this.#amount(slot, SLOT_BYTES);
    const register = this.#register();
    this.#add(`mov.u32 ${register}, ${offset};`);
    if (by === 'all') this.#add(`add.u32 ${register}, ${register}, %r4;`);
    if (space === 'shared') {
      this.#add(`mov.u32 %r8, tile;`, `add.u32 ${register}, ${register}, %r8;`);
      return `[${register}]`;
    }
    if (space === 'global')
      this.#add(
        'mov.u32 %r7, %ctaid.x;',
        'mov.u32 %r8, %ctaid.y;',
        'add.u32 %r7, %r7, %r8;',
        `mad.lo.u32 ${register}, %r7, 4096, ${register};`,
      );
    this.#add(`cvt.u64.u32 %rd3, ${register};`, 'add.u64 %rd4, %rd1, %rd3;');
    return '[%rd4]';
  }

  #body(body: Body): void {
    for (const statement of body) this.#statement(statement);
  }

  #statement(one: Statement): void {
    switch (one.do) {
      case 'meet':
        this.#add(
          one.threads === null
            ? `bar.sync ${one.id};`
            : `bar.sync ${one.id}, ${this.#amount(one.threads, 32)};`,
        );
        break;
      case 'join':
        this.#add('bar.warp.sync -1;');
        break;
      case 'store':
      case 'load':
      case 'add':
        this.#access(one);
        break;
      case 'arrive': {
        const count = this.#amount(one.count);
        const more = count === '1' ? '' : `, ${count}`;
        this.#add(
          `${only(one.by)}mbarrier.arrive.shared::cta.b64 _, [bars+${8 * one.barrier}]${more};`,
        );
        break;
      }
      case 'wait':
      case 'waitFor':
        this.#wait(one);
        break;
      case 'signal':
        this.#signal(one);
        break;
      case 'poll':
        this.#poll(one);
        break;
      case 'copy': {
        const bar = `[bars+${8 * one.barrier}]`;
        const bytes = this.#amount(one.bytes, 16);
        this.#add(
          `@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, ${bar}, ${bytes};`,
          `@%p3 ${COPY} [tile+${SLOT_BYTES * one.slot}], [%rd1], 128, ${bar};`,
        );
        break;
      }
      case 'if':
        this.#branch(one);
        break;
      case 'loop':
        this.#loop(one);
        break;
      case 'registers':
        this.#add(`setmaxnreg.${one.isMore ? 'inc' : 'dec'}.sync.aligned.u32 ${one.count};`);
        break;
    }
  }

  /** Each store has a value of its own: equal stores do not race. */
  #access(one: Extract<Statement, { readonly do: 'store' | 'load' | 'add' }>): void {
    const { space, slot } = one;
    const by = one.do === 'add' ? 'one' : one.by;
    const address = this.#address(space, slot, by);
    const register = this.#register();
    const state = space === 'shared' ? 'shared' : 'global';
    if (one.do === 'load') {
      this.#add(`${only(by)}ld.${state}.u32 ${register}, ${address};`);
      return;
    }
    const number = 1000 * this.#lines.length;
    this.#add(
      'mov.u32 %r9, %ctaid.x;',
      `mad.lo.u32 ${register}, %r9, 77, %r1;`,
      'mov.u32 %r9, %ctaid.y;',
      `mad.lo.u32 ${register}, %r9, 131, ${register};`,
      `add.u32 ${register}, ${register}, ${number};`,
    );
    if (one.do === 'add') this.#add(`@%p3 red.${state}.add.u32 ${address}, ${register};`);
    else this.#add(`${only(by)}st.${state}.u32 ${address}, ${register};`);
  }

  #wait(one: Extract<Statement, { readonly do: 'wait' | 'waitFor' }>): void {
    const [again, behind, passed] = [this.#label(), this.#label(), this.#predicate()];
    const parity = this.#parity(one.phase);
    const start = this.#register();
    if (one.do === 'waitFor') this.#add(`mov.u32 ${start}, %clock;`);
    const bar = `[bars+${8 * one.barrier}]`;
    this.#add(
      `${again}:`,
      `mbarrier.try_wait.parity.shared::cta.b64 ${passed}, ${bar}, ${parity};`,
    );
    if (one.do === 'wait') {
      this.#add(`@!${passed} bra ${again};`);
      return;
    }
    const [now, late, end] = [this.#register(), this.#predicate(), this.#label()];
    this.#add(
      `@${passed} bra ${behind};`,
      `mov.u32 ${now}, %clock;`,
      `sub.u32 ${now}, ${now}, ${start};`,
      `setp.lt.u32 ${late}, ${now}, 1000;`,
      `@${late} bra ${again};`,
      `bra ${end};`,
      `${behind}:`,
    );
    this.#body(one.skip);
    this.#add(`${end}:`);
  }

  /** Whether words are those of all blocks. */
  get #areOfGrid(): boolean {
    return this.#program.group === 'global';
  }

  /** Where a word is, and who waits for it. */
  #word(word: number): { readonly at: string; readonly scope: string } {
    return this.#areOfGrid
      ? { at: `[%rd6+${4 * word}]`, scope: 'gpu.global' }
      : { at: `[words+${4 * word}]`, scope: 'cta.shared' };
  }

  #signal({ word, isSum, value }: Extract<Statement, { readonly do: 'signal' }>): void {
    const { at, scope } = this.#word(word);
    const amount = this.#amount(value);
    const opcode = isSum ? `red.release.${scope}.add.u32` : `st.release.${scope}.u32`;
    this.#add(`@%p3 ${opcode} ${at}, ${amount};`);
  }

  #poll({ word, isExact, value }: Extract<Statement, { readonly do: 'poll' }>): void {
    const { at, scope } = this.#word(word);
    const amount = this.#amount(value);
    const [again, register, isEarly] = [this.#label(), this.#register(), this.#predicate()];
    this.#add(
      `${again}:`,
      `ld.acquire.${scope}.u32 ${register}, ${at};`,
      `setp.${isExact ? 'ne' : 'lt'}.u32 ${isEarly}, ${register}, ${amount};`,
      `@${isEarly} bra ${again};`,
    );
  }

  #branch({ when, body, otherwise }: Extract<Statement, { readonly do: 'if' }>): void {
    const [other, end, test] = [this.#label(), this.#label(), this.#test(when)];
    this.#add(`@!${test} bra ${other};`);
    this.#body(body);
    if (otherwise.length > 0) this.#add(`bra ${end};`);
    this.#add(`${other}:`);
    this.#body(otherwise);
    if (otherwise.length > 0) this.#add(`${end}:`);
  }

  #loop({ times, body }: Extract<Statement, { readonly do: 'loop' }>): void {
    const bound = this.#amount(times);
    const [again, end] = [this.#label(), this.#label()];
    const [iteration, isOver] = [this.#register(), this.#predicate()];
    this.#add(
      `mov.u32 ${iteration}, 0;`,
      `${again}:`,
      `setp.ge.u32 ${isOver}, ${iteration}, ${bound};`,
      `@${isOver} bra ${end};`,
    );
    this.#iterations.push(iteration);
    this.#body(body);
    this.#iterations.pop();
    this.#add(`add.u32 ${iteration}, ${iteration}, 1;`, `bra ${again};`, `${end}:`);
  }
}

const only = (by: By): string => (by === 'one' ? '@%p3 ' : '');

/** The text of a kernel. */
export function ptxOf(program: KernelProgram): string {
  return new Printer(program).print();
}

/** The launch file of a kernel. */
export function launchOf({ warps, grid, lanes, n }: KernelProgram): string {
  return JSON.stringify({
    grid: [...grid, 1],
    block: [32 * (warps.length - 1) + lanes, 1, 1],
    registers: REGISTERS,
    params: [
      { kind: 'pointer', bytes: 65_536 },
      { kind: 'pointer', bytes: 65_536 },
      { kind: 'scalar', type: 'i32', name: 'n', value: n },
      { kind: 'pointer', int32: Array.from({ length: 16 }, () => 0) },
    ],
  });
}
