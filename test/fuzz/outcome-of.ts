/** What a call came to, so that a throw of the wrong kind can be told from one of the right kind. */
export function outcomeOf<T>(call: () => T): { readonly value?: T; readonly error?: unknown } {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}
