/**
 * Ends parts one after another, each of them even where one before it failed.
 * @throws AggregateError of what failed
 */
export async function endAll(ends: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) {
    throw new AggregateError(errors, `Could not end cleanly: ${errors.map(String).join("; ")}`);
  }
}
