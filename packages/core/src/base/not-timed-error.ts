// What a model of a GPU cannot time.

/** Why a kernel as built is not timed: the model has no price for most of what it does. */
export class NotTimedError extends Error {
  override readonly name = 'NotTimedError';
}
