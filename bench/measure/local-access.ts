/** The emulators check no signature; the SDK wants something to sign with. */
export const LOCAL_ACCESS = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
} as const;
