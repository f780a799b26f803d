import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct, type IConstruct } from 'constructs';
import { dataFormat } from '../../shared/api/data-format.ts';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryTables } from './registry-tables.ts';

interface DataMigrationProps {
  /** The function that migrates the tables. */
  readonly migrator: RegistryFunction;
  readonly tables: RegistryTables;
}

/**
 * A custom resource that brings the tables to the data format of the release. CloudFormation invokes its function asynchronously, so
 * that Lambda repeats a run that ended before the migration: up to three runs of 15 minutes.
 */
export class DataMigration extends Construct {
  constructor(scope: Construct, id: string, { migrator, tables }: DataMigrationProps) {
    super(scope, id);
    new CustomResource(this, 'Migrate', {
      resourceType: 'Custom::DataFormat',
      serviceToken: migrator.lambda.functionArn,
      // A restored table can have an earlier format.
      properties: {
        format: String(dataFormat),
        tables: Object.values(tables.all).map(({ tableName }) => tableName),
      },
      serviceTimeout: Duration.hours(1),
    });
  }

  /**
   * Has CloudFormation change these parts of the stack before the migration. All functions then have their new code. A part that
   * fails has the deployment rolled back, which would leave the functions of the earlier release with data that they refuse.
   */
  follow(parts: readonly IConstruct[]): void {
    this.node.addDependency(...parts);
  }
}
