import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { allFunctions } from '../shared/functions.ts';
import { parseSettings, SettingsError } from './config.ts';
import { FunctionBundles } from './constructs/function-bundles.ts';
import { RegistryStack } from './registry-stack.ts';

const app = new App();
let bundles: FunctionBundles | undefined;

try {
  const settings = parseSettings(app.node.getAllContext());
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  bundles = await FunctionBundles.of(allFunctions.map(({ id }) => id));
  new RegistryStack(app, settings, bundles);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  for (const line of error.message.split('\n')) console.error(`Wrong setting: ${line}`);
  process.exitCode = 1;
} finally {
  bundles?.remove();
}
// Otherwise the part of the app that is there would be synthesised.
if (process.exitCode) process.exit();
