// Idioms, as the labelled cases: see ../cases/README.md.
export function co1(given?: Handle): number { // expect: ok
  const h = given ?? acquire(); try { return h.use(); } finally { if (!given) h.release(); }
}
export function co2(given?: Handle): number { // expect: ok
  const h = given ?? acquire(); const own = !given; try { return h.use(); } finally { if (own) h.release(); }
}
export function co3(given?: Handle): number { // expect: ok
  let h = given; let own = false; if (!h) { h = acquire(); own = true; } const n = h.use(); if (own) h.release(); return n;
}
export function co4(given?: Handle): number { // expect: ok
  const h = given || acquire(); const n = h.use(); if (h !== given) h.release(); return n;
}
export function co5(given?: Handle): number { const h = given ?? acquire(); const n = h.use(); if (given) h.release(); return n; } // expect: leak
export function co6(given: Handle | null): number { // expect: ok
  const created = given === null ? acquire() : null; const h = given ?? created!; const n = h.use(); created?.release(); return n;
}
export function co7(own: boolean, g: Handle): void { // expect: ok
  const h = own ? acquire() : g; h.use(); if (own) h.release();
}
export function co8(own: boolean, g: Handle): void { const h = own ? acquire() : g; h.use(); if (!own) h.release(); } // expect: leak
export function co9(opts: { handle?: Handle }): void { // expect: ok
  const h = opts.handle ?? acquire(); h.use(); if (!opts.handle) h.release();
}
export function co10(opts: { keep: boolean }): Handle | undefined { // expect: ok
  const h = acquire(); h.use(); if (opts.keep) return h; h.release(); return undefined;
}
export function co11(mode: "r" | "w"): void { // expect: ok
  let h: Handle | undefined; if (mode === "w") h = acquire(); note(1); if (mode === "w") h!.release();
}
export async function co12(given?: AsyncHandle): Promise<number> { // expect: ok
  const h = given ?? (await openAsync()); try { return await h.read(); } finally { if (!given) await h.close(); }
}
export function co13(given?: Handle): void { // expect: ok
  const owned = given === undefined; const h = owned ? acquire() : given; try { risky(); } finally { if (owned) h.release(); }
}
export class Q { q: Handle | undefined; run(): void { const h = this.q ?? acquire(); h.use(); if (h !== this.q) h.release(); } } // expect: ok
