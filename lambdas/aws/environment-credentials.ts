import { fromEnv } from "@aws-sdk/credential-provider-env";

/**
 * Stands in for `@aws-sdk/credential-provider-node` in the functions' bundles (infra/function-bundle):
 * Lambda hands a function's credentials over in its environment, and nowhere else. The SDK's own
 * chain would also bring files, single sign-on, web identities and the clients for them, a third of
 * the bundle.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function defaultProvider(): ReturnType<typeof fromEnv> {
  return fromEnv();
}
