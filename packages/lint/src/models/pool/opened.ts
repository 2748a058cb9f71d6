// Handles opened by functions of the project or of unknown packages, recognized by names. Reported
// only if the result is awaited and released through its variable.
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
      evenInProject: true,
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
