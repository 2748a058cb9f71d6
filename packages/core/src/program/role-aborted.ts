// The error that aborts a role which runs in place: not an error of the user's code.

/** Thrown out of an operation; goes through the role's blocks and ends it. */
export class RoleStopped extends Error {
  override readonly name = 'RoleStopped';
}
