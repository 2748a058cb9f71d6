import type { Borrowed, Linear, Owned } from './linear.js';
interface ConnMethods { readonly id: number; query(sql: string): string; close(): void; abort(): void }
export type Conn = Linear<ConnMethods, 'close' | 'abort'>;
/** @nothrow */ declare function connect(): Conn;
/** @nothrow */ declare function connectAll(): Conn[];
/** @nothrow */ declare function connectLater(): Promise<Conn>;
/** @nothrow */ declare function pair(): readonly [Conn, number];
/** @nothrow */ declare function boxed(): { readonly conn: Conn; readonly at: number };
/** @nothrow */ declare function attempt(): { ok: true; value: Conn } | { ok: false; error: string };
/** @nothrow */ declare function byName(): Map<string, Conn>;
/** @nothrow */ declare function take(c: Owned<Conn>): void;
/** @nothrow */ declare function look(c: Borrowed<Conn>): number;
export interface Pool { /** @nothrow */ get(): Borrowed<Conn>; /** @nothrow */ lease(): Owned<Conn>; readonly main: Conn }
declare const pool: Pool;
export function wrong1() {
  const all = connectAll(); // WRONG leak
  return all.length;
}
export function right1() { for (const c of connectAll()) c.close(); }
export async function wrong2() {
  const c = await connectLater(); // WRONG leak
  return c.id;
}
export async function right2() { const c = await connectLater(); c.abort(); }
export function wrong3() {
  const [c, n] = pair(); // WRONG leak
  return n + c.id;
}
export function right3() { const [c] = pair(); c.close(); }
export function wrong4() {
  const { conn } = boxed(); // WRONG leak
  return conn.id;
}
export function right4() { const { conn, at } = boxed(); conn.close(); return at; }
export function wrong5() {
  const r = attempt(); // WRONG leak
  if (!r.ok) return r.error;
  return r.value.query('x');
}
export function right5() { const r = attempt(); if (r.ok) { r.value.close(); return ''; } return r.error; }
export function wrong6() {
  pool.get().close(); // WRONG double
}
export function right6() { return pool.get().query('x') + pool.main.query('y'); }
export function wrong7() {
  const c = pool.lease(); // WRONG leak
  c.query('x');
}
export function right7() { const c = pool.lease(); c.query('x'); take(c); }
function give(c: Owned<Conn>) { c.close(); }
export function wrong8(c: Owned<Conn>) { // WRONG leak
  return c.id;
}
export function wrong9(c: Borrowed<Conn>) {
  c.close(); // WRONG double
}
export function right8() { give(connect()); }
export function wrong10() {
  const c = connect(); give(c);
  return c.query('x'); // WRONG late
}
export function wrong11() {
  const m = byName(); // WRONG leak
  m.get('a')?.close();
}
export function right11() { for (const c of byName().values()) c.close(); }
export class Session implements ConnMethods { id = 1; query(sql: string) { return sql; } close() {} abort() {} }
export class Tx { constructor(private readonly conn: Conn) {} end() { this.conn.close(); } }
export function wrong13() {
  const t = new Tx(connect()); // WRONG leak
  void t;
}
export function right12() { const t = new Tx(connect()); t.end(); }
class Box<T extends ConnMethods> { constructor(readonly value: T) {} }
export function wrong14() {
  const b = new Box(connect()); // WRONG leak
  return b.value.id;
}
export function right13() { const b = new Box(connect()); b.value.close(); }
export function wrong15() {
  const { id, ...rest } = connect(); // WRONG leak
  return id;
}
export function right14() { const c: Conn = connect(); const copy = { ...c }; c.close(); return copy.id; }
export function right15(x: Conn | undefined = undefined) { const c = x ?? connect(); c.close(); }
const one = (): Conn => connect();
export function wrong16() {
  const c = one(); // WRONG leak
  c.query('x');
}
export function wrong17() {
  connect(); // WRONG leak
}
export function wrong18(k: boolean) {
  const c = k ? connect() : pool.lease(); // WRONG leak
  c.query('x');
}
