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
  /** The name of the table: another one, such as a restored one, has to be loaded. */
  readonly table: string;
}

/** Has the licenses loaded on each deployment that changes them or the policy. Decisions of the organisation stay. */
export class LicenseCatalogue extends Construct {
  constructor(scope: Construct, id: string, { loader, policy, table }: LicenseCatalogueProps) {
    super(scope, id);
    new CustomResource(this, 'Load', {
      resourceType: 'Custom::LicenseCatalogue',
      serviceToken: loader.lambda.functionArn,
      // Text: CloudFormation turns every number and boolean of a property into text anyway.
      properties: {
        policy: JSON.stringify(policy),
        table,
        catalogue: createHash('sha256').update(JSON.stringify(knownLicenses)).digest('hex'),
      },
      serviceTimeout: Duration.minutes(10),
    });
  }
}
