// Releases whose failure somebody has thought of: what they do a second time is no surprise.
import type { Place } from './state.ts';

const CAUGHT = /^\s*\??\.catch\s*\(/;
const TRIED = /\btry\s*\{\s*(await\s+)?$/;
const HANDLED = /^;?\s*\}\s*catch\b/;
const MAX_BEFORE = 40;
const MAX_AFTER = 40;

/** `dir.close().catch(() => {})`, `try { await dir.close() } catch {}`. */
export function isPreparedFor({ file: { text }, start, end }: Place): boolean {
  const after = text.slice(end, end + MAX_AFTER);
  if (CAUGHT.test(after)) return true;
  return TRIED.test(text.slice(Math.max(0, start - MAX_BEFORE), start)) && HANDLED.test(after);
}
