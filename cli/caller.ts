import { GetCallerIdentityCommand, type STSClient } from "@aws-sdk/client-sts";

/** Who runs the command, as AWS knows them: the ARN of the caller. Needs no permission.
 *  https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
export async function callerArn(sts: STSClient): Promise<string> {
  const { Arn } = await sts.send(new GetCallerIdentityCommand());
  if (Arn !== undefined) return Arn;
  throw new RangeError("Expected STS to tell the ARN of the caller, got none");
}
