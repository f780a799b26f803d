import * as z from 'zod';
import { scopes } from '../../domain/tokens/scope.ts';

/** Label, scopes and fingerprint of the token that a caller presents. */
export const Caller = z
  .strictObject({
    label: z
      .string()
      .nullable()
      .describe('The label of the token; null where it has none, or authentication is off.'),
    scopes: z
      .array(z.enum(scopes))
      .readonly()
      .describe('What the token is for; everything, while authentication is off.'),
    fingerprint: z
      .string()
      .nullable()
      .describe("The first 16 digits of the token's SHA-256; null while authentication is off."),
  })
  .describe('Who presents a token, as the registry knows them.');
export type Caller = z.infer<typeof Caller>;
