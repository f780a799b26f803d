import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { InlinePolicyRole } from './inline-policy-role.ts';

/** Returns the ARNs by which API Gateway can name the API that it assumes a role for. */
const listArns = ({ restApiId: id, stack }: RestApi): string[] => [
  stack.formatArn({ service: 'execute-api', resource: id, resourceName: '*' }),
  ...[`restapis/${id}`, `restapis/${id}/*`].map((path) =>
    stack.formatArn({ service: 'apigateway', account: '', resource: '', resourceName: path }),
  ),
];

/**
 * The role with which API Gateway invokes the functions of one API. In place of it, each method would need a Lambda
 * permission, which is a resource of the stack.
 */
export class GatewayRole extends InlinePolicyRole {
  constructor(scope: Construct, id: string, api: RestApi) {
    super(scope, id, {
      description: 'API Gateway invokes the functions of the registry',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com', {
        // API Gateway has been seen to leave these keys out, and without `IfExists` it could then invoke nothing. Only an
        // identity of this account with `iam:PassRole` on this role can name it in another API.
        conditions: {
          StringEqualsIfExists: { 'aws:SourceAccount': Stack.of(scope).account },
          ArnLikeIfExists: { 'aws:SourceArn': listArns(api) },
        },
      }),
    });
  }

  /** Lets API Gateway invoke the function. */
  allowInvocation({ functionArn }: IFunction): void {
    this.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
  }
}
