import { CfnOutput, RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AwsIntegration,
  RestApi as CdkRestApi,
  DomainName,
  EndpointType,
  type IRestApi,
  LogGroupLogDestination,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Page } from '../../shared/api/non-api-routes.ts';
import type { Route } from '../../shared/api/route.ts';
import type { Settings } from '../config.ts';
import { acknowledge } from './acknowledge.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { GatewayRole } from './gateway-role.ts';
import type { RegistryFunction } from './registry-function.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

/**
 * The access log as JSON, with the names of the functions' request log. API Gateway escapes nothing, so the format has only
 * values that cannot contain quotes. It has no headers and therefore no tokens.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
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
);

/** The REST API that invokes the functions. An HTTP API would decode `%2F` in a name and split the name there. */
export class RestApi extends Construct {
  private readonly api: CdkRestApi;
  private readonly role: GatewayRole;
  private readonly domain: DomainName | undefined;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays as RetentionDays,
      removalPolicy: chooseRemovalPolicy(settings),
    });
    const { throttleRate, throttleBurst, tracing } = settings;
    this.api = new CdkRestApi(this, 'RestApi', {
      restApiName: settings.stackName,
      ...this.chooseEndpoint(settings.vpcEndpointIds),
      ...(settings.disableDefaultEndpoint && { disableExecuteApiEndpoint: true }),
      // As text, API Gateway would replace bytes of a body that are not UTF-8.
      binaryMediaTypes: ['*/*'],
      minCompressionSize: Size.kibibytes(1),
      // Without an account-wide role for logs, API Gateway rejects a stage with an access log.
      cloudWatchRole: settings.gatewayLogRole,
      ...(settings.gatewayLogRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      deployOptions: {
        stageName: 'prod',
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        tracingEnabled: tracing,
        ...(throttleRate !== undefined && { throttlingRateLimit: throttleRate }),
        ...(throttleBurst !== undefined && { throttlingBurstLimit: throttleBurst }),
      },
    });
    acknowledge(this.api, {
      APIG2: 'The functions validate every request, with clearer errors than the gateway can give.',
      APIG3:
        'A web ACL is a choice of the account, with a price; it can be associated with the stage.',
      APIG4: 'Reading is public by contract; writes need a token, which the functions check.',
      APIG6:
        'Execution logs can contain headers, and so tokens. Access log and request log have the rest.',
      COG4: 'The functions check tokens and ID tokens of any issuer, with clearer errors than an authorizer can give.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'AWS documents this managed policy for the logs of API Gateway.',
    });
    this.role = new GatewayRole(this, 'Role', this.api);
    // The stack has the output ApiUrl in place of this one.
    this.api.node.tryRemoveChild('Endpoint');
    this.domain = this.addDomain(settings);
    for (const { id: responseId, ...response } of gatewayResponses) {
      this.api.addGatewayResponse(responseId, response);
    }
  }

  /** The base URL, without a trailing slash. */
  get url(): string {
    return this.domain ? `https://${this.domain.domainName}` : this.api.url.replace(/\/$/, '');
  }

  /** Has the function answer one method of a path. */
  addRoute({ method, path }: Route, target: RegistryFunction): void {
    this.addMethod(method, path, target);
  }

  /** Has the function answer every method of a path: it also refuses methods, which the gateway cannot. */
  addPage({ path }: Page, target: RegistryFunction): void {
    this.addMethod('ANY', path, target);
  }

  serverErrors(options: MetricOptions): Metric {
    return this.api.metricServerError(options);
  }

  clientErrors(options: MetricOptions): Metric {
    return this.api.metricClientError(options);
  }

  requests(options: MetricOptions): Metric {
    return this.api.metricCount(options);
  }

  latency(options: MetricOptions): Metric {
    return this.api.metricLatency(options);
  }

  /** CDK's `LambdaIntegration` would add a Lambda permission, a resource of the stack, for each method. */
  private addMethod(method: string, path: string, { lambda }: RegistryFunction): void {
    this.role.allowInvocation(lambda);
    const integration = new AwsIntegration({
      service: 'lambda',
      proxy: true,
      path: `2015-03-31/functions/${lambda.functionArn}/invocations`,
      options: { credentialsRole: this.role },
    });
    this.api.root.resourceForPath(path).addMethod(method, integration);
  }

  /** Returns the endpoint type: regional, or private with the given VPC endpoints. */
  private chooseEndpoint(vpcEndpointIds: readonly string[]): Partial<RestApiProps> {
    if (vpcEndpointIds.length === 0) return { endpointTypes: [EndpointType.REGIONAL] };
    const vpcEndpoints = vpcEndpointIds.map((vpcEndpointId) =>
      InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(this, vpcEndpointId, {
        vpcEndpointId,
        port: 443,
      }),
    );
    const statement = {
      actions: ['execute-api:Invoke'],
      resources: ['execute-api:/*'],
      principals: [new AnyPrincipal()],
      conditions: { StringEquals: { 'aws:SourceVpce': vpcEndpointIds } },
    };
    return {
      endpointConfiguration: { types: [EndpointType.PRIVATE], vpcEndpoints },
      policy: new PolicyDocument({ statements: [new PolicyStatement(statement)] }),
    };
  }

  /** Adds the custom domain of the settings, if there is one. */
  private addDomain({ domainName, certificateArn }: Settings): DomainName | undefined {
    if (domainName === undefined || certificateArn === undefined) return undefined;
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      mapping: this.api as IRestApi,
    });
    const output = (name: string, value: string, description: string): void => {
      new CfnOutput(this, name, { value, description }).overrideLogicalId(name);
    };
    output(
      'DomainTarget',
      domain.domainNameAliasDomainName,
      `The target of an alias or CNAME record for ${domainName}`,
    );
    output(
      'DomainTargetZone',
      domain.domainNameAliasHostedZoneId,
      'The Route 53 hosted zone of the target',
    );
    return domain;
  }
}
