import * as z from 'zod';

const SecretsManagerStep = z.looseObject({
  Step: z.enum(['createSecret', 'setSecret', 'testSecret', 'finishSecret']),
  SecretId: z.string(),
  ClientRequestToken: z.string(),
});

/** One step, as Secrets Manager asks for it; or nothing, for a whole rotation by hand. */
export const RotationEvent = z.union([SecretsManagerStep, z.strictObject({})]);
export type RotationEvent = z.output<typeof RotationEvent>;
