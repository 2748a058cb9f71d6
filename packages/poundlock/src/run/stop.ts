// Why a role was left in the middle.
import type { RuleId } from '@poundlock/core/internal/finding';
import { RoleStopped } from '@poundlock/core/internal/program';

/** The run is over: another role has failed, or nobody can move. */
export class RunOver extends RoleStopped {
  constructor() {
    super('the run is over');
  }
}

/** This role broke a rule; the replay of the traces says which, and how. */
export class RuleBroken extends RoleStopped {
  readonly rule: RuleId;
  constructor(rule: RuleId) {
    super(rule);
    this.rule = rule;
  }
}
