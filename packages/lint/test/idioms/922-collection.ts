// Idioms, as the labelled cases: see ../cases/README.md.
export function k1(): void { const hs = [acquireSafe(), acquireSafe()]; for (const h of hs) h.release(); } // expect: ok
export function k2(n: number): void { // expect: ok
  const hs: Handle[] = []; for (let i = 0; i < n; i++) hs.push(acquireSafe()); for (const h of hs) h.release();
}
export function k3(n: number): void { // expect: ok
  const hs: Handle[] = []; try { for (let i = 0; i < n; i++) hs.push(acquire()); } finally { for (const h of hs) h.release(); }
}
export function k4(n: number): void { const hs: Handle[] = []; for (let i = 0; i < n; i++) hs.push(acquire()); for (const h of hs) h.release(); } // expect: leak [throw:call]
export function k5(): void { const m = new Map<string, Handle>(); m.set("a", acquireSafe()); for (const h of m.values()) h.release(); } // expect: ok
export function k6(): void { const m = new Map<string, Handle>(); m.set("a", acquireSafe()); for (const [, h] of m) h.release(); } // expect: ok
export function k7(): void { const m = new Map<string, Handle>(); m.set("a", acquireSafe()); m.get("a")!.release(); } // expect: ok
export function k8(): void { const m = new Map<string, Handle>(); m.set("a", acquireSafe()); m.delete("a"); } // expect: leak
export function k9(): void { const m = new Map<string, Handle>(); m.set("a", acquireSafe()); m.clear(); } // expect: leak
export function k10(): void { const s = new Set<Handle>(); s.add(acquireSafe()); for (const h of s) h.release(); } // expect: ok
export function k11(): void { const s = new Set<Handle>(); s.add(acquireSafe()); note(s.size); } // expect: leak
export function k12(): void { const hs = acquireMany(3); hs.forEach((h) => { h.use(); }); } // expect: leak
export function k13(): void { const hs = acquireMany(3); for (const h of hs) { if (h.use() > 1) break; h.release(); } } // expect: leak
export function k14(): void { const hs = acquireMany(3); for (const h of hs) h.release(); for (const h of hs) h.release(); } // expect: double-release
export function k15(): Handle[] { return acquireMany(3); } // expect: ok
export function k16(): void { const hs = k15(); hs.forEach((h) => h.release()); } // expect: ok
export function k17(): void { const hs = k15(); note(hs.length); } // expect: leak
export function k18(): void { const hs = [1, 2, 3].map(() => acquireSafe()); hs.forEach((h) => h.release()); } // expect: ok
export function k19(): void { const hs = [1, 2, 3].map(() => acquireSafe()); note(hs.length); } // expect: leak
export function k20(): void { const hs = acquireMany(2); hs.length = 0; } // expect: leak
export function k21(): void { const hs = acquireMany(2); for (const h of hs.splice(0)) h.release(); } // expect: ok
export function k22(): void { const hs = acquireMany(2); const all = [...hs]; for (const h of all) h.release(); } // expect: ok
export async function k23(): Promise<void> { const hs: AsyncHandle[] = []; try { for (let i = 0; i < 3; i++) hs.push(await openAsync()); } finally { await Promise.all(hs.map((h) => h.close())); } } // expect: ok
export async function k24(): Promise<void> { const hs: AsyncHandle[] = []; for (let i = 0; i < 3; i++) hs.push(await openAsync()); await Promise.all(hs.map((h) => h.close())); } // expect: leak [throw:await]
export function k25(): void { const o: Record<string, Handle> = {}; o["a"] = acquireSafe(); o["a"].release(); } // expect: ok
export function k26(): void { const hs = acquireMany(2); const first = hs.shift(); first?.release(); for (const h of hs) h.release(); } // expect: ok
export function k27(): void { const hs = acquireMany(2); const first = hs[0]; first.release(); for (const h of hs) h.release(); } // expect: double-release
export function k28(): void { const hs: Handle[] = []; hs.push(acquireSafe()); const h = hs.pop(); h?.release(); } // expect: ok
export function k29(xs: number[]): void { const hs = xs.map(() => acquireSafe()); while (hs.length) { const h = hs.pop(); if (h) h.release(); } } // expect: ok
export function k30(): void { const q = [acquireSafe()]; for (;;) { const h = q.shift(); if (!h) break; h.release(); } } // expect: ok
export function k31(m: Map<string, Handle>): number { return m.get("x")?.use() ?? 0; } // expect: ok
export function k32(): void { const hs = acquireMany(2); hs.reverse().forEach((h) => h.release()); } // expect: ok
export function k33(): void { Object.values({ a: acquireSafe(), b: acquireSafe() }).forEach((h) => h.release()); } // expect: ok
export function joinedAll(ids: string[]): { all: Handle[] } { const made = ids.map(() => { const h = acquireSafe(); return [h]; }); return { all: ([] as Handle[]).concat(...made) }; } // expect: ok
export function joinedLost(): void { const all = [note(1)].concat([acquireSafe()] as never); note(all.length); } // expect: leak
