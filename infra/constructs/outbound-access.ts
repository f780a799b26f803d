import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Settings } from '../config.ts';
import type { RegistryFunction } from './registry-function.ts';

/** The file with own certificate authorities, beside a function's code. */
export const caCertificatesFile = 'ca-certificates.pem';

/** The folder of a function's code in Lambda. Node.js reads the certificates before any code could look it up. */
const codeFolder = '/var/task';

/** The actions with which Lambda connects a function to subnets: those of AWSLambdaVPCAccessExecutionRole. */
const networkActions = [
  'AssignPrivateIpAddresses',
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSubnets',
  'UnassignPrivateIpAddresses',
].map((action) => `ec2:${action}`);

/** The addresses that no proxy can reach: this machine, and what Lambda offers to a function's environment. */
const localHosts = ['localhost', '127.0.0.1', '169.254.0.0-169.254.255.255'];

const joinSubnets = (
  target: RegistryFunction,
  { subnetIds, securityGroupIds }: Pick<Settings, 'subnetIds' | 'securityGroupIds'>,
): void => {
  target.allow(networkActions, ['*']);
  // Lambda uses the rights of the role, so the function's own code would have them, too. It needs nothing of EC2.
  target.add(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ['ec2:*'],
      resources: ['*'],
      conditions: {
        ArnLike: {
          'lambda:SourceFunctionArn': Stack.of(target).formatArn({
            service: 'lambda',
            resource: 'function',
            resourceName: '*',
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  target.joinSubnets(subnetIds, securityGroupIds);
};

/** Gives a function its way to other services: the subnets, the proxy and the certificate authorities of the settings. */
export const bindOutboundAccess = (target: RegistryFunction, settings: Settings): void => {
  const { subnetIds, proxyUrl, noProxy, caCertificates } = settings;
  if (subnetIds.length > 0) joinSubnets(target, settings);
  if (caCertificates !== undefined) {
    target.setVariable('NODE_EXTRA_CA_CERTS', `${codeFolder}/${caCertificatesFile}`);
  }
  if (proxyUrl === undefined) return;
  target.setVariable('NODE_USE_ENV_PROXY', '1');
  target.setVariable('HTTP_PROXY', proxyUrl);
  target.setVariable('HTTPS_PROXY', proxyUrl);
  target.setVariable('NO_PROXY', [...localHosts, ...(noProxy ? [noProxy] : [])].join(','));
};
