// The space-time diagram of the last check of a file, in a panel beside the editor.
import { basename } from 'node:path';
import { ViewColumn, window, type WebviewPanel } from 'vscode';

const panels = new Map<string, WebviewPanel>();

/** Shows a picture; a panel that is open already is updated. */
export function showDiagram(file: string, svg: string): void {
  const open = panels.get(file);
  const panel =
    open ??
    window.createWebviewPanel(
      'poundlock.diagram',
      `Diagram of ${basename(file)}`,
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, localResourceRoots: [] },
    );
  if (open === undefined) {
    panels.set(file, panel);
    panel.onDidDispose(() => void panels.delete(file));
  } else open.reveal(undefined, true);
  panel.webview.html = pageOf(svg);
}

/** A page without scripts that loads nothing: the picture has its own style. */
export function pageOf(svg: string): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  const picture = svg.replace(/^<\?xml[^>]*>\s*/, '');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<title>Space-time diagram</title>',
    '<style>body { margin: 0; overflow: auto; } svg { max-width: none; }</style></head>',
    `<body>${picture}</body></html>`,
  ].join('\n');
}
