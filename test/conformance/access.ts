/** What the SDK signs with where nobody checks the signature. */
export const ACCESS = {
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
};
