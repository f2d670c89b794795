import { setTimeout as sleep } from "node:timers/promises";

/** What CloudFormation asks of a custom resource.
 *  https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html */
export type CustomResourceRequest = {
  readonly RequestType: string;
  /** Pre-signed address for the one answer. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  /** Numbers arrive as text. */
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
};

export type Outcome =
  | { readonly status: "SUCCESS" }
  | { readonly status: "FAILED"; readonly reason: string };

/** Tries before the invocation fails; Lambda then repeats it as a whole. */
const TRIES = 3;
const TRY_TIMEOUT_MS = 8000;
const PAUSE_MS = 250;

/** CloudFormation takes answers of 4096 bytes. A character needs up to 6 once it is escaped, the ids
 *  together less than 1000. */
const REASON_CHARACTERS = 500;

/**
 * Tells CloudFormation how a request went; without an answer it would wait for its time-out.
 * @throws the last error when the answer was not taken in three tries.
 */
export async function answerCloudFormation(
  request: CustomResourceRequest,
  physicalResourceId: string,
  outcome: Outcome,
): Promise<void> {
  const body = JSON.stringify({
    Status: outcome.status,
    Reason: outcome.status === "FAILED" ? outcome.reason.slice(0, REASON_CHARACTERS) : "Done",
    PhysicalResourceId: physicalResourceId,
    StackId: request.StackId,
    RequestId: request.RequestId,
    LogicalResourceId: request.LogicalResourceId,
  });
  for (let tried = 1; ; tried += 1) {
    try {
      return await put(request.ResponseURL, body);
    } catch (error) {
      if (tried === TRIES) throw error;
      await sleep(PAUSE_MS * tried);
    }
  }
}

async function put(url: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: "PUT",
    body,
    // The address is signed without a content type, and `fetch` would add one.
    headers: { "content-type": "" },
    signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
  });
  if (!response.ok) {
    throw new Error(
      `Expected CloudFormation to take the answer, got HTTP ${response.status}: ${await response.text()}`,
    );
  }
}
