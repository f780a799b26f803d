import * as z from 'zod';

/** What CloudFormation sends to the function behind a custom resource, as far as it is read here. */
export const CustomResourceEvent = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.string().optional(),
  ResourceProperties: z.record(z.string(), z.unknown()),
});
export type CustomResourceEvent = z.infer<typeof CustomResourceEvent>;
