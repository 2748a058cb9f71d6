// Idioms, as the labelled cases: see ../cases/README.md.
export function t1(): void { // expect: ok
  const h = acquire(); try { risky(); } finally { h.release(); }
}
export function t2(): void { const h = acquire(); // expect: leak [throw:call]
  risky(); h.release(); }
export function t3(): void { // expect: ok
  const h = acquire(); try { risky(); h.release(); } catch (e) { h.release(); throw e; }
}
export function t4(): void { const h = acquire(); try { risky(); } catch { note(1); return; } h.release(); } // expect: leak [throw:call]
export function t5(): void { // expect: ok
  let h: Handle | undefined;
  try { h = acquire(); risky(); } catch (e) { note(e); } finally { h?.release(); }
}
export function t6(): void { const h = acquire(); try { risky(); } finally { note(h.id); } h.release(); } // expect: leak [throw:call]
export function t7(): void { // expect: ok
  const h = acquire(); try { try { risky(); } finally { note(1); } } finally { h.release(); }
}
export function t8(): void { const a = acquire(); // expect: leak [throw:call]
  const b = acquire(); try { risky(); } finally { b.release(); a.release(); } }
export function t9(): void { // expect: ok
  const a = acquire(); try { const b = acquire(); try { risky(); } finally { b.release(); } } finally { a.release(); }
}
export function t10(): void { const t = acquireTouchy(); // expect: ok
  t.release(); }
export function t11(): void { const a = acquireSafe(); const t = acquireTouchy2(); try { note(1); } finally { t.release(); a.release(); } } // expect: leak [throw:release]
/** @nothrow */ declare function acquireTouchy2(): Touchy;
export function t12(): Handle { // expect: ok
  const h = acquire(); try { h.check(); } catch (e) { h.release(); throw e; } return h;
}
export function t13(): number { // expect: ok
  const h = acquire(); try { return h.use(); } finally { h.release(); }
}
export function t14(): void { const h = acquire(); try { throw new Error("x"); } finally { h.use(); } } // expect: leak
export function t15(): void { // expect: ok
  const h = acquire(); try { if (cond()) throw new Error("x"); } catch { note(2); } h.release();
}
function must(n: number): void { if (n < 0) throw new Error("neg"); }
export function t16(n: number): void { const h = acquire(); // expect: leak [throw:explicit]
  must(n); h.release(); }
function mustNot(n: number): number { try { return risky() + n; } catch { return 0; } }
export function t17(n: number): void { // expect: ok
  const h = acquire(); mustNot(n); h.release();
}
export function t18(): void { const h = acquire(); try { h.check(); } catch (e) { if (e instanceof RangeError) { h.release(); throw e; } throw e; } h.release(); } // expect: leak [throw:call]
export function t19(): void { try { const h = acquire(); // expect: leak [throw:call]
  risky(); h.release(); } catch (e) { note(e); } }
export function t20(): void { // expect: ok
  const tx = begin(); let ok = false; try { tx.validate(); ok = true; } finally { if (ok) tx.commit(); else tx.rollback(); }
}
export function t21(): void { // expect: ok
  const tx = begin(); try { tx.validate(); tx.commit(); } catch (e) { tx.rollback(e); }
}
export function t22(): void { const h = acquire(); // expect: leak [throw:call]
 note(JSON.stringify(risky())); h.release(); }
export function t23(s: string): void { const h = acquire(); // expect: leak [throw:call]
 const v = JSON.parse(s); note(v); h.release(); }
export function t24(xs: number[]): void { // expect: ok
  const h = acquire(); xs.sort((a, b) => a - b); Math.max(1, 2); console.log(xs.join(",")); h.release();
}
export function t25(h: Handle): void { // expect: ok
  try { risky(); } finally { h.release(); }
}
export function t26(/** @owned */ h: Handle): void { // expect: leak [throw:call]
  risky(); h.release();
}
export function t27(): void { const e = new Envelope(acquireSafe()); e.end(); } // expect: leak [throw:call]
export function t28(): void { const h = acquireSafe(); let e: Envelope; try { e = new Envelope(h); } catch (x) { h.release(); throw x; } e.end(); } // expect: ok
