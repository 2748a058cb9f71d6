// The debug type `poundlock`: a session that steps through a schedule, served by `poundlock dap`.
import {
  DebugAdapterExecutable,
  window,
  type DebugAdapterDescriptorFactory,
  type DebugConfiguration,
  type DebugConfigurationProvider,
  type DebugSession,
} from 'vscode';
import { foldersOf, installed } from './settings.ts';

/** What a session is started with. */
export interface ReplayInput {
  readonly program: string;
  readonly replay?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The configuration of a session. */
export function configurationOf(input: ReplayInput): DebugConfiguration {
  return { type: 'poundlock', request: 'launch', name: 'Replay of poundlock', ...input };
}

/** Completes configurations, and starts the adapter of the workspace's poundlock. */
export class ReplayDebug implements DebugConfigurationProvider, DebugAdapterDescriptorFactory {
  resolveDebugConfiguration(
    _folder: unknown,
    configuration: DebugConfiguration,
  ): DebugConfiguration | undefined {
    const isEmpty = configuration.type === '';
    const program = window.activeTextEditor?.document.uri.fsPath;
    if (!isEmpty && configuration['program'] !== undefined) return configuration;
    if (program === undefined) {
      void window.showInformationMessage('poundlock: open a program or PTX file to replay');
      return undefined;
    }
    return { ...configurationOf({ program }), ...(isEmpty ? {} : configuration), program };
  }

  createDebugAdapterDescriptor(session: DebugSession): DebugAdapterExecutable {
    const poundlock = installed();
    if (poundlock === undefined) throw new Error('poundlock is not installed in this workspace');
    const cwd = session.workspaceFolder?.uri.fsPath ?? foldersOf()[0];
    const { node, bin } = poundlock;
    return new DebugAdapterExecutable(node, [bin, 'dap'], cwd === undefined ? {} : { cwd });
  }
}
