import { App } from "aws-cdk-lib";
import { appSettingsOf } from "./app-settings.ts";
import { BacklogStack } from "./backlog-stack.ts";

const app = new App();
new BacklogStack(app, appSettingsOf(app.node.getAllContext()));
