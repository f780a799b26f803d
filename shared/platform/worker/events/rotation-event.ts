import * as z from 'zod';

const SecretsManagerStep = z.looseObject({
  Step: z.enum(['createSecret', 'setSecret', 'testSecret', 'finishSecret']),
  SecretId: z.string(),
  ClientRequestToken: z.string(),
});

/** One step of a rotation that Secrets Manager requests; an empty object for a complete manual rotation. */
export const RotationEvent = z.union([SecretsManagerStep, z.strictObject({})]);
export type RotationEvent = z.output<typeof RotationEvent>;
