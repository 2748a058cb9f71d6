// Browsers, tensors and spans, as code without installed types uses them: see ../cases/README.md.
import * as tf from '@tensorflow/tfjs';
import puppeteer, { type Browser, type BrowserContext } from 'puppeteer';
declare const tracer: any;

export async function offspring(): Promise<string> {
  const browser = await puppeteer.launch(); // expect: ok
  try {
    const context = await browser.createBrowserContext(); // expect: ok
    const page = await context.newPage(); // expect: ok
    return await page.title();
  } finally {
    await browser.close();
  }
}
export async function connected(url: string): Promise<string> {
  const browser = await puppeteer.connect({ browserURL: url }); // expect: leak
  const title = await titleOf(browser);
  await browser.disconnect();
  return title;
}
export async function pageOfOthers(context: BrowserContext): Promise<string> {
  const page = await context.newPage(); // expect: leak
  const title = await page.title();
  await page.close();
  return title;
}
export async function pageForOthers(context: BrowserContext): Promise<void> {
  const page = await context.newPage(); // expect: ok
  await page.goto('https://example.com');
}
export async function meantToStay(options: { keepAlive: boolean }): Promise<void> {
  const browser = await puppeteer.launch(); // expect: ok
  try {
    await titleOf(browser);
  } finally {
    if (!options.keepAlive) await browser.close();
  }
}
export async function unguarded(options: { keepAlive: boolean }): Promise<void> {
  const browser = await puppeteer.launch(); // expect: leak
  await titleOf(browser);
  if (!options.keepAlive) await browser.close();
}

export async function leftOver(input: tf.Tensor): Promise<unknown> {
  const found = tf.tidy(() => tf.mul(input, 2).expandDims(0)); // expect: leak
  return found.data();
}
export async function leftOvers(input: tf.Tensor): Promise<void> {
  const found = tf.tidy(() => [tf.mul(input, 2), tf.mul(input, 3)]); // expect: leak
  await shown(found);
  found.forEach((each) => each.dispose());
}
export function numbers(input: tf.Tensor): Float32Array {
  return tf.tidy(() => tf.mul(input, 2).dataSync()); // expect: ok
}
export function chained(input: tf.Tensor): tf.Tensor {
  const doubled = tf.mul(input, 2); // expect: ok
  const result = doubled.add(1); // expect: ok
  doubled.dispose();
  return result;
}
export async function pieces(input: tf.Tensor): Promise<void> {
  const [first, second] = tf.split(input, 2); // expect: leak
  await shown([first, second]);
  first.dispose();
  second.dispose();
}
function helper(input: tf.Tensor): tf.Tensor {
  const doubled = tf.mul(input, 2); // expect: ok
  return tf.add(doubled, 1);
}
export function helped(input: tf.Tensor): tf.Tensor {
  return tf.tidy(() => helper(input));
}

export async function inClosure(work: () => Promise<void>): Promise<void> {
  const span = tracer.startSpan('work'); // expect: leak
  return tracer.withSpan(span, async () => {
    await work();
    span.end();
  });
}
export async function inClosureGuarded(work: () => Promise<void>): Promise<void> {
  const span = tracer.startSpan('work'); // expect: ok
  return tracer.withSpan(span, async () => {
    try {
      await work();
    } finally {
      span.end();
    }
  });
}
export async function inClosureAndOut(work: () => Promise<void>): Promise<void> {
  const span = tracer.startSpan('work'); // expect: ok
  try {
    await tracer.withSpan(span, async () => {
      await work();
      span.end();
    });
  } catch (error) {
    span.end();
    throw error;
  }
}
export function active(work: () => Promise<void>): Promise<void> {
  return tracer.startActiveSpan('work', async (span: any) => { // expect: leak
    await work();
    span.end();
  });
}
export function activeGuarded(work: () => Promise<void>): Promise<void> {
  return tracer.startActiveSpan('work', async (span: any) => { // expect: ok
    try {
      await work();
    } finally {
      span.end();
    }
  });
}
export async function dropped(chunks: readonly EncodedVideoChunk[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const decoder = new VideoDecoder({ output: (frame) => frame.close(), error: reject }); // expect: leak
    for (const chunk of chunks) decoder.decode(chunk);
    decoder.flush().then(resolve).catch(reject);
  });
}
declare function titleOf(browser: Browser): Promise<string>;
declare function shown(tensors: unknown): Promise<void>;
export async function neverRejected(onEnd: (end: () => void) => void): Promise<void> {
  const ended = Promise.withResolvers<void>();
  onEnd(() => ended.resolve());
  const context = new AudioContext(); // expect: ok
  await ended.promise;
  await context.close();
}
declare const settings: { close(browser: Browser): void };
export async function lostBetween(url: string): Promise<unknown> {
  const open = async (): Promise<Browser> => puppeteer.connect({ browserURL: url });
  const browser = await open(); // expect: leak
  await titleOf(browser);
  return browser.close();
}
export async function openedElsewhere(context: BrowserContext): Promise<{ page: unknown }> {
  const page = await context.newPage(); // expect: ok
  return { page };
}
export async function orNot(callback: unknown, work: () => Promise<void>): Promise<void> {
  const span = tracer.startSpan('work'); // expect: ok
  if (callback === undefined) span.end();
  else if (typeof callback === 'function') callback(() => span.end());
}
export function gatherings(all: any, model: any): unknown {
  return all.map((item: any) => {
    const first = tf.argMax(model, 1); // expect: ok
    return { first, item };
  }).toArray();
}
export async function known(): Promise<number[]> {
  const tensor = tf.ones([2]); // expect: ok
  tensor.dispose();
  return tensor.shape;
}
/** A page ends with the browser that the caller gets. */
export async function opened(): Promise<unknown> {
  const browser = await puppeteer.launch(); // expect: leak [throw:await]
  const page = await browser.newPage(); // expect: ok
  page.setDefaultTimeout(100);
  return browser;
}
export async function visited(url: string): Promise<unknown> {
  const browser = await puppeteer.launch(); // expect: leak [throw:await]
  const page = await browser.newPage(); // alt: leak
  await page.goto(url);
  return browser;
}
export async function forgotten(url: string): Promise<string> {
  const browser = await puppeteer.launch(); // expect: leak
  const page = await browser.newPage(); // alt: leak
  await page.goto(url);
  return page.title();
}
