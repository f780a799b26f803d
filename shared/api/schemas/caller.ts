import * as z from 'zod';
import { scopes } from '../../domain/tokens/scope.ts';

/** Label, scopes and fingerprint of the token that a caller presents. */
export const Caller = z
  .strictObject({
    label: z
      .string()
      .nullable()
      .describe(
        'The label of the token. Null for a token without a label, or if authentication is disabled.',
      ),
    scopes: z
      .array(z.enum(scopes))
      .readonly()
      .describe('What the token permits. All scopes if authentication is disabled.'),
    fingerprint: z
      .string()
      .nullable()
      .describe(
        "The first 16 hexadecimal digits of the token's SHA-256. Null if authentication is disabled.",
      ),
  })
  .describe('The owner of the token in the request.');
export type Caller = z.infer<typeof Caller>;
