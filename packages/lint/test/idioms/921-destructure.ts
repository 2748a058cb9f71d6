// Idioms, as the labelled cases: see ../cases/README.md.
export function d1(): void { const { handle } = acquireWithMeta(); handle.release(); } // expect: ok
export function d2(): void { const { meta } = acquireWithMeta(); note(meta.label); } // expect: leak
export function d3(): void { const [a, b] = acquireTwo(); a.release(); b.release(); a.release(); } // expect: double-release
export function d4(): void { const [, b] = acquireTwo(); b.release(); } // expect: leak
export function d5(): void { const [a, ...rest] = acquireMany(3); a?.release(); for (const h of rest) h.release(); } // expect: ok
export function d6(): void { const { handle, ...rest } = acquireWithMeta(); note(rest); handle.release(); } // expect: ok
export function d7(): void { let a: Handle, b: Handle; [a, b] = acquireTwo(); a.release(); b.release(); } // expect: ok
export function d8(): void { let h: Handle; ({ handle: h } = acquireWithMeta()); h.release(); } // expect: ok
export function d9({ h }: { h: Handle }): void { h.use(); } // expect: ok
export function d10(): void { const r = acquireWithMeta(); const { handle = acquireSafe() } = r; handle.release(); } // expect: ok
export function d11(): void { const pair = acquireTwo(); pair[0].release(); pair[1].release(); } // expect: ok
export function d12(): void { const pair = acquireTwo(); pair[0].release(); } // expect: leak
export function d13(): void { const o = acquireWithMeta(); o.handle.release(); } // expect: ok
export function d14(): void { const { release } = acquire(); release(); } // expect: ok
export function d15(): void { const h = acquire(); const { id, released } = h; note(id, released); h.release(); } // expect: ok
export function d16(): void { const [a, b] = [acquireSafe(), acquireSafe()]; a.release(); b.release(); } // expect: ok
export function d17(): void { const [a, b] = [acquireSafe(), acquireSafe()]; a.release(); note(b.id); } // expect: leak
