// What goes together with something else: pages with browsers, tensors with scopes, copies with files.
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { useEffect, useState } from 'react';
import * as tf from '@tensorflow/tfjs';
declare const model: any;
export class Opened {
  browser?: Browser;
  page?: Page;
  async open(): Promise<void> {
    this.browser = await puppeteer.launch(); // expect: ok
    this.page = await this.browser.newPage(); // expect: ok
  }
  async close(): Promise<void> { await this.browser?.close(); }
}
export class HalfClosed {
  browser?: Browser;
  page?: Page;
  async open(): Promise<void> {
    this.browser = await puppeteer.launch(); // expect: leak
    this.page = await this.browser.newPage(); // expect: ok
  }
  async close(): Promise<void> { await this.page?.close(); }
}
export function scoped(video: HTMLVideoElement): number[] {
  tf.engine().startScope();
  const image = tf.browser.fromPixels(video); // expect: ok
  const scores = Array.from(image.mean().dataSync()); // expect: ok
  tf.engine().endScope();
  return scores;
}
export function unscoped(video: HTMLVideoElement): number[] {
  const image = tf.browser.fromPixels(video); // expect: leak
  const mean = image.mean(); // expect: ok
  const scores = Array.from(mean.dataSync());
  mean.dispose();
  return scores;
}
export async function asked(service: any): Promise<unknown> {
  const answer = await service.predict('what'); // expect: ok
  return answer.data();
}
export function usePreviews(): (files: File[]) => void {
  const [files, setFiles] = useState<(File & { preview: string })[]>([]);
  useEffect(() => () => files.forEach((each) => URL.revokeObjectURL(each.preview)), [files]);
  return (added) => setFiles(added.map((file) => Object.assign(file, { preview: URL.createObjectURL(file) }))); // expect: ok
}
export async function attached(request: any, pool: any): Promise<void> {
  Object.assign(request, { client: await pool.connect() }); // expect: ok
}
export async function made(pool: any): Promise<void> {
  const context = Object.assign({ started: Date.now() }, { client: await pool.connect() }); // expect: leak
  await context.client.query('SELECT 1');
  context.client.release();
}
export function relayed(response: Response): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      const reader = response.body!.getReader(); // expect: ok
      try {
        for (;;) { const { done, value } = await reader.read(); if (done) break; controller.enqueue(value); }
        controller.close();
      } catch (error) { controller.error(error); } finally { reader.releaseLock(); }
    },
  });
}
