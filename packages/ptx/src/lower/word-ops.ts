// Actions on words of global memory that warps poll as operations.
import { makeOp, OpKind } from '@poundlock/core/internal/op';
import type { OpsOf } from './player.ts';

/** Writes, polls and what guards them. */
export const WORD_OPS: OpsOf<'signal' | 'poll' | 'guard' | 'gridLaunch' | 'gridWait'> = {
  gridLaunch: () => [makeOp(OpKind.launchDependents, {})],
  gridWait: () => [makeOp(OpKind.waitGrids, { begins: false })],
  signal: ({ counters }, { counter, arrivals, order }) => {
    const target = { barrier: counters[counter]!, ctas: [], order };
    return [makeOp(OpKind.arrive, { ...target, arrivals, lanes: 1, bytes: 0 })];
  },
  poll: ({ counters }, { counter, phase, order }) => [
    makeOp(OpKind.wait, { barrier: counters[counter]!, phase, order }),
  ],
  guard: ({ guards }, { read, written }) => {
    const place = (index: number) => ({ buffer: guards[index]!, cta: null });
    return [
      ...read.map((index) => makeOp(OpKind.read, place(index))),
      ...written.map((index) => makeOp(OpKind.write, place(index))),
    ];
  },
};
