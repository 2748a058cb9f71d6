// Waits at the end of a scope: posted, so that the following operations wait, too (P02).
import { makeOp, OpKind } from '@poundlock/core/internal/op';
import { post, type Barrier } from '@poundlock/core/internal/program';

/** Waits for absolute phase `phase` before the role's next operation, or its end. */
export function postWait(target: Barrier, phase: number): void {
  post(makeOp(OpKind.wait, { barrier: target.id, phase }));
}
