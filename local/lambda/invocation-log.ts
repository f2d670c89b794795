/** Bytes of the log that an Invoke with LogType `Tail` answers with. */
const TAIL_BYTES = 4096;

/** The end of what one execution environment wrote since its running invocation began. */
export type InvocationLog = {
  /** Lines of the cold start that came before belong to the invocation that caused it. */
  begin(requestId: string): void;
  write(line: string): void;
  /** Closes the invocation's log, and returns its last 4 KiB. */
  end(requestId: string, durationMs: number, memoryMb: number): string;
};

export function createInvocationLog(): InvocationLog {
  let text = "";
  const write = (line: string): void => {
    text = `${text}${line}\n`.slice(-TAIL_BYTES);
  };
  return {
    write,
    begin: (requestId) => write(`START RequestId: ${requestId} Version: $LATEST`),
    end(requestId, durationMs, memoryMb): string {
      write(`END RequestId: ${requestId}`);
      write(
        `REPORT RequestId: ${requestId}\tDuration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${Math.ceil(durationMs)} ms\tMemory Size: ${memoryMb} MB`,
      );
      const tail = Buffer.from(text).subarray(-TAIL_BYTES).toString();
      text = "";
      return tail;
    },
  };
}
