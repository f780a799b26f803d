import * as z from 'zod';
import { scopes } from '../../domain/tokens/scope.ts';
import { Time } from './time.ts';

/** Label, scopes and fingerprint of the token or ID token that a caller presents. */
export const Caller = z
  .strictObject({
    label: z
      .string()
      .nullable()
      .describe(
        'The label of the token or of the account. Null for a token without a label, or if authentication is disabled.',
      ),
    scopes: z
      .array(z.enum(scopes))
      .readonly()
      .describe('What the token permits. All scopes if authentication is disabled.'),
    fingerprint: z
      .string()
      .nullable()
      .describe(
        'The first 16 hexadecimal digits of a SHA-256: of the token, or of the issuer and the subject of an ID token. Null if authentication is disabled.',
      ),
    issuer: z
      .string()
      .nullable()
      .describe('The issuer of the ID token. Null for a token of the list.'),
    expires_at: Time.nullable().describe('When the token expires. Null if it does not.'),
  })
  .describe('The owner of the token, or the holder of the ID token, in the request.');
export type Caller = z.infer<typeof Caller>;
