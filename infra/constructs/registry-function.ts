import { CfnOutput, type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnPermission,
  type Code,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type SettingId, settingVariables } from '../../shared/resources.ts';
import type { Settings } from '../config.ts';

interface RegistryFunctionProps {
  readonly code: Code;
  readonly timeout: Duration;
  readonly settings: Settings;
}

/** The function of one endpoint or worker, with a role and a log of its own. It may do nothing but log until it is bound to something. */
export class RegistryFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly log: LogGroup;
  private readonly role: Role;
  private readonly settings: Settings;

  constructor(scope: Construct, id: string, { code, timeout, settings }: RegistryFunctionProps) {
    super(scope, id);
    this.settings = settings;

    this.log = new LogGroup(this, 'Log', {
      retention: settings.logRetentionDays as RetentionDays,
      removalPolicy:
        settings.environment === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    this.log.grantWrite(this.role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `${settings.stackName}: ${id}`,
      code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: settings.memoryMb,
      timeout,
      role: this.role,
      logGroup: this.log,
    });
  }

  /** Lets the function do these actions on these resources, and nothing more. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    this.role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources: [...resources] }),
    );
  }

  /** Tells the function these settings of the deployment. */
  tellSettings(ids: readonly SettingId[]): void {
    for (const id of ids) this.tell(settingVariables[id], String(this.settings[id]));
  }

  /** Tells the function something by an environment variable. */
  tell(variable: string, value: string): void {
    this.lambda.addEnvironment(variable, value);
  }

  /** Lets an AWS service invoke the function on behalf of one resource. */
  allowInvocationBy(service: string, sourceArn: string): CfnPermission {
    return new CfnPermission(this, 'Permission', {
      action: 'lambda:InvokeFunction',
      functionName: this.lambda.functionArn,
      principal: service,
      sourceArn,
    });
  }

  /** Tells whoever deploys the function's name, to invoke it by. */
  addOutput(): void {
    const words = this.node.id
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    new CfnOutput(this, 'Name', { value: this.lambda.functionName }).overrideLogicalId(
      `${words.join('')}FunctionName`,
    );
  }
}
