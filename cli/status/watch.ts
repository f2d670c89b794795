/** Where a watch shows what it saw. */
export type WatchScreen = {
  /** Puts the text in the place of the one before, or below it where nothing can be redrawn. */
  readonly show: (text: string) => void;
};

/** What a watch runs in. */
export type Watch = {
  readonly intervalMs: number;
  readonly screen: WatchScreen;
  readonly nowMs: () => number;
  /** Resolves after the time, and at once when the operator ends the watch. */
  readonly wait: (ms: number) => Promise<void>;
  /** Whether the operator has ended the watch. */
  readonly ended: () => boolean;
};
