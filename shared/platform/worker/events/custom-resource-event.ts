import * as z from 'zod';

/** Event that CloudFormation sends to the function behind a custom resource; only fields that are used. */
export const CustomResourceEvent = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.string().optional(),
  ResourceProperties: z.record(z.string(), z.unknown()),
  /** The properties before an update. */
  OldResourceProperties: z.record(z.string(), z.unknown()).optional(),
});
export type CustomResourceEvent = z.infer<typeof CustomResourceEvent>;
