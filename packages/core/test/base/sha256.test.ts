import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256Of } from '../../src/base/index.ts';

test('the hash of a text is that of its UTF-8, at every length of its last block', () => {
  const texts = Array.from(
    { length: 130 },
    (_, length) => 'é'.repeat(length % 3) + 'a'.repeat(length),
  );
  for (const text of [...texts, '∀ x'.repeat(5000)])
    assert.equal(sha256Of(text), createHash('sha256').update(text).digest('hex'));
});
