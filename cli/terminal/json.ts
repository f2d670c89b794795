/** The form that scripts read (docs/command.md): indented, and null where a value is not known, so
 *  that no field ever comes and goes. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (each === undefined ? null : each), 2);
}

/** Version of the shapes. Fields may be added within one; none changes its meaning or goes away. */
export const JSON_VERSION = 1;

/** A moment as the JSON forms write it. */
export function isoOf(momentMs: number | undefined): string | undefined {
  return momentMs === undefined ? undefined : new Date(momentMs).toISOString();
}
