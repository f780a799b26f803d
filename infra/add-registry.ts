import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Settings } from './config.ts';
import type { FunctionCode } from './constructs/function-bundles.ts';
import { RegistryStack } from './registry-stack.ts';

/** Puts the registry into an app, which then synthesises nothing that breaks a rule of AwsSolutions without a reason. */
export const addRegistry = (
  app: App,
  settings: Settings,
  functionCode: FunctionCode,
): RegistryStack => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return new RegistryStack(app, settings, functionCode);
};
