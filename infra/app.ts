import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { acknowledgeFindings } from "./acknowledgements.ts";
import { appSettingsOf } from "./app-settings.ts";
import { BacklogStack } from "./backlog-stack.ts";

const app = new App();
const { backlog } = new BacklogStack(app, appSettingsOf(app.node.getAllContext()));
// A finding that nobody acknowledged fails the synth, as one of the CDK's own validator does.
acknowledgeFindings(backlog);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
