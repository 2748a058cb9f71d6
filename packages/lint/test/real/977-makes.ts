// The same names in packages of other makes.
declare const db: any;
declare const tf: any;
declare const view: any;
class Gate {
  semaphore: any;
  areaModel: any;
  fs: any;
  async whole(work: () => Promise<number>): Promise<number> {
    const release = await this.semaphore.acquire(); // expect: ok
    try {
      return await work();
    } finally {
      release();
    }
  }
  async gap(work: () => Promise<number>): Promise<number> {
    const release = await this.semaphore.acquire(); // expect: leak
    const found = await work();
    release();
    return found;
  }
  async pair(work: () => Promise<number>): Promise<number> {
    const [, release] = await this.semaphore.acquire(); // expect: ok
    try {
      return await work();
    } finally {
      release();
    }
  }
  async flag(work: (session: unknown) => Promise<number>): Promise<number> {
    const session = await this.areaModel.startSession(); // expect: leak
    let found = 0;
    await session.withTransaction(async () => void (found = await work(session)));
    return found;
  }
  async ended(work: (session: unknown) => Promise<number>): Promise<number> {
    const session = await this.areaModel.startSession(); // expect: ok
    try {
      return await session.withTransaction(() => work(session));
    } finally {
      await session.endSession();
    }
  }
  async read(name: string, bytes: Uint8Array): Promise<number> {
    const handle = await this.fs.promises.open(name, 'r'); // expect: leak
    const { size } = await handle.stat();
    await handle.read(bytes, 0, size, 0);
    return size;
  }
  async shown(id: string): Promise<void> {
    const session = await view.startSession(id); // expect: ok
    view.show(session);
  }
}
export const gate = new Gate();
export async function swapped(fs: any, path: string, keepData: boolean): Promise<unknown> {
  const handle = await fs.promises.open(path, 'ax'); // expect: leak
  if (keepData) await fs.promises.copyFile(path, 'old');
  return [handle, path];
}
export async function left(chromium: any, url: string, keepOpen: boolean): Promise<void> {
  const browser = await chromium.launch(); // expect: ok
  try {
    const page = await browser.newPage();
    await page.goto(url);
  } finally {
    if (!keepOpen) await browser.close();
  }
}
export async function train(model: any): Promise<unknown> {
  const batch = tf.zeros([8, 28]); // expect: leak
  const { history } = await model.fit(batch, batch);
  return db.save(history);
}
