import { CfnOutput, type Duration } from 'aws-cdk-lib';
import { type Conditions, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  CfnPermission,
  type Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type SettingId, settingVariables } from '../../shared/api/resources.ts';
import type { Settings } from '../config.ts';
import { acknowledge } from './acknowledge.ts';
import { InlinePolicyRole } from './inline-policy-role.ts';
import type { SharedLog } from './shared-log.ts';
import { toTitleCase } from './title-case.ts';

interface RegistryFunctionProps {
  readonly code: Code;
  readonly timeout: Duration;
  /** The log that the function shares with others. */
  readonly log: SharedLog;
  readonly settings: Settings;
  /** The instances that Lambda reserves for the function, and its maximum. Undefined: it shares the account's. */
  readonly concurrency: number | undefined;
}

/** The function of one endpoint, page or worker, with its own role. Until other constructs grant more, it may only log. */
export class RegistryFunction extends Construct {
  readonly lambda: LambdaFunction;
  private readonly role: InlinePolicyRole;
  private readonly settings: Settings;

  constructor(scope: Construct, id: string, props: RegistryFunctionProps) {
    super(scope, id);
    const { code, timeout, log, settings, concurrency } = props;
    this.settings = settings;

    this.role = new InlinePolicyRole(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    log.group.grantWrite(this.role);
    if (settings.tracing) {
      acknowledge(this.role, {
        'IAM5[Resource::*]': 'X-Ray has no resources that a policy could name.',
      });
    }
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `${settings.stackName}: ${id}`,
      code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: settings.memoryMb,
      timeout,
      role: this.role,
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      ...(settings.tracing && { tracing: Tracing.ACTIVE }),
      logGroup: log.group,
    });
  }

  /** The ARN of the function's role, for resource-based policies. */
  get roleArn(): string {
    return this.role.roleArn;
  }

  /** Grants the function these actions on these resources, under these conditions. */
  allow(
    actions: readonly string[],
    resources: readonly string[],
    conditions: Conditions = {},
  ): void {
    this.add(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }));
  }

  /** Adds a statement to the policy of the function's role. */
  add(statement: PolicyStatement): void {
    this.role.addToPolicy(statement);
  }

  /** Connects the function to these subnets, with these security groups, for all its requests. */
  joinSubnets(subnetIds: readonly string[], securityGroupIds: readonly string[]): void {
    // CDK's own property needs a VPC, and attaches a managed policy.
    const { defaultChild } = this.lambda.node;
    (defaultChild as CfnFunction).vpcConfig = {
      subnetIds: [...subnetIds],
      securityGroupIds: [...securityGroupIds],
    };
    acknowledge(this.role, {
      'IAM5[Resource::*]': 'Lambda creates network interfaces, whose ids nobody knows before.',
    });
  }

  /** Sets the environment variables of these settings. */
  setSettings(ids: readonly SettingId[]): void {
    for (const id of ids) this.setVariable(settingVariables[id], String(this.settings[id]));
  }

  /** Sets an environment variable of the function. */
  setVariable(name: string, value: string): void {
    this.lambda.addEnvironment(name, value);
  }

  /** Lets an AWS service invoke the function for one resource. */
  allowInvocationBy(service: string, sourceArn: string): CfnPermission {
    return new CfnPermission(this, 'Permission', {
      action: 'lambda:InvokeFunction',
      functionName: this.lambda.functionArn,
      principal: service,
      sourceArn,
    });
  }

  /** Adds the function's name to the outputs of the stack. */
  addOutput(): void {
    new CfnOutput(this, 'Name', { value: this.lambda.functionName }).overrideLogicalId(
      `${toTitleCase(this.node.id)}FunctionName`,
    );
  }
}
