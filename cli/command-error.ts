/** What stopped the command, and what to do about it. */
export type Explanation = {
  /** Stable name for scripts, such as `no-credentials`. */
  readonly code: string;
  readonly message: string;
  /** What to do next, as the rest of a sentence. */
  readonly remedy: string;
};

/** The command cannot tell what it was asked. Nothing was changed. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: string;
  readonly remedy: string;

  constructor({ code, message, remedy }: Explanation, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
