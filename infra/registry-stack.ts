import type { App } from 'aws-cdk-lib';
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { allRoutes } from '../shared/routes.ts';
import type { Settings } from './config.ts';
import { EndpointFunction } from './constructs/endpoint-function.ts';
import { FunctionBundles } from './constructs/function-bundles.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { RegistryTables } from './constructs/registry-tables.ts';
import { RestApi } from './constructs/rest-api.ts';
import { TokenSecret } from './constructs/token-secret.ts';

/** The whole registry: its tables, its token list, one function for each route, and the API before them. */
export class RegistryStack extends Stack {
  constructor(app: App, settings: Settings) {
    super(app, settings.stackName, {
      description: 'The registry that tells an organisation which open-source packages it may use',
      terminationProtection: settings.environment === 'production',
    });

    const tables = new RegistryTables(this, 'Tables', settings);
    const tokens = new TokenSecret(this, 'Tokens', settings);
    const api = new RestApi(this, 'Api', settings);
    const bundles = new FunctionBundles(allRoutes.map(({ id }) => id));

    for (const route of allRoutes) {
      const endpoint = new EndpointFunction(this, route.id, {
        code: bundles.codeOf(route.id),
        settings,
      });
      tables.bind(endpoint, route.access);
      if (route.access.tokens) tokens.bind(endpoint);
      api.addRoute(route, endpoint);
    }
    bundles.remove();

    new Monitoring(this, 'Monitoring', { api, settings });

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'The base URL of the registry' });
    tables.addOutputs();
    tokens.addOutputs();
  }
}
