import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt, MAX_SOURCE_COLUMNS, sharedIndent } from '#src/report/excerpt';
import { widthOf } from '#src/report/width';

/** The character that a caret for `column` points at. */
function pointedAt(line: string, column: number, indent = 0): string {
  const { text, caretAt } = excerpt(line, indent, [column]);
  return text.slice(caretAt(column), caretAt(column) + 1);
}

test('a caret stands under the character of its column', () => {
  assert.equal(pointedAt('const X = 1;', 7), 'X');
  assert.equal(pointedAt('\t\tconst X = 1;', 9), 'X');
  assert.equal(pointedAt('      const X = 1;', 13, 4), 'X');
});

test('a tab reaches to the next tab stop', () => {
  assert.equal(excerpt('a\tb', 0, [1]).text, 'a   b');
});

test('what moves the cursor is not shown', () => {
  assert.equal(excerpt('a\u001b[2Jb\u0007', 0, [1]).text, 'a [2Jb');
});

test('wide and combining characters are counted as the terminal does', () => {
  const { caretAt } = excerpt("'é漢', X", 0, [1]);
  assert.equal(caretAt(6), 6);
  assert.equal(excerpt("'e\u0301', X", 0, [1]).caretAt(7), 5);
});

test('a line that is too long is cut to a window around its caret', () => {
  const long = `${'a'.repeat(200)}X${'b'.repeat(200)}`;
  const { text, caretAt } = excerpt(long, 0, [201]);
  assert.equal(widthOf(text), MAX_SOURCE_COLUMNS);
  assert.match(text, /^…a+Xb+…$/);
  assert.equal(text[caretAt(201)], 'X');
  assert.equal(pointedAt(`X${'b'.repeat(200)}`, 1), 'X');
  assert.equal(pointedAt(`${'a'.repeat(200)}X`, 201), 'X');
});

test('a caret outside of the window stands under the cut', () => {
  const long = `${'a'.repeat(200)}X${'b'.repeat(200)}`;
  const { text, caretAt } = excerpt(long, 0, [1, 201]);
  assert.equal(caretAt(1), 0);
  assert.equal(text[caretAt(201)], '…');
});

test('indentation that all lines share is removed but for two columns', () => {
  assert.equal(sharedIndent(['      a', '', '\t    b']), 4);
  assert.equal(sharedIndent([' a', '    b']), 0);
  assert.equal(sharedIndent([]), 0);
});
