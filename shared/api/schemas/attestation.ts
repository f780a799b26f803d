import * as z from 'zod';
import { statementMediaType } from '../../domain/attestations/dsse.ts';

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

export const Attestation = z
  .strictObject({
    payloadType: z.literal(statementMediaType),
    payload: base64.describe('The statement (in-toto Statement v1) as JSON, in base64.'),
    signatures: z
      .array(
        z.strictObject({
          keyid: z.string().describe('The `kid` of the key in `GET /keys`.'),
          sig: base64.describe('ECDSA signature in DER, in base64.'),
        }),
      )
      .describe('One signature.'),
  })
  .describe(
    'Signed statement of a decision (DSSE). `registry verify` checks it without the registry.',
  );
export type Attestation = z.infer<typeof Attestation>;

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const PublicKey = z
  .strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate.describe('Coordinate of the point, in base64url.'),
    y: coordinate.describe('Coordinate of the point, in base64url.'),
    kid: z.string().describe('The id of the key: its thumbprint (RFC 7638).'),
    use: z.literal('sig'),
    alg: z.literal('ES256').describe('ECDSA on the curve P-256 with SHA-256.'),
  })
  .describe('Public key as a JSON Web Key (RFC 7517).');

export const KeySet = z
  .strictObject({ keys: z.array(PublicKey).describe('Empty if the registry signs no decisions.') })
  .describe('The public key of signed decisions, as a JSON Web Key Set (RFC 7517).');
export type KeySet = z.infer<typeof KeySet>;
