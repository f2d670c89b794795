/** Time as the core sees it, so that tests can drive it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Calls back after `delayMs`, possibly late; the answer cancels. */
  after(delayMs: number, call: () => void): () => void;
}
