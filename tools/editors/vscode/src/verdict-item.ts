// The verdict in the status bar: its word, and all that it rests on where one points at it.
import { createHash } from 'node:crypto';
import { StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { TextHash } from '@poundlock/core/internal/finding';
import { TEXT_HAS_CHANGED } from '../../../../packages/poundlock/app/stale.ts';
import { verdictLines, verdictOf, type CheckDocument } from './report.ts';

/** An item of the status bar. */
export class VerdictItem {
  readonly #item = window.createStatusBarItem(StatusBarAlignment.Left);

  /** Shows the verdict of a check. */
  show(document: CheckDocument): void {
    this.#item.text = `poundlock: ${verdictOf(document)}`;
    this.#item.tooltip = verdictLines(document).join('\n');
    this.#item.color = undefined;
    this.#item.show();
  }

  /** Says that the verdict is about another text. */
  showStale(): void {
    this.#item.text = `poundlock: ${TEXT_HAS_CHANGED}`;
    this.#item.color = new ThemeColor('disabledForeground');
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** Whether a text is not the one of a hash; the editor hides a byte order mark. */
export function isOtherText({ sha256 }: TextHash, text: string): boolean {
  const hashOf = (one: string) => createHash('sha256').update(one).digest('hex');
  return hashOf(text) !== sha256 && hashOf(`\uFEFF${text}`) !== sha256;
}
