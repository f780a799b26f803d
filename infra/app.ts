import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { parseSettings, SettingsError } from './config.ts';
import { RegistryStack } from './registry-stack.ts';

const app = new App();

try {
  const settings = parseSettings(app.node.getAllContext());
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new RegistryStack(app, settings);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  for (const line of error.message.split('\n')) console.error(`Wrong setting: ${line}`);
  process.exit(1);
}
