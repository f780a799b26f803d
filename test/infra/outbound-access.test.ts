import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from '@package-registry/local-aws';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, inject, it } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { allFunctions } from '../../shared/api/functions.ts';
import { pages } from '../../shared/api/non-api-routes.ts';
import { listAccess } from '../../shared/api/resources.ts';
import { sendsRequests } from '../../shared/api/sends-requests.ts';
import { functionOf } from '../support/functions.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { allSettings } from './all-settings.ts';
import { listResources, statementsOf } from './properties/property.ts';

const subnetIds = ['subnet-0123456789abcdef0'];
const securityGroupIds = ['sg-0123456789abcdef0'];
const network = {
  ...{ subnetIds, securityGroupIds, noProxy: '.internal.example.com' },
  ...{ proxyUrl: 'http://proxy.example.com:3128', caCertificates: allSettings.caCertificates },
};

const askingWorkers = [
  'collectfacts',
  'recallpackages',
  'refreshtrustedroot',
  'rescanpackages',
  'scansubmissions',
  'submitrequested',
];

const toName = (logicalId: string): string =>
  logicalId.replace(/(?:Role|Function)[0-9A-F]{8}$/, '');

const resourcesOf = (template: Template, type: string) =>
  listResources(template, type).map(({ id, Properties }) => ({
    ...{ name: toName(id), properties: Properties },
  }));

const listFunctions = (template: Template, isOne: (properties: object) => boolean): string[] =>
  resourcesOf(template, 'AWS::Lambda::Function').flatMap(({ name, properties }) =>
    isOne(properties) ? [name] : [],
  );

const listInSubnets = (template: Template): string[] =>
  listFunctions(template, (properties) => 'VpcConfig' in properties).sort();

describe('the way to other services', () => {
  it('is that of the functions whose bundles have a client for requests', () => {
    const stack = readStack(inject('assembly'), { goWithout });
    const hasClient = (id: string): boolean => {
      const code = readFileSync(join(functionOf(stack, id).codeDirectory, 'index.mjs'), 'utf8');
      // The client of other requests, and that of TUF repositories.
      return /redirected to a URL that is not allowed|Max length reached/.test(code);
    };
    // Among the pages, one serves the command line, which has a client of its own.
    const functions = allFunctions.filter(({ id }) => id !== pages.showCommandLine.id);
    const expected = functions.filter((one) =>
      sendsRequests(
        one,
        listAccess(one, () => true),
        true,
      ),
    );

    expect(functions.filter(({ id }) => hasClient(id)).map(({ id }) => id)).toEqual(
      expected.map(({ id }) => id),
    );
  });

  it('is public without settings', () => {
    const template = synthesiseStack();

    expect(listInSubnets(template)).toEqual([]);
    expect(JSON.stringify(template)).not.toMatch(/HTTPS?_PROXY|NODE_EXTRA_CA_CERTS|"ec2:/);
  });

  it('is in the subnets for workers that ask others, and for endpoints where issuers are trusted', () => {
    const secured = allRoutes.filter(({ scope }) => scope !== undefined);

    expect(listInSubnets(synthesiseStack(network))).toEqual(askingWorkers);
    expect(listInSubnets(synthesiseStack({ ...allSettings, ...network }))).toEqual(
      [...askingWorkers, ...secured.map(({ id }) => id.replaceAll('-', ''))].sort(),
    );
  });

  it('gives exactly these functions the subnets, the proxy, and the file with certificates', () => {
    const template = synthesiseStack(network);
    const functions = resourcesOf(template, 'AWS::Lambda::Function');

    for (const { name, properties } of functions) {
      const { Variables: variables = {} } = properties.Environment ?? {};
      if (!askingWorkers.includes(name)) {
        expect(Object.keys(variables).join()).not.toMatch(/PROXY|NODE_EXTRA_CA_CERTS/);
        continue;
      }
      expect(properties.VpcConfig).toEqual({
        ...{ SubnetIds: subnetIds, SecurityGroupIds: securityGroupIds },
      });
      expect(variables).toMatchObject({
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: 'http://proxy.example.com:3128',
        HTTPS_PROXY: 'http://proxy.example.com:3128',
        NO_PROXY: 'localhost,127.0.0.1,169.254.0.0-169.254.255.255,.internal.example.com',
        NODE_EXTRA_CA_CERTS: '/var/task/ca-certificates.pem',
      });
    }
  });

  it('lets Lambda connect these functions, and not their own code', () => {
    const roles = listResources(synthesiseStack(network), 'AWS::IAM::Role');
    const statements = roles.flatMap((role) =>
      statementsOf(role)
        .filter((one) => JSON.stringify(one).includes('"ec2:'))
        .map((one) => ({
          ...{ name: toName(role.id), actions: one.Action },
          ...{ effect: Reflect.get(one, 'Effect'), condition: Reflect.get(one, 'Condition') },
        })),
    );

    expect(
      statements
        .filter(({ effect }) => effect === 'Allow')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(askingWorkers);
    const denied = statements.filter(({ effect }) => effect === 'Deny');
    expect(denied.map(({ name }) => name).sort()).toEqual(askingWorkers);
    for (const { actions, condition } of denied) {
      expect(actions).toBe('ec2:*');
      expect(JSON.stringify(condition)).toMatch(
        /^\{"ArnLike":\{"lambda:SourceFunctionArn":.*:function:\*"/,
      );
    }
  });

  it('adds no resource to the stack', () => {
    const count = (settings: object): number =>
      Object.keys(synthesiseStack({ ...settings }).toJSON()['Resources']).length;

    expect(count(network)).toBe(count({}));
  });
});
