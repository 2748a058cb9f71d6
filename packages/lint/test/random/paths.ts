// Executes a random program on all its paths: what goes wrong on any of them.
import type { Statement } from './program.ts';

interface Handle {
  isGone: boolean;
}

type Completion = 'normal' | 'throw' | 'return' | 'break' | 'continue';

/** What is wrong with a program, or why the execution of a path was given up. */
class Wrong extends Error {}

export interface Paths {
  readonly faults: ReadonlySet<string>;
  /** Every path was executed to its end; loops have at most two rounds. */
  readonly isComplete: boolean;
  /** A handle is acquired on some path. */
  readonly holdsHandles: boolean;
}

const MAX_PATHS = 2000;
const MAX_STEPS = 200;

class Execution {
  readonly choices: number[] = [];
  readonly limits: number[] = [];
  #at = 0;
  #steps = 0;
  #handles: Handle[] = [];
  #variables = new Map<string, Handle | undefined>();
  #list: Handle[] = [];
  #flag: boolean | undefined;

  get holdsHandles(): boolean {
    return this.#handles.length > 0;
  }

  path(body: readonly Statement[]): void {
    this.#at = this.#steps = 0;
    this.#handles = [];
    this.#list = [];
    this.#variables = new Map();
    this.#flag = undefined;
    const end = this.#run(body);
    const result = end === 'return' ? this.#variables.get('result') : undefined;
    if (result) this.#release(result);
    if (this.#handles.some(({ isGone }) => !isGone)) throw new Wrong('leak');
  }

  /** Goes on to the next path; whether there is one. */
  next(): boolean {
    this.choices.length = this.limits.length = Math.min(this.#at, this.choices.length);
    while (this.choices.length > 0 && this.choices.at(-1)! + 1 >= this.limits.at(-1)!) {
      this.choices.pop();
      this.limits.pop();
    }
    if (this.choices.length === 0) return false;
    this.choices[this.choices.length - 1]!++;
    return true;
  }

  #choose(): boolean {
    if (this.#at === this.choices.length) {
      this.choices.push(0);
      this.limits.push(2);
    }
    return this.choices[this.#at++] === 1;
  }

  #fresh(): Handle {
    const handle = { isGone: false };
    this.#handles.push(handle);
    return handle;
  }

  #release(handle: Handle): void {
    if (handle.isGone) throw new Wrong('double-release');
    handle.isGone = true;
  }

  #use(handle: Handle | undefined): void {
    if (handle?.isGone) throw new Wrong('use-after-release');
  }

  #run(body: readonly Statement[]): Completion {
    for (const each of body) {
      const completion = this.#step(each);
      if (completion !== 'normal') return completion;
    }
    return 'normal';
  }

  #step(node: Statement): Completion {
    if (++this.#steps > MAX_STEPS) throw new Wrong('endless');
    switch (node.k) {
      case 'if':
        return this.#run(this.#test(node.test) ? node.body : node.otherwise);
      case 'while':
        return this.#loop(node.body, () => this.#choose());
      case 'drain': {
        const all = this.#list.splice(0).values();
        return this.#loop(node.body, () => {
          const { value, done } = all.next();
          if (!done) this.#variables.set(node.x, value);
          return !done;
        });
      }
      case 'try':
        return this.#try(node);
      case 'using': {
        const handle = this.#fresh();
        this.#variables.set(node.x, handle);
        const completion = this.#run(node.body);
        this.#release(handle);
        return completion;
      }
      case 'throw':
      case 'break':
      case 'continue':
        return node.k;
      default:
        return this.#simple(node);
    }
  }

  #simple(node: Extract<Statement, { x: string }>): Completion {
    const { x } = node;
    const handle = this.#variables.get('y' in node ? node.y : x);
    switch (node.k) {
      case 'acquire':
        this.#variables.set(x, node.nullable && this.#choose() ? undefined : this.#fresh());
        break;
      case 'copy':
        this.#variables.set(x, handle);
        break;
      case 'next':
        if (handle) this.#release(handle);
        this.#variables.set(x, handle && this.#fresh());
        break;
      case 'view':
        this.#use(handle);
        this.#variables.set(x, handle);
        break;
      case 'clear':
        this.#variables.set(x, undefined);
        break;
      case 'use':
        this.#use(handle);
        break;
      case 'release':
        if (handle) this.#release(handle);
        break;
      case 'push':
        if (handle) this.#list.push(handle);
        break;
      case 'pop':
        this.#variables.set(x, this.#list.pop());
        break;
      case 'return':
        this.#use(handle);
        this.#variables.set('result', handle);
        return 'return';
      default:
    }
    return 'normal';
  }

  #loop(body: readonly Statement[], again: () => boolean): Completion {
    for (let round = 0; round < 2 && again(); round++) {
      const completion = this.#run(body);
      if (completion === 'break') break;
      if (completion !== 'normal' && completion !== 'continue') return completion;
    }
    return 'normal';
  }

  #try({ body, handler, finalizer }: Extract<Statement, { k: 'try' }>): Completion {
    let completion = this.#run(body);
    if (completion === 'throw' && handler) completion = this.#run(handler);
    const result = this.#variables.get('result');
    const end = finalizer ? this.#run(finalizer) : 'normal';
    if (end !== 'normal') return end;
    this.#variables.set('result', result);
    return completion;
  }

  #test(test: string): boolean {
    if (test === 'any()') return this.#choose();
    if (test === 'k0') return (this.#flag ??= this.#choose());
    return this.#variables.get(test.slice(0, 2)) !== undefined;
  }
}

/** Executes every path of a program. */
export function pathsOf(body: readonly Statement[]): Paths {
  const execution = new Execution();
  const faults = new Set<string>();
  let isComplete = true;
  let holdsHandles = false;
  for (let paths = 0; ;) {
    try {
      execution.path(body);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      if (error.message === 'endless') isComplete = false;
      else faults.add(error.message);
    }
    holdsHandles ||= execution.holdsHandles;
    if (!execution.next()) break;
    if (++paths === MAX_PATHS) return { faults, isComplete: false, holdsHandles };
  }
  return { faults, isComplete, holdsHandles };
}
