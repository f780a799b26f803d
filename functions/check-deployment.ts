import * as z from 'zod';
import { customResource } from '../shared/platform/worker/custom-resource.ts';
import { isRollingBack } from '../shared/platform/worker/stack-status.ts';
import { checkDeployment } from '../shared/use-cases/deployment/check-deployment.ts';

const Properties = z.object({
  // CloudFormation turns numbers into texts. Earlier releases have none.
  dataFormat: z.coerce.number().optional(),
  tables: z.record(z.string(), z.string()).optional(),
  settings: z.record(z.string(), z.string()),
  loosen: z.string().transform((text) => text.split(',')),
});

export const handler = customResource(Properties, (properties, _, { before, stackId }) =>
  checkDeployment(before === undefined ? undefined : Properties.parse(before), properties, () =>
    isRollingBack(stackId),
  ),
);
