import { DEMO_SETTINGS } from "../../local/demo/demo-settings.ts";

/** The demo's times. A replay that is killed holds its lease for as long as it could have run. */
export const SOAK_SETTINGS = { ...DEMO_SETTINGS, name: "soak", replayTimeoutSeconds: 15 } as const;

/** Execution environments of one function at once: each is a process of this machine. */
export const ENVIRONMENTS_MAX = 4;
