import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests against the embedded services wait more than they compute.
    maxWorkers: Math.max(3, availableParallelism()),
    reporters: ["default", "./test/summary-reporter.ts"],
    env: {
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      // The validator costs 300 MB a process; `npm run synth` runs it on the same template.
      CDK_VALIDATION: "false",
    },
  },
});
