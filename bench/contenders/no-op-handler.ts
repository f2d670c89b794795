/** The handler of what is measured without one. */
export async function handle(): Promise<undefined> {
  return undefined;
}
