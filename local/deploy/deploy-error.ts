/** A resource that could not be created, changed or deleted. */
export class DeployError extends Error {
  constructor(logicalId: string, type: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${logicalId} (${type}): ${why}`, { cause });
    this.name = "DeployError";
  }
}

/** How to go on where a stack cannot be changed as it is wanted. */
export const START_ANEW =
  "Start a new cloud; one that keeps its state in a folder starts anew in an empty one";

/** An update that failed, and of whose changes some could not be taken back. */
export class NotTakenBackError extends Error {
  override readonly name = "NotTakenBackError";

  constructor(cause: unknown, left: readonly DeployError[]) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${why}. Taking back failed, too: ${messagesOf(left)}`, { cause });
  }
}

/** What several resources failed on, in one text. */
export function messagesOf(errors: readonly DeployError[]): string {
  return errors.map(({ message }) => message).join("; ");
}

/** A stack that could not be created, and is gone again. */
export class RolledBackError extends Error {
  override readonly name = "RolledBackError";

  constructor(cause: DeployError, afterwards: string) {
    super(`${cause.message}. The stack was rolled back. ${afterwards}`, { cause });
  }
}
