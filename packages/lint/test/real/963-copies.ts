// What stands for a URL, spans of other tracers, what only its own kind is taken by: see ../cases/README.md.
export class Shown {
  url: unknown;
  constructor(private readonly sanitizer: any) {}
  show(blob: Blob): void {
    this.url = this.sanitizer.bypassSecurityTrustUrl(URL.createObjectURL(blob)); // expect: leak
  }
  hide(): void { this.url = undefined; }
}
export class Cut {
  url: unknown;
  show(blob: Blob): void { this.url = URL.createObjectURL(blob); } // expect: ok
}
export async function spanned(ctx: any, store: any): Promise<void> {
  const span = ctx.startSpan('save'); // expect: leak
  await store.put(1);
  span.finish();
}
export async function finished(ctx: any, store: any): Promise<void> {
  const span = ctx.startSpan('save'); // expect: ok
  try { await store.put(1); } finally { span.finish(); }
}
export async function counted(ctx: any): Promise<void> {
  const span = ctx.startSpan('count'); // expect: ok
  await ctx.count(span);
}
export async function written(fs: any, path: string, data: Uint8Array): Promise<void> {
  const handle = await fs.open(path, 'r+'); // expect: ok
  try { await fs.write(handle, data, 0, data.length, 0); } finally { await handle.close(); }
}
export class Painter {
  constructor(private readonly offscreenCanvas: OffscreenCanvas, private readonly gpuDevice: GPUDevice) {}
  paint(context: CanvasRenderingContext2D): void {
    const bitmap = this.offscreenCanvas.transferToImageBitmap(); // expect: leak
    context.drawImage(bitmap, 0, 0);
  }
  async read(): Promise<void> {
    const buffer = this.gpuDevice.createBuffer({ size: 4, usage: 1 }); // expect: leak
    await buffer.mapAsync(1);
    buffer.destroy();
  }
}
