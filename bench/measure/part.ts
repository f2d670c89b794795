/** One measurement with a name of its own on the command line. */
export type Part = {
  readonly name: string;
  /** Heading of its section in docs/performance.md. */
  readonly title: string;
  run(options: PartOptions): Promise<Findings>;
};

export type PartOptions = {
  /** Rounds that are kept of what is measured in time; counts are taken once. */
  readonly rounds: number;
};

export type Findings = {
  /** What was measured and how, one paragraph each. */
  readonly method: readonly string[];
  readonly tables: readonly FigureTable[];
  readonly targets: readonly Target[];
  /** What was changed because of the figures, and what was tried and left. */
  readonly tried?: readonly string[];
};

export type FigureTable = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type Target = { readonly aim: string; readonly found: string; readonly met: boolean };

/** A target that a figure stays at or below. */
export function atMost(aim: string, figure: number, most: number, digits = 2): Target {
  return { aim, found: figure.toFixed(digits), met: figure <= most };
}

/** A target that a figure reaches. */
export function atLeast(aim: string, figure: number, least: number, digits = 2): Target {
  return { aim, found: figure.toFixed(digits), met: figure >= least };
}
