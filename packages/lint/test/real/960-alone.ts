// Functions cut out of their files: nothing says what their names are. See ../cases/README.md.
export async function neverEnded(config: any): Promise<void> {
  const client = new Client(config); // expect: leak
  await client.connect();
  await client.query('select 1');
}
export async function namespaced(config: any): Promise<void> {
  const client = new pg.Client(config); // expect: leak
  await client.connect();
  await client.query('select 1');
  await client.end();
}
export async function endedAnyway(config: any): Promise<void> {
  const client: any = new Client(config); // expect: ok
  await client.connect();
  try { await client.query('select 1'); } finally { await client.end(); }
}
export async function otherClient(config: any): Promise<void> {
  const client = new Client(config); // expect: ok
  await client.connect();
  await client.send('hello');
}
export async function opened(path: string): Promise<void> {
  const file = await open(path, { write: true }); // expect: leak
  await file.stat();
  await file.close();
}
export async function openedWell(path: string): Promise<void> {
  const file = await open(path, 'r'); // expect: ok
  try { await file.stat(); } finally { await file.close(); }
}
export function aWindow(url: string): void {
  const popup = open(url); // expect: ok
  if (url === '') throw new Error('no');
  popup.close();
}
export async function gathered(db: Pool, all: string[]): Promise<void> {
  const client = await db.connect(); // expect: leak
  await Promise.all([load('a'), load('b')]);
  client.release();
}
export async function gatheredLater(db: Pool, all: string[]): Promise<void> {
  const client = await db.connect(); // expect: leak
  const waiting = [];
  for (const each of all) waiting.push(load(each));
  await Promise.all(waiting);
  client.release();
}
export async function nothingToWaitFor(db: Pool): Promise<void> {
  const client = await db.connect(); // expect: ok
  await Promise.allSettled([load('a'), load('b')]);
  client.release();
}
export async function helper(url: string): Promise<string> {
  const browser = await startBrowserInstance(); // expect: leak
  const text = await visit(browser, url);
  await browser.close();
  return text;
}
export async function helperInTry(url: string): Promise<string> {
  const browser = await startBrowserInstance(); // expect: ok
  try { return await visit(browser, url); } finally { await browser.close(); }
}
export async function helperOfOthers(url: string): Promise<string> {
  const page = await openPage(url); // expect: ok
  return await page.content();
}
export async function helperGivenOn(url: string): Promise<unknown> {
  const session = await createSession(url); // expect: ok
  sessions.set(url, session);
  return session;
}
export async function begunOutside(rows: any): Promise<void> {
  const connection = await getConnection(); // expect: leak
  await startTransaction(connection);
  try { await insertAll(rows, connection); await commit(connection); } catch (error) { await rollback(connection); throw error; }
}
export async function begunInside(rows: any): Promise<void> {
  const connection = await getConnection(); // expect: ok
  try { await startTransaction(connection); await insertAll(rows, connection); await commit(connection); } catch (error) { await rollback(connection); throw error; }
}
export async function givenOrMade(order: any, given?: any): Promise<void> {
  const connection = given || (await getConnection('orders')); // expect: leak
  if (order === undefined) throw new Error('no order');
  try {
    if (!given) await beginTransaction(connection);
    await insertAll(order, connection);
    if (!given) await commit(connection);
  } catch (error) {
    if (!given) await rollback(connection);
    throw error;
  }
}
export async function lentAround(pool: any): Promise<void> {
  const client = await pool.connect(); // expect: ok
  try { await startTransaction(client); await commit(client); } catch (error) { await rollback(client); throw error; }
}
export async function begunOnPool(pool: any): Promise<void> {
  const client = await pool.connect(); // expect: leak
  await startTransaction(client);
  try { await insertAll([], client); await commit(client); } catch (error) { await rollback(client); throw error; }
}
export async function warmed(pool: any): Promise<unknown> {
  const item = await pool.acquire(); // expect: leak
  await afterAcquire(item);
  return item;
}
export async function enlisted(pool: any): Promise<void> {
  const item = await pool.acquire(); // expect: ok
  await register(item);
  await afterAll();
}
export function inContext(tracer: any, api: any): void {
  const span = tracer.startSpan('a'); // expect: leak
  api.context.with(api.trace.setSpan(api.context.active(), span), () => { insertAll([], span.name); });
}
export function inContextEnded(tracer: any, api: any): void {
  const span = tracer.startSpan('a'); // expect: ok
  api.context.with(api.trace.setSpan(api.context.active(), span), () => { span.end(); });
}
export async function tried(host: string, user: string): Promise<boolean> {
  const client = new Client({ host, user, database: 'orders' }); // expect: leak
  await client.connect();
  return true;
}
export async function triedByConfig(host: string, user: string): Promise<any> {
  const config = { host, user, port: 5432, database: 'orders' };
  const client = new Client(config); // expect: ok
  try { await client.connect(); return config; } finally { await client.end(); }
}
export async function ofAnything(name: string, version: string): Promise<boolean> {
  const client = new Client({ name, version }); // expect: ok
  await client.connect(transport);
  return true;
}
export async function failed(host: string, user: string): Promise<void> {
  const client = new Client({ host, user, database: 'orders' }); // expect: leak
  try { await client.connect(); await client.query('select 1'); } catch (error) {
    throwConnectionError(error);
    await client.end();
  }
  await client.end();
}
export class Sessions {
  async cast(tab: any): Promise<any> {
    const connection = await (this.inner as mysql.Pool).getConnection(); // expect: leak
    await connection.query('use orders');
    return connection;
  }
  async castToOwn(tab: any): Promise<any> {
    const connection = await (this.inner as Held).getConnection(); // expect: ok
    await connection.query('use orders');
    return connection;
  }
  async lent<R>(work: Work<R>): Promise<R> {
    const client = await this.pool.connect(); // expect: ok
    try {
      return work(client); // expect: use-after-release
    } finally { client.release(); }
  }
  async lentWaiting<R>(work: Work<R>): Promise<R> {
    const client = await this.pool.connect(); // expect: ok
    try { return await work(client); } finally { client.release(); }
  }
  async lentToPlain(name: (client: any) => string): Promise<string> {
    const client = await this.pool.connect(); // expect: ok
    try { return name(client); } finally { client.release(); }
  }
}
