import { Match } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import { allFunctions } from '../../../shared/api/functions.ts';
import { allPages } from '../../../shared/api/non-api-routes.ts';
import { workers } from '../../../shared/api/workers.ts';
import { findResource, listResources, type Property, toLogicalId } from './property.ts';

const functionType = 'AWS::Lambda::Function';
const loadingMinutes = workers.loadLicenses.timeoutMinutes;

/** API Gateway's own error responses by status, with the types that each covers. */
const gatewayAnswers: Readonly<Record<string, readonly string[]>> = {
  400: ['DEFAULT_4XX', 'UNSUPPORTED_MEDIA_TYPE'],
  401: ['UNAUTHORIZED'],
  403: ['ACCESS_DENIED', 'WAF_FILTERED'],
  404: ['EXPIRED_TOKEN', 'INVALID_SIGNATURE', 'MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND'],
  413: ['REQUEST_TOO_LARGE'],
  429: ['THROTTLED'],
  500: ['DEFAULT_5XX', 'INTEGRATION_TIMEOUT'],
};

const responses = Object.entries(gatewayAnswers).flatMap(([status, types]) =>
  types.map((type) => ({ type, status })),
);

export const servingProperties: readonly Property[] = [
  {
    why: 'has one small function for each route, page and worker',
    check: (template) => {
      template.resourceCountIs(functionType, allFunctions.length);
      template.allResourcesProperties(functionType, {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: 1024,
        LoggingConfig: { LogGroup: Match.anyValue() },
      });
    },
  },
  ...[...allRoutes, ...allPages].map(
    ({ id }): Property => ({
      why: `has a timeout of ${id} below the timeout of API Gateway`,
      check: (template) => {
        const { Properties } = findResource(template, functionType, `${toLogicalId(id)}Function`);
        expect(Properties.Timeout).toBe(20);
      },
    }),
  ),
  ...Object.values(workers).map(
    ({ id, timeoutMinutes }): Property => ({
      why: `has a timeout of ${timeoutMinutes} minutes for ${id}`,
      check: (template) => {
        const { Properties } = findResource(template, functionType, `${toLogicalId(id)}Function`);
        expect(Properties.Timeout).toBe(timeoutMinutes * 60);
      },
    }),
  ),
  {
    why: 'waits for the licenses longer than their function may run, and at most 15 minutes',
    check: (template) => {
      const { Properties } = findResource(template, 'Custom::LicenseCatalogue', 'LicenseCatalogue');
      const seconds = Number(Properties.ServiceTimeout);
      expect(seconds).toBeGreaterThan(loadingMinutes * 60);
      expect(seconds).toBeLessThanOrEqual(900);
    },
  },
  {
    why: 'does not retry a failed rescan, so that two never run at once',
    check: (template) => {
      const { id } = findResource(template, functionType, 'rescanpackagesFunction');
      template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
        FunctionName: { Ref: id },
        MaximumRetryAttempts: 0,
      });
      template.hasResourceProperties('AWS::Events::Rule', {
        ScheduleExpression: 'rate(15 minutes)',
        State: 'ENABLED',
        Targets: [
          Match.objectLike({
            Arn: { 'Fn::GetAtt': [id, 'Arn'] },
            RetryPolicy: { MaximumRetryAttempts: 0 },
          }),
        ],
      });
    },
  },
  {
    why: 'is a regional REST API: an HTTP API would decode slashes in names',
    check: (template) => {
      template.hasResourceProperties('AWS::ApiGateway::RestApi', {
        EndpointConfiguration: { Types: ['REGIONAL'] },
      });
    },
  },
  {
    why: 'passes request bodies on as bytes, and compresses responses from 1 KiB',
    check: (template) => {
      template.hasResourceProperties('AWS::ApiGateway::RestApi', {
        BinaryMediaTypes: ['*/*'],
        MinimumCompressionSize: 1024,
      });
    },
  },
  {
    why: 'logs every request with its IP address, which no function logs, and without headers',
    check: (template) => {
      const { id } = findResource(template, 'AWS::Logs::LogGroup', 'ApiAccessLog');
      template.hasResourceProperties('AWS::ApiGateway::Stage', {
        StageName: 'prod',
        AccessLogSetting: {
          DestinationArn: { 'Fn::Join': ['', Match.arrayWith([{ Ref: id }])] },
          Format: Match.serializedJson({
            level: 'info',
            event: 'access',
            method: '$context.httpMethod',
            path: '$context.path',
            status: '$context.status',
            duration_ms: '$context.responseLatency',
            request_id: '$context.requestId',
            client: '$context.identity.sourceIp',
            refused_as: '$context.error.responseType',
            integration_status: '$context.integrationStatus',
          }),
        },
        MethodSettings: Match.absent(),
      });
    },
  },
  {
    why: 'has the account-wide role for access logs, and keeps it when the stack is deleted',
    check: (template) => {
      template.hasResource('AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' });
    },
  },
  ...responses.map(
    ({ type, status }): Property => ({
      why: `sends ${type} of API Gateway as a problem document with status ${status}`,
      check: (template) => {
        template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
          ResponseType: type,
          StatusCode: status,
          ResponseParameters: {
            'gatewayresponse.header.Content-Type': "'application/problem+json'",
            'gatewayresponse.header.Cache-Control': "'no-store'",
          },
          ResponseTemplates: {
            'application/json': Match.serializedJson(
              Match.objectLike({ status: Number(status), request_id: '$context.requestId' }),
            ),
          },
        });
      },
    }),
  ),
  {
    why: 'has a problem document for every error response of API Gateway',
    check: (template) => {
      const types = listResources(template, 'AWS::ApiGateway::GatewayResponse').map(
        ({ Properties }) => Properties.ResponseType,
      );
      expect(types.sort()).toEqual(responses.map(({ type }) => type).sort());
    },
  },
];
