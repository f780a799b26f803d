/** Reads KMS keys for signatures. Other keys only encrypt data at rest, and functions behave the same without them. */
import * as z from 'zod';
import { oneOrMore } from '../schema.ts';
import type { KeyStatement, SigningKey } from './model.ts';
import { keyArn, rootArn } from './names.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';
import { findRole } from './roles.ts';

const usageSchema = z.object({
  KeySpec: z.string().default('SYMMETRIC_DEFAULT'),
  KeyUsage: z.string().default('ENCRYPT_DECRYPT'),
});

/** Without a policy of its own, a key leaves everything to the identity-based policies of the account. */
const defaultStatement = {
  Effect: 'Allow',
  Principal: { AWS: [rootArn] },
  Action: ['kms:*'],
} as const;

const policySchema = z.object({
  KeyPolicy: z
    .object({
      Statement: oneOrMore(
        z.strictObject({
          Sid: z.string().optional(),
          Effect: z.enum(['Allow', 'Deny']),
          Principal: z.union([
            z.literal('*').transform(() => ({ AWS: ['*'] })),
            z.object({ AWS: oneOrMore(z.string()).default([]) }),
          ]),
          Action: oneOrMore(z.string()),
          Resource: z.literal('*'),
        }),
      ),
    })
    .optional(),
});

/** Returns the statements of a key policy. A role of the template is named by its logical id. */
const readStatements = (reader: Reader, policy: z.output<typeof policySchema>): KeyStatement[] =>
  (policy.KeyPolicy?.Statement ?? [defaultStatement]).map(({ Effect, Principal, Action }) => ({
    effect: Effect,
    principals: Principal.AWS.map((arn) => findRole(reader, arn)?.id ?? arn),
    actions: [...Action],
  }));

/**
 * @throws {UnsupportedResourceError} for a signing key with another algorithm than ECDSA on the curve P-256, or with
 * conditions in its policy
 */
export const readSigningKeys = (reader: Reader): readonly SigningKey[] =>
  reader.ofType('AWS::KMS::Key').flatMap((resource) => {
    const { KeySpec, KeyUsage } = reader.read(resource, usageSchema);
    if (KeyUsage !== 'SIGN_VERIFY') return [];
    if (KeySpec !== 'ECC_NIST_P256') {
      throw new UnsupportedResourceError(resource, `the key spec ${KeySpec} is not emulated`);
    }
    const statements = readStatements(reader, reader.read(resource, policySchema));
    return [{ id: resource.id, arn: keyArn(resource.id), statements }];
  });
