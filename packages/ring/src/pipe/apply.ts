// Applies the function of a stage to items: one by one, or all of them in a generator.
import { InputError } from '../../../core/src/base/index.ts';
import { isThenable } from './ends.ts';
import type { PipeFunction } from './plan.ts';

type Kind = 'plain' | 'generator' | 'async generator';

const GENERATOR = Object.getPrototypeOf(function* () {}) as object;
const ASYNC_GENERATOR = Object.getPrototypeOf(async function* () {}) as object;

/** How the function of a stage is called. */
export function kindOf(work: PipeFunction): Kind {
  const type = Object.getPrototypeOf(work) as object;
  if (type === GENERATOR) return 'generator';
  return type === ASYNC_GENERATOR ? 'async generator' : 'plain';
}

type AnyFunction = (item: unknown) => unknown;

/** The results of a stage on this thread, which never blocks. */
export function applied(
  name: string,
  work: PipeFunction,
  items: AsyncIterable<unknown>,
): AsyncIterable<unknown> {
  const kind = kindOf(work);
  if (kind === 'generator') {
    throw new InputError(`stage ${name} runs on this thread: its generator must be async`);
  }
  if (kind === 'async generator') return (work as AnyFunction)(items) as AsyncIterable<unknown>;
  return appliedToEach(work as AnyFunction, items);
}

async function* appliedToEach(
  work: AnyFunction,
  items: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, void> {
  for await (const item of items) {
    const result = work(item);
    const settled = isThenable(result) ? await result : result;
    if (settled !== undefined) yield settled;
  }
}
