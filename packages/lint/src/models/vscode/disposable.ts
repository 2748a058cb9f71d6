// Disposables that an extension registers.
import type { ResourceModel } from '../model.ts';

export const vscodeDisposable: ResourceModel = {
  id: 'vscode.disposable',
  modules: ['vscode'],
  types: ['Disposable'],
  acquire: [
    { call: 'registerCommand', receiver: /^vscode\.(commands|languages|window)$/ },
    { call: 'registerTextEditorCommand', receiver: /^vscode\.(commands|languages|window)$/ },
    { call: 'createOutputChannel', receiver: /^vscode\.(commands|languages|window)$/ },
    { call: 'createStatusBarItem', receiver: /^vscode\.(commands|languages|window)$/ },
    { call: 'registerHoverProvider', receiver: /^vscode\.(commands|languages|window)$/ },
    { call: 'registerCompletionItemProvider', receiver: /^vscode\.(commands|languages|window)$/ },
    { call: 'registerTreeDataProvider', receiver: /^vscode\.(commands|languages|window)$/ },
  ],
  release: ['dispose'],
  mayRelease: ['from'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'usually ok',
  useAfterRelease: 'nothing is known of it',
  leak: 'listener leak',
  mildLeak: 'listener',
  evidence: 'unverified',
};
