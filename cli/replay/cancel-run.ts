import type { BacklogLocation } from "../backlog-location.ts";
import { invokeOperation } from "../invoke-operation.ts";
import type { Session } from "../session.ts";

/** Asks a run to stop: it sends no further letter, follows those it has sent, and answers.
 *  @returns whether there was such a run. */
export async function cancelRun(
  { clients }: Pick<Session, "clients">,
  { name, replay: functionName }: Pick<BacklogLocation, "name" | "replay">,
  { runId, requestedBy }: { readonly runId: string; readonly requestedBy: string },
): Promise<boolean> {
  const request = { operation: "cancel", requestedBy, runId };
  const answer = await invokeOperation<{ readonly cancelled: boolean }>(
    clients.lambda,
    { name, functionName },
    request,
  );
  return answer.cancelled;
}
