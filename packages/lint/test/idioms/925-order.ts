// Idioms, as the labelled cases: see ../cases/README.md.
export function q1(): void { const s = new Session(); const c = s.open(); c.shut(); s.end(); } // expect: ok
export function q2(): void { const s = new Session(); const c = s.open(); s.end(); c.shut(); } // expect: order
export function q3(): void { const s = new Session(); { using c = s.open(); c.next(); } s.end(); } // expect: ok
export function q4(): void { const s = new Session(); const c = s.open(); try { c.next(); } finally { c.shut(); s.end(); } } // expect: ok
export function q5(): void { const s = new Session(); const c = s.open(); try { c.next(); } finally { s.end(); c.shut(); } } // expect: order
export function q6(): void { const s = new Session(); s.ping(); s.end(); s.ping(); } // expect: use-after-release
export async function q7(p: Pool): Promise<void> { const c = await p.connect(); const tx = await c.transaction(); // alt: leak
 c.free(); tx.commit(); } // expect: order
export function q8(): void { const s = new Session(); const c = s.open(); if (cond()) { c.shut(); s.end(); } else { s.end(); c.shut(); } } // expect: order
export function q9(s: Session): void { const c = s.open(); c.next(); c.shut(); } // expect: ok
