// What a check says of a kernel with the values that decide something alone, and with all values.
import assert from 'node:assert/strict';
import { check } from 'poundlock/check';
import type { PtxKernelOptions } from 'poundlock/ptx';
import { computeAll } from '@poundlock/ptx/internal/kernel/left-out';
import { findEntry } from '@poundlock/ptx/internal/kernel/entry';
import { kernelOf } from '@poundlock/ptx/internal/kernel/kernel';
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';

/** What is compared of a result. */
export interface Answer {
  readonly verdict: string;
  readonly texts: readonly string[];
  /** The rules of its errors: stores of equal values have buffers of their own, and more errors. */
  readonly rules: readonly string[];
}

async function answer(options: PtxKernelOptions, isWhole: boolean): Promise<Answer> {
  const { ptx, launch } = options;
  const module = parsePtx(ptx.text, ptx.file);
  const file = readLaunchFile(launch.text, launch.file);
  const entry = findEntry(module, options.entry ?? file.kernel);
  if (isWhole) computeAll(entry);
  const { verdict, findings, scope, reason } = await check(kernelOf(module, entry, file, options), {
    sizes: 'requested',
  });
  const rules = findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
  const texts = scope.assumptions.map(({ name, text }) => `${name} ${text}`);
  return { verdict, texts: [...texts, reason ?? ''].toSorted(), rules };
}

/** Requires that a check which leaves out what decides nothing says what one of all values says. */
export async function requireOneAnswer(options: PtxKernelOptions): Promise<string> {
  const { rules, ...own } = await answer(options, false);
  const { rules: others, ...whole } = await answer(options, true);
  const text = `${options.launch.file}\n${options.ptx.text.slice(0, 5000)}`;
  assert.deepEqual(own, whole, text);
  const isOne = rules.length === 0 ? others.length === 0 : others.includes(rules[0]!);
  assert.ok(isOne, `${rules.join()} and ${others.join()} of ${text}`);
  return own.verdict;
}
