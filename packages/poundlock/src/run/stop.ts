// Exceptions that stop a role before its end.
import type { RuleId } from '@poundlock/core/internal/finding';
import { RoleStopped } from '@poundlock/core/internal/program';

/** The run is over: another role has failed, or the run is deadlocked. */
export class RunOver extends RoleStopped {
  constructor() {
    super('the run is over');
  }
}

/** This role broke a rule; the replay of the traces explains how. */
export class RuleBroken extends RoleStopped {
  readonly rule: RuleId;
  constructor(rule: RuleId) {
    super(rule);
    this.rule = rule;
  }
}
