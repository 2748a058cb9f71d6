// Handles whose owner is there or not, and those that their owner has while they are used.
import { spawn } from 'node:child_process';
import type { Span, Tracer } from '@opentelemetry/api';

/** @mustRelease dispose */
interface Ends {
  dispose(): void;
}
interface Owner {
  readonly list: Ends[];
}
declare function listen(name: string): Ends;

/** Without an owner nothing has to end: as `owner?.list.push(…)`. */
export class Optional {
  private readonly owner?: Owner;
  constructor(owner?: Owner) {
    if (owner !== undefined) this.owner = owner;
    const add = (each: Ends): void => {
      if (this.owner?.list) this.owner.list.push(each);
    };
    add(listen('closure'));
  }
  direct(): void {
    const ends = listen('direct');
    if (this.owner) this.owner.list.push(ends);
  }
  sometimes(isOn: boolean): void {
    const ends = listen('sometimes'); // expect: leak
    if (isOn) this.owner?.list.push(ends);
  }
}

/** What an object holds may be used beside it. */
class Holder {
  private readonly buffer: GPUBuffer;
  constructor(buffer: GPUBuffer) {
    this.buffer = buffer;
  }
  destroy(): void {
    this.buffer.destroy();
  }
}
export function beside(device: GPUDevice, holders: Holder[], data: Uint8Array): GPUBuffer {
  const buffer = device.createBuffer({ size: 8, usage: 1 });
  holders.push(new Holder(buffer));
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
export function after(device: GPUDevice, data: Uint8Array): void {
  const buffer = device.createBuffer({ size: 8, usage: 1 });
  buffer.destroy();
  device.queue.writeBuffer(buffer, 0, data); // expect: use-after-release
}

/** An option leaves the end to the callback. */
export function withSpan<T>(tracer: Tracer, run: (span: Span) => T, endOnExit: boolean): T {
  return tracer.startActiveSpan('outer', (span) => {
    try {
      return run(span);
    } finally {
      if (endOnExit) span.end();
    }
  });
}
export function withoutSpan<T>(tracer: Tracer, run: () => T, isLast: boolean): T {
  return tracer.startActiveSpan('outer', (span) => { // expect: leak
    try {
      return run();
    } finally {
      if (isLast) span.end();
    }
  });
}

/** A span that does not record has ended. */
export class Turns {
  private span?: Span;
  private readonly tracer: Tracer;
  constructor(tracer: Tracer) {
    this.tracer = tracer;
  }
  start(): Span {
    if (this.span?.isRecording()) return this.span;
    this.span = this.tracer.startSpan('turn');
    return this.span;
  }
  end(): void {
    if (this.span?.isRecording()) this.span.end();
    this.span = undefined;
  }
}

/** Whoever listens to the end of a process waits for it. */
export function waits(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('ls');
    if (signal.aborted) {
      child.kill();
      resolve();
      return;
    }
    child.on('close', () => resolve());
    child.on('error', reject);
  });
}
export function listensToData(isBad: boolean): void {
  const child = spawn('ls'); // expect: leak
  if (isBad) {
    child.kill();
    return;
  }
  child.stdout.on('data', () => undefined);
}

/** A function in a field is called on demand, as one that is assigned is. */
class Task {
  private readonly run: () => Promise<void>;
  constructor(run: () => Promise<void>) {
    this.run = run;
  }
  start(): Promise<void> {
    return this.run();
  }
}
class Short {
  constructor(private readonly run: () => Promise<void>) {}
  start(): Promise<void> {
    return this.run();
  }
}
export function tasks(): (Task | Short)[] {
  const [first, second, third] = [listen('first'), listen('second'), listen('third')]; // expect: leak
  return [
    new Task(async () => first.dispose()),
    new Short(async () => second.dispose()),
    new Short(async () => console.log(third)),
  ];
}

/** A lock on a pair of streams of an object's own ends with the object. */
class Passing<T> extends TransformStream<T, T> {}
export class Pipes {
  private readonly pair = new Passing<string>();
  private readonly given: ReadableStream<string>;
  constructor(given: ReadableStream<string>) {
    this.given = given;
  }
  async pump(signal: AbortSignal): Promise<void> {
    const reader = this.pair.readable.getReader(); // expect: note
    while (!signal.aborted) {
      const { done, value } = await reader.read();
      if (done) break;
      console.log(value);
    }
  }
  async pumpGiven(signal: AbortSignal): Promise<void> {
    const reader = this.given.getReader(); // expect: leak
    while (!signal.aborted) {
      const { done, value } = await reader.read();
      if (done) break;
      console.log(value);
    }
  }
}

addEventListener('load', () => {
  const observer = new MutationObserver(() => undefined); // expect: note
  observer.observe(document.body, { childList: true });
});
addEventListener('resize', () => {
  const observer = new MutationObserver(() => undefined); // expect: leak
  observer.observe(document.body, { childList: true });
});

/** `yield*` of an asynchronous generator has settled when it goes on. */
class Step implements Disposable {
  private readonly ends = listen('step');
  go(): void {
    console.log('go');
  }
  [Symbol.dispose](): void {
    this.ends.dispose();
  }
}
async function* steps(step: Step): AsyncGenerator<number, string> {
  await Promise.resolve();
  step.go();
  yield 1;
  await Promise.resolve();
  step.go();
  return 'done';
}
export async function* delegates(): AsyncGenerator<number, void> {
  const state: { last?: string } = {};
  while (state.last === undefined) {
    using step = new Step();
    const result = yield* steps(step);
    if (result === 'none') continue;
    state.last = result;
  }
  console.log(state);
}
async function later(step: Step): Promise<void> {
  await Promise.resolve();
  step.go();
}
export function forgets(): void {
  using step = new Step();
  void later(step); // expect: escape
}

/** What a getter gives, its object has. */
class Registered {
  private readonly ask: () => Step | undefined;
  constructor(ask: () => Step | undefined) {
    this.ask = ask;
  }
  private get step(): Step | undefined {
    return this.ask();
  }
  asks(): void {
    const step = this.step;
    if (step === undefined) return;
    step.go();
  }
  loses(): void {
    create().go(); // expect: leak
  }
}
function create(): Step {
  return new Step();
}
export const registered = new Registered(() => undefined);
