// Kernels as built with their right answers: what `poundlock check` of each has to say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the kernels are, each with its launch file. */
export const CASES = join(import.meta.dirname, 'cases');

/** A kernel with its answer. */
export interface Case {
  readonly file: string;
  /** Options of `check`. */
  readonly args: readonly string[];
  /** The exit code that is right, and those that are accepted. */
  readonly exit: number;
  readonly ok: readonly number[];
  readonly kind: string;
  readonly why: string;
  /** The rules that the first error may have. */
  readonly rule?: readonly string[];
  /** Words that are not to be printed. */
  readonly not?: string;
}

export function readCases(): Case[] {
  const lines = readFileSync(join(CASES, 'cases.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Case);
}

/** What is wrong with an answer; `null` for nothing. */
export function faultOf(
  { ok, rule, not }: Case,
  { code, stdout, stderr }: { code: number; stdout: string; stderr: string },
): string | null {
  const text = stdout + stderr;
  if (!ok.includes(code)) return `exit ${code}`;
  const first = /error\[([a-z0-9-]+)\]/.exec(text)?.[1] ?? 'no rule';
  if (code === 1 && rule !== undefined && !rule.includes(first)) return first;
  return not !== undefined && text.includes(not) ? `prints '${not}'` : null;
}
