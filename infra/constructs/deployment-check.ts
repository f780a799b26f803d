import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct, type IConstruct } from 'constructs';
import { dataFormat } from '../../shared/api/data-format.ts';
import type { Settings } from '../config.ts';
import { listProtectedValues } from '../protected-values.ts';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryTables } from './registry-tables.ts';

interface DeploymentCheckProps {
  /** The function that compares two deployments. */
  readonly checker: RegistryFunction;
  readonly tables: RegistryTables;
  readonly settings: Settings;
}

/**
 * A custom resource that has the data format, the tables and the protected settings of the deployment as its properties. On an update,
 * CloudFormation sends them to its function with the earlier ones. Where it refuses, the deployment ends before it changes another
 * part.
 */
export class DeploymentCheck extends Construct {
  private readonly checker: RegistryFunction;

  constructor(scope: Construct, id: string, { checker, tables, settings }: DeploymentCheckProps) {
    super(scope, id);
    this.checker = checker;
    new CustomResource(this, 'Compare', {
      resourceType: 'Custom::DeploymentCheck',
      serviceToken: checker.lambda.functionArn,
      properties: {
        dataFormat: String(dataFormat),
        tables: tables.listFixed(),
        settings: listProtectedValues(settings),
        loosen: settings.loosen,
      },
      serviceTimeout: Duration.minutes(5),
    });
  }

  /** Has CloudFormation change these parts of the stack after the check only. The check does not wait for itself. */
  precede(parts: readonly IConstruct[]): void {
    for (const part of parts) {
      if (part !== this && part !== this.checker) part.node.addDependency(this);
    }
  }
}
