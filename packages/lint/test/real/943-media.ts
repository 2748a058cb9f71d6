// Frames, codecs, tensors, browsers: see ../cases/README.md.
import * as tf from '@tensorflow/tfjs';
import { chromium } from 'playwright';
export async function copied(device: any, blob: Blob): Promise<void> {
  const bitmap = await createImageBitmap(blob); // expect: leak
  device.queue.copyExternalImageToTexture({ source: bitmap }, [bitmap.width]);
}
export async function drawn(canvas: any, blob: Blob): Promise<void> {
  const bitmap = await createImageBitmap(blob); // expect: ok
  canvas.drawImage(bitmap, 0, 0);
  bitmap.close();
}
export async function transferred(canvas: any, blob: Blob): Promise<void> {
  const bitmap = await createImageBitmap(blob); // expect: ok
  canvas.transferFromImageBitmap(bitmap);
  bitmap.close();
}
export function encoded(encoder: any, canvas: any): void {
  const frame = new VideoFrame(canvas); // expect: leak
  encoder.encode(frame);
}
export function passed(controller: TransformStreamDefaultController<VideoFrame>, canvas: any): void {
  controller.enqueue(new VideoFrame(canvas)); // expect: ok
}
export function twice(frame: VideoFrame, controller: TransformStreamDefaultController<VideoFrame>): void {
  controller.enqueue(frame);
  frame.close(); // expect: double-release
}
export class Sink {
  #encoder: any;
  constructor() { this.#encoder = new VideoEncoder({ output: () => {}, error: () => {} }); } // expect: ok
  close(): void { if (this.#encoder.state !== 'closed') this.#encoder.close(); }
}
export async function warm(model: any): Promise<void> {
  const result = tf.tidy(() => model.predict(tf.zeros([1]))); // expect: leak
  await result.data();
  result.dispose();
}
export async function disposed(model: any): Promise<void> {
  const input = tf.zeros([1]); // expect: leak
  await model.run(input);
  tf.dispose(input);
}
export function tidied(values: number[]): unknown {
  return tf.tidy(() => tf.tensor1d(values).add(tf.scalar(1))); // expect: ok
}
export async function shot(url: string): Promise<void> {
  const browser = await chromium.launch(); // expect: ok
  try { const context = await browser.newContext(); await context.visit(url); } finally { await browser.close(); } // expect: ok
}
export async function gone(url: string): Promise<void> {
  const browser = await chromium.launch(); // expect: leak
  const page = await browser.newPage(); // expect: leak
  await page.goto(url);
}
export function listed(files: readonly Blob[], add: any): void {
  add((before: any[]) => {
    const after: any[] = [];
    for (const file of files) after.push({ url: URL.createObjectURL(file) }); // expect: ok
    return [...before, ...after];
  });
}
