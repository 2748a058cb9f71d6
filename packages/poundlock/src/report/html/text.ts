// Text and tables in HTML, with all markup escaped.
import type { Table } from '../table-data.ts';

/** Escapes text for an element or an attribute. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** An element with text in it. */
export function element(name: string, text: string, className = ''): string {
  const attribute = className === '' ? '' : ` class="${className}"`;
  return `<${name}${attribute}>${escaped(text)}</${name}>`;
}

/** A sentence: text between backticks is code. */
export function sentenceHtml(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** A table; `classOf` may name the class of a cell. */
export function tableHtml(
  { heading, rows }: Table,
  classOf: (row: number, column: string) => string = () => '',
): string[] {
  if (rows.length === 0) return [];
  const sideOf = (at: number) => (heading[at]?.isNumber ? 'number' : '');
  const head = heading.map(({ title }, at) => element('th', title, sideOf(at)));
  const body = rows.map((row, index) => {
    const cells = row.map((cell, at) => {
      const names = [sideOf(at), classOf(index, heading[at]?.title ?? '')];
      return element('td', cell, names.filter(Boolean).join(' '));
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return [
    '<div class="scroll" tabindex="0"><table>',
    `<thead><tr>${head.join('')}</tr></thead>`,
    '<tbody>',
    ...body,
    '</tbody></table></div>',
  ];
}
