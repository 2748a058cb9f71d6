// What a function of the project, or of an unknown package, opens: its name says what it is.
// Claimed is what is waited for, and released by the variable that it is put into.
import type { ResourceModel } from '../model.ts';

const VERB = '(create|open|launch|start|make|new|init|connect|spawn|acquire|obtain|borrow|reserve)';
const NOUN =
  '(Connection|Client|Browser|Context|Page|Session|QueryRunner|Reader|Writer|Handle|File|Fd|' +
  'Cursor|Database|Db|Bitmap|Frame|Worker|Channel)';

export const poolOpened: ResourceModel = {
  id: 'pool.opened',
  modules: [],
  types: ['Resource'],
  acquire: [
    {
      call: '',
      named: new RegExp(`^_?${VERB}([A-Z]\\w*)?${NOUN}(Instance)?$`),
      receiver: /./,
      whenReleased: true,
      evenOwn: true,
      unlessCallback: true,
    },
  ],
  release: ['close', 'release', 'end', 'destroy', 'dispose', 'disconnect', 'quit', 'terminate'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'nothing is known of it',
  useAfterRelease: 'nothing is known of it',
  leak: 'it stays open',
  evidence: 'unverified',
};
