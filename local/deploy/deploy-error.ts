/** A resource that could not be created, changed or deleted. */
export class DeployError extends Error {
  constructor(logicalId: string, type: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${logicalId} (${type}): ${why}`, { cause });
    this.name = "DeployError";
  }
}

/** A stack that could not be created, and is gone again. */
export class RolledBackError extends Error {
  override readonly name = "RolledBackError";

  constructor(cause: DeployError, afterwards: string) {
    super(`${cause.message}. The stack was rolled back. ${afterwards}`, { cause });
  }
}
