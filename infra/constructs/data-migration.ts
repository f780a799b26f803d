import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { dataFormat } from '../../shared/api/data-format.ts';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryTables } from './registry-tables.ts';

interface DataMigrationProps {
  /** The function that migrates the tables. */
  readonly migrator: RegistryFunction;
  readonly tables: RegistryTables;
  /** All functions that use the tables. They have their new code before the migration begins. */
  readonly functions: readonly RegistryFunction[];
}

/**
 * A custom resource that brings the tables to the data format of the release. CloudFormation invokes its function asynchronously, so
 * that Lambda repeats a run that ended before the migration: up to three runs of 15 minutes.
 */
export class DataMigration extends Construct {
  constructor(scope: Construct, id: string, { migrator, tables, functions }: DataMigrationProps) {
    super(scope, id);
    const resource = new CustomResource(this, 'Migrate', {
      resourceType: 'Custom::DataFormat',
      serviceToken: migrator.lambda.functionArn,
      // A restored table can have an earlier format.
      properties: {
        format: String(dataFormat),
        tables: Object.values(tables.all).map(({ tableName }) => tableName),
      },
      serviceTimeout: Duration.hours(1),
    });
    for (const { lambda } of functions) resource.node.addDependency(lambda);
  }
}
