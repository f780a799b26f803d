import * as z from 'zod';
import { protectedSettings } from '../../shared/domain/deployment/protections.ts';
import { RestoredStreams, RestoredTables } from '../restored-tables.ts';
import { arn, awsIds, flag, hostName, keyArn, oneLine, someOf, tags } from '../setting-kinds.ts';

const stackNameRule = 'must start with a letter and have letters, digits and hyphens only';

/** Settings of the stack itself. */
export const stackSettings = {
  /** `production` keeps the tables when the stack is deleted; `development` deletes everything. */
  environment: z
    .enum(['production', 'development'], { error: 'must be production or development' })
    .default('production'),
  /** The stage whose file in `infra/settings` has the settings. */
  stage: oneLine('the name of a stage').optional(),
  stackName: z
    .string({ error: stackNameRule })
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, { error: stackNameRule })
    .default('PackageRegistry'),
  /** Tags for each resource of the stack, such as a cost centre. */
  tags: tags.default({}),
  /** A custom domain for the API and its certificate. Each needs the other. */
  domainName: hostName.optional(),
  certificateArn: arn('acm:[^:]+:\\d{12}:certificate/[^/]+', 'a certificate of ACM').optional(),
  /** Whether the address of API Gateway is closed, so that only the custom domain answers. */
  disableDefaultEndpoint: flag.default(false),
  /** The key of the account that encrypts what the stack stores. Without it, AWS's own keys do. */
  kmsKeyArn: keyArn.optional(),
  /** The VPC endpoints of a private API. Without any, the API is public. */
  vpcEndpointIds: awsIds('vpce', 'VPC endpoints').default([]),
  /** Whether to set the role with which API Gateway logs, for the whole account and region. */
  gatewayLogRole: flag.default(true),
  /** What this deployment loosens on purpose: protected settings, the data format after a restore of all tables, and tables that it replaces. */
  loosen: someOf(...protectedSettings, 'dataFormat', 'tables').default('none'),
  restoredTables: RestoredTables.default({}),
  /** The streams of restored tables that have stream consumers. */
  restoredStreams: RestoredStreams.default({}),
};
