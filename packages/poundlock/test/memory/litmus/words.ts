// The words of the litmus list: operations and agents, as short as its texts.
import type { LitmusAgent, LitmusOp, LitmusProgram } from '@poundlock/fuzz/internal/memory';

/** A row of the list: a program, what it does in words, and the verdicts that it must get. */
export interface LitmusRow extends LitmusProgram {
  readonly text: string;
  readonly want: string;
  /** Where it was seen, or why it is so. */
  readonly why?: string;
}

type Fields = Partial<LitmusOp>;

export const agent = (n: string, ...ops: readonly LitmusOp[]): LitmusAgent => ({ n, ops });

/** An agent of a CTA. */
export const inCta = (cta: number, n: string, ...ops: readonly LitmusOp[]): LitmusAgent => {
  return { n, cta, ops };
};

/** A role of two warps, or of two lanes of a warp. */
export const strands = (n: string, ...ops: readonly LitmusOp[]): LitmusAgent => {
  return { n, strands: 2, ops };
};

/** A role of one warpgroup with so many registers for each thread. */
export const warpgroup = (n: string, regs: number, ...ops: readonly LitmusOp[]): LitmusAgent => {
  return { n, threads: 128, regs, ops };
};

/** An agent of the dependent grid. */
export const dependent = (n: string, ...ops: readonly LitmusOp[]): LitmusAgent => {
  return { n, cta: 5, grid: 1, ops };
};

export const R = (l: string, fields: Fields = {}): LitmusOp => ({ k: 'R', l, ...fields });
export const W = (l: string, fields: Fields = {}): LitmusOp => ({ k: 'W', l, ...fields });
export const fence = (f: string, fields: Fields = {}): LitmusOp => ({ k: 'fence', f, ...fields });
export const arr = (b: string, fields: Fields = {}): LitmusOp => ({ k: 'arr', b, ...fields });
export const init = (b: string, n = 1): LitmusOp => ({ k: 'init', b, n });
export const wait = (b: string, ph = 0, fields: Fields = {}): LitmusOp => {
  return { k: 'wait', b, ph, ...fields };
};

/** A copy that completes on a barrier, and one with the bytes that the barrier expects. */
export const copy = (l: string, b: string, fields: Fields = {}): LitmusOp => {
  return { k: 'copy', w: [l], b, bytes: 64, ...fields };
};
export const load = (l: string, b: string, fields: Fields = {}): LitmusOp[] => {
  return [arr(b, { tx: fields.bytes ?? 64 }), copy(l, b, fields)];
};

/** A copy out of shared memory, which is a group of its own. */
export const store = (l: string, fields: Fields = {}): LitmusOp => {
  return { k: 'copy', r: [l], w: ['g'], g: true, ...fields };
};
export const gwait = (n = 0, fields: Fields = {}): LitmusOp => ({ k: 'gwait', n, ...fields });

export const mma = (r: readonly string[], w: readonly string[]): LitmusOp => ({ k: 'mma', r, w });
export const commit = (b: string): LitmusOp => ({ k: 'commit', b });
export const tld = (l: string): LitmusOp => ({ k: 'tld', l });
export const tst = (l: string): LitmusOp => ({ k: 'tst', l });
export const twait = (w0: 'ld' | 'st'): LitmusOp => ({ k: 'twait', w0 });
export const wg = (r: readonly string[], w: readonly string[] = []): LitmusOp => {
  return { k: 'wg', r, w };
};
export const wgwait = (fields: Fields = {}): LitmusOp => ({ k: 'wgwait', ...fields });
export const cpa = (l: string): LitmusOp => ({ k: 'cpa', w: [l] });
export const cpwait: LitmusOp = { k: 'cpwait' };
export const cparr = (b: string): LitmusOp => ({ k: 'cparr', b });

export const named = (n: number, fields: Fields = {}): LitmusOp => ({ k: 'named', n, ...fields });
export const narr = (n: number, fields: Fields = {}): LitmusOp => ({ k: 'narr', n, ...fields });
export const sw: LitmusOp = { k: 'sw' };
export const clarr = (fields: Fields = {}): LitmusOp => ({ k: 'clarr', ...fields });
export const clwait = (fields: Fields = {}): LitmusOp => ({ k: 'clwait', ...fields });

export const dec = (n: number): LitmusOp => ({ k: 'dec', n });
export const inc = (n: number): LitmusOp => ({ k: 'inc', n });
export const trigger: LitmusOp = { k: 'trigger' };
export const gridwait: LitmusOp = { k: 'gridwait' };

/** Semantics and scopes. */
export const RELAXED = { sem: 'rlx' } as const;
export const CLUSTER = { sc: 'cluster' } as const;

/** Memory of many programs. */
export const S = { s: {} } as const;
export const S_OF_1 = { s: { cta: 1 } } as const;
export const S_AND_T = { s: {}, t: {} } as const;
export const S_AND_G = { s: {}, g: { space: 'gl' } } as const;
export const D = { d: { space: 'tm' } } as const;
export const S_AND_D = { s: {}, d: { space: 'tm' } } as const;
