import { App } from 'aws-cdk-lib';
import { allFunctions } from '../shared/api/functions.ts';
import { addRegistry } from './add-registry.ts';
import { parseSettings } from './config.ts';
import { FunctionBundles } from './constructs/function-bundles.ts';
import { findOrigins } from './find-origins.ts';
import { SettingsError } from './settings-error.ts';

const app = new App();
let bundles: FunctionBundles | undefined;

try {
  const settings = await findOrigins(parseSettings(app.node.getAllContext()));
  bundles = await FunctionBundles.of(allFunctions.map(({ id }) => id));
  addRegistry(app, settings, bundles);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  for (const line of error.message.split('\n')) console.error(`Wrong setting: ${line}`);
  process.exitCode = 1;
} finally {
  bundles?.remove();
}
// Otherwise CDK would synthesise the incomplete app when the process exits.
if (process.exitCode) process.exit();
