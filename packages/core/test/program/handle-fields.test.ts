// Handles are created quickly: no field of theirs is looked for where members are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Side } from '#src/op/index';
import { StageHandle } from '#src/program/index';
import { BorrowedStage } from '#src/pipeline/borrowed';
import { ConsumerStage, ProducerStage } from '#src/pipeline/linear';
import type { RingDeclaration } from '#src/pipeline/ring';
import { ConsumeContext, ProduceContext } from '#src/pipeline/scoped';

const CLASSES = [ProducerStage, ConsumerStage, BorrowedStage, ProduceContext, ConsumeContext];

for (const Handle of CLASSES) {
  test(`all fields of ${Handle.name} are fields of the prototype of handles`, () => {
    const handle = new Handle({ id: 0 } as RingDeclaration, Side.produce as never, 0, 0);
    const names = Object.getOwnPropertyNames(handle);
    assert.ok(names.length > 10, names.join(' '));
    for (const name of names) assert.ok(Object.hasOwn(StageHandle.prototype, name), name);
  });
}
