import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Settings } from './config.ts';
import type { FunctionCode } from './constructs/function-bundles.ts';
import { RegistryStack } from './registry-stack.ts';

/** Adds the stack of the registry to an app, and has synthesis fail where the stack breaks a rule of cdk-nag's AwsSolutions. */
export const addRegistry = (
  app: App,
  settings: Settings,
  functionCode: FunctionCode,
): RegistryStack => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return new RegistryStack(app, settings, functionCode);
};
