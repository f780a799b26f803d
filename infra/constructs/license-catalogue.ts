import { createHash } from 'node:crypto';
import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { LicensePolicy } from '../../shared/api/schemas/license-policy.ts';
import { knownLicenses } from '../../shared/domain/licenses/catalogue.ts';
import type { RegistryFunction } from './registry-function.ts';

interface LicenseCatalogueProps {
  /** The function that loads the licenses. */
  readonly loader: RegistryFunction;
  readonly policy: LicensePolicy;
  /** The name of the table. A new name, such as that of a restored table, loads the licenses again. */
  readonly table: string;
}

/** A custom resource that loads the licenses when a deployment changes them or the policy. It keeps the organisation's decisions. */
export class LicenseCatalogue extends Construct {
  constructor(scope: Construct, id: string, { loader, policy, table }: LicenseCatalogueProps) {
    super(scope, id);
    new CustomResource(this, 'Load', {
      resourceType: 'Custom::LicenseCatalogue',
      serviceToken: loader.lambda.functionArn,
      // CloudFormation turns numbers and booleans into strings, so the policy is passed as one string.
      properties: {
        policy: JSON.stringify(policy),
        table,
        catalogue: createHash('sha256').update(JSON.stringify(knownLicenses)).digest('hex'),
      },
      serviceTimeout: Duration.minutes(10),
    });
  }
}
