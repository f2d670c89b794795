/** One change of a source file. `find` stands in it exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string };

/** A mistake that someone could make in the project's code, and what must notice it. */
export type Fault = Edit & {
  /** What the code does wrong, in a few words; one of its kind. */
  readonly name: string;
  /** What it would do to a game. */
  readonly why: string;
  /** Test files of which at least one must fail. */
  readonly tests: readonly string[];
  /** Further changes that the same mistake takes. */
  readonly also?: readonly Edit[];
};

/** Every change that a fault takes, its first one first. */
export function editsOf(fault: Fault): readonly Edit[] {
  return [fault, ...(fault.also ?? [])];
}

/**
 * The source with the fault in it.
 * @throws where `find` is not there exactly once, so that the list of faults cannot fall behind the
 * code without a word.
 */
export function plant(source: string, { file, find, replace }: Edit): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new RangeError(
      `Expected this text once in ${file}, found it ${parts.length - 1} times; adapt the fault to the code as it is now:\n${find}`,
    );
  }
  return parts.join(replace);
}
