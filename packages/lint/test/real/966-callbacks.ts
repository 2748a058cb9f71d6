// What callbacks are given, what is handed over behind a question, and promises of unknown makers:
// see ../cases/README.md.
declare const player: any;
declare const pool: any;
export function decoderOf(): VideoDecoder {
  const init = {
    output: async (frame: VideoFrame) => { // expect: leak
      if (player.canvas === undefined) return;
      player.context.drawImage(frame, 0, 0);
      frame.close();
    },
    error: () => {},
  };
  return new VideoDecoder(init);
}
export function decoderInPlace(): AudioDecoder {
  return new AudioDecoder({
    output: (data) => { // expect: leak
      if (data.numberOfChannels !== 1) throw new Error('mono only');
      data.close();
    },
    error: () => {},
  });
}
export function decoderThatCloses(): VideoDecoder {
  return new VideoDecoder({
    output: (frame) => { // expect: ok
      try { player.context.drawImage(frame, 0, 0); } finally { frame.close(); }
    },
    error: () => {},
  });
}
export function decoderThatKeeps(frames: VideoFrame[]): VideoDecoder {
  return new VideoDecoder({ output: (frame) => void frames.push(frame), error: () => {} }); // expect: ok
}
export class Denoiser {
  transform(
    data: AudioData, // expect: leak
    controller: TransformStreamDefaultController<AudioData>,
  ): void {
    if (data.numberOfChannels !== 1) throw new Error('mono only');
    player.process(data.timestamp);
    data.close();
  }
  pass(data: AudioData, controller: TransformStreamDefaultController<AudioData>): void {
    controller.enqueue(data); // expect: ok
  }
  read(data: AudioData): void {
    if (data.numberOfChannels !== 1) throw new Error('mono only'); // expect: ok
    data.close();
  }
}
export function offered(blob: Blob, props: { onChange?: (url: string) => void }): void {
  const url = URL.createObjectURL(blob); // expect: ok
  if (typeof props.onChange === 'function') props.onChange(url);
}
export function offeredShort(blob: Blob, done?: (url: string) => void): void {
  const url = URL.createObjectURL(blob); // expect: ok
  done?.(url);
}
export function notOffered(blob: Blob, isWanted: boolean, done: (url: string) => void): void {
  const url = URL.createObjectURL(blob); // expect: leak
  if (isWanted) done(url);
}
export async function caught(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  await player.stop().catch(() => {});
  client.release();
}
export async function chained(): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await player.stop().then(() => {});
  client.release();
}
export async function caughtEach(all: any[]): Promise<void> {
  const client = await pool.connect(); // expect: ok
  await Promise.all(all.map((each) => each.close().catch(() => {})));
  client.release();
}
export async function finallyReleased(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  await player.stop().finally(() => client.release());
}
export function effect(url: string): () => void {
  let stop: (() => Promise<void>) | undefined;
  player.load(url).then((media: unknown) => { stop = detector(media, () => {}); }).catch(console.error);
  return () => void stop?.();
}
function detector(media: unknown, onLevel: () => void): () => Promise<void> {
  const context = new AudioContext(); // expect: ok
  player.listen(media, onLevel);
  return async function stopDetecting() { await context.close(); };
}
class Effect {
  #cleanups: (() => void)[] | undefined = [];
  cleanup(work: () => void): void {
    if (this.#cleanups === undefined) { work(); return; }
    this.#cleanups.push(work);
  }
}
export function cleanedUp(effect: Effect): void {
  const encoder = new VideoEncoder({ output: () => {}, error: () => {} }); // expect: ok
  effect.cleanup(() => encoder.close());
  encoder.configure({ codec: 'vp8', width: 1, height: 1 });
}
class Watching {
  #watcher: any;
  private context: AudioContext | undefined;
  start(): void { this.context = new AudioContext(); }
  look(): number { return 1; }
  stop(): void { void this.context?.close(); }
}
export function lookedOnce(): number {
  const watching = new Watching(); // expect: ok
  return watching.look();
}
export function started(): number {
  const watching = new Watching(); // expect: leak
  watching.start();
  return watching.look();
}
class Hooked {
  private readonly context = new AudioContext();
  constructor(hooks: { on(name: string, work: () => void): void }) {
    hooks.on('close', () => this.close());
  }
  close(): void { void this.context.close(); }
}
export function hooked(hooks: any): void {
  new Hooked(hooks); // expect: ok
}
class Tracks {
  private stream: MediaStream | undefined;
  async start(): Promise<void> { this.stream = await navigator.mediaDevices.getUserMedia({}); } // expect: ok
  stop(): void {
    if (this.stream) { this.stream.getAudioTracks().forEach((track) => track.stop()); this.stream = undefined; }
  }
}
export const tracks = new Tracks();
async function rollback(client: any): Promise<void> { await client.query('ROLLBACK'); client.release(); }
async function commit(client: any): Promise<void> {
  await client.query('COMMIT');
  if (client.inTransaction === true) return;
  client.release();
}
export async function transaction(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  try { await client.query('a'); await commit(client); } catch (error) { await rollback(client); throw error; }
}
export async function usedByItsOwner(): Promise<{ ask(text: string): Promise<unknown> }> {
  const client = await pool.connect(); // expect: ok
  return { ask: (text) => client.query(text) };
}
export async function usedAndFailed(): Promise<{ ask(text: string): Promise<unknown> }> {
  const client = await pool.connect(); // expect: leak
  await player.prepare();
  return { ask: (text) => client.query(text) };
}
export async function asked(isOpen: boolean): Promise<void> {
  const client = isOpen ? await pool.connect() : undefined; // expect: ok
  if (isOpen === false) return;
  client.release();
}
class Line {
  private state = 0;
  private held: any;
  async open(): Promise<void> {
    this.held = await pool.connect();
    try {
      if (!(await this.held.query('a'))) {
        this.close();
        throw new Error('no answer');
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }
  close(): void {
    if (this.state !== 1) {
      this.held?.release(); // expect: ok
      this.state = 1;
    }
  }
}
export const line = new Line();
export async function closedTwice(): Promise<void> {
  const client = await pool.connect();
  client.release();
  if (client) client.release(); // expect: double-release
}
export async function closedTwiceInTry(): Promise<void> {
  const client = await pool.connect();
  client.release();
  try { client.release(); } catch { await player.stop(); } // expect: ok
}
class OtherPool {}
function giveBack(client: any): void {
  if (client instanceof OtherPool) return;
  client.release();
}
export async function givenBack(): Promise<void> {
  const client = await pool.connect(); // expect: ok
  try { await client.query('a'); } finally { giveBack(client); }
}
class Reading {
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  constructor(url: string, check: (status: number) => void) {
    fetch(url)
      .then((response) => {
        this.reader = response.body?.getReader(); // expect: ok
        if (response.status !== 200) throw new Error('no');
      })
      .catch(console.error);
  }
  async cancel(): Promise<void> { await this.reader?.cancel(); }
}
export const reading = new Reading('/a', () => {});
