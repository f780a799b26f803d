import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { parseSettings } from '../../infra/config.ts';
import type { FunctionBundles } from '../../infra/constructs/function-bundles.ts';
import { RegistryStack } from '../../infra/registry-stack.ts';

type Context = Readonly<Record<string, unknown>>;

/** The stack with these settings, in an app with the project's feature flags and this further context. */
export const makeStack = (
  bundles: FunctionBundles,
  settings: Context = {},
  context: Context = {},
): RegistryStack => {
  const app = new App({ context: { ...cdkJson.context, ...context } });
  return new RegistryStack(app, parseSettings(settings), bundles);
};

/** The template of the stack with these settings. */
export const synthesiseStack = (bundles: FunctionBundles, settings?: Context): Template =>
  Template.fromStack(makeStack(bundles, settings));
