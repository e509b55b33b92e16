/** Tells of a failure of work that goes on, also when it cannot be told. */
export function tellFailure(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error);
  } catch (failure) {
    // Where errors are told is broken: the work is not.
    process.emitWarning(`An error could not be told: ${failure instanceof Error ? failure.message : 'unknown'}`);
  }
}
