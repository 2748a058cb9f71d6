// Idioms, as the labelled cases: see ../cases/README.md.
export function b1(x: number): void { const h = acquire(); // expect: leak
  if (x > 1) return;
  h.release(); }
export function b2(x: boolean): void { // expect: ok
  const h = acquire();
  if (x) { h.release(); return; }
  h.release();
}
export function b3(x: boolean): void { // expect: ok
  const h = acquire();
  if (x) h.use();
  if (x) h.release();
  if (!x) h.release();
}
export function b4(k: number): void { // expect: ok
  const h = acquire();
  switch (k) { case 1: h.use(); break; case 2: h.use(); break; default: }
  h.release();
}
export function b5(k: number): void {
  const h = acquire(); // expect: leak
  switch (k) { case 1: h.release(); break; case 2: h.release(); break; }
}
export function b6(x: boolean): void { // expect: ok
  const h = x ? acquire() : acquireSafe(); h.release();
}
export function b7(x: boolean): void { // expect: ok
  const h = x ? acquire() : undefined; h?.release();
}
export function b8(x: boolean): number { // expect: ok
  const h = acquire();
  return x ? (h.release(), 1) : (h.release(), 2);
}
export function b9(x: boolean): void { const h = acquire(); // expect: leak
  x ? h.release() : h.use(); }
export function b10(): void { // expect: ok
  const h = acquire();
  cond() || h.use();
  h.release();
}
export function b11(x: number): void { // expect: ok
  const h = acquire();
  if (x === 0) fail0();
  h.release();
}
function fail0(): void {}
export function b12(x: number): void {
  const h = acquire(); // expect: leak [throw:explicit]
  if (x === 0) fail("no");
  h.release();
}
export function b13(x: number): void {
  const h = acquire(); // expect: leak [throw:explicit]
  if (x === 0) throw new Error("no");
  h.release();
}
export function b14(k: "a" | "b"): void { // expect: ok
  const h = acquireSafe();
  if (k === "a") h.release();
  else if (k === "b") h.release();
  else { const never: never = k; note(never); h.release(); }
}
export function b15(a: boolean, b: boolean): void {
  const h = acquire(); // alt: leak
  if (a) h.release();
  if (b) h.release(); // expect: double-release
}
export function b16(): void { // expect: ok
  const h = acquire();
  lab: { if (cond()) break lab; h.use(); }
  h.release();
}
export function b17(): void {
  const h = acquire(); // expect: leak
  lab: { if (cond()) break lab; h.release(); }
}
export function b18(x: boolean): void { // expect: ok
  const h = acquire();
  const done = x;
  if (done) { h.release(); }
  if (!done) { h.use(); h.release(); }
}
export function b19(n: number): void { // expect: ok
  const h = acquire();
  if (n > 3) { h.release(); } else { h.use(); }
  if (!(n > 3)) h.release();
}
