// The sentences of findings as golden files, one section for each case; UPDATE_GOLDEN=1 rewrites.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '@poundlock/core/internal/finding';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** The first line of a finding. */
export function headline({ severity, rule, message }: Finding): string {
  return `${severity}[${rule}]: ${message}`;
}

/** All that a finding says, without places. */
export function wholeText(finding: Finding): string {
  const { primary, labels, notes, helps } = finding;
  return [
    headline(finding),
    ...[primary, ...labels].map(({ role, text }) => `  ${role ?? '-'}: ${text}`),
    ...notes.map((note) => `  note: ${note}`),
    ...helps.map((help) => `  help: ${help}`),
  ].join('\n');
}

/** The golden file of the sentences of one test file. */
export class Sentences {
  readonly #path: string;
  readonly #sections: Map<string, string>;
  readonly #shown = new Set<string>();

  constructor(name: string) {
    this.#path = join(import.meta.dirname, `${name}.txt`);
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '';
    const sections = text.split(/^## /m).slice(1);
    this.#sections = new Map(
      sections.map((section) => {
        const [title = '', ...lines] = section.trimEnd().split('\n');
        return [title, lines.join('\n')];
      }),
    );
  }

  /** Compares a text with the section `title`, or makes it that section. */
  expect(title: string, text: string): void {
    assert.ok(!this.#shown.has(title), `two cases have the title ${title}`);
    this.#shown.add(title);
    if (UPDATE) {
      this.#sections.set(title, text);
      this.#write();
    }
    assert.equal(text, this.#sections.get(title), `${this.#path}; UPDATE_GOLDEN=1 rewrites it`);
  }

  /** A test that every section has its case: the last test of a file. */
  expectNoOther(): void {
    test('every section of the golden file belongs to a case', () => {
      if (UPDATE) {
        for (const title of this.#sections.keys()) {
          if (!this.#shown.has(title)) this.#sections.delete(title);
        }
        this.#write();
      }
      assert.deepEqual([...this.#sections.keys()].toSorted(), [...this.#shown].toSorted());
    });
  }

  #write(): void {
    const sections = [...this.#sections].map(([title, text]) => `## ${title}\n${text}\n`);
    writeFileSync(this.#path, sections.join('\n'));
  }
}
